"""Additive functions of cells: scores for intervals of single features and for rectangles of pairs of features.

A. Rahimi, B. Recht, "Random Features for Large-Scale Kernel Machines", NIPS 2007 (binning features);
J. Duchi, E. Hazan, Y. Singer, "Adaptive Subgradient Methods", JMLR 2011.

Feature j has a grid of width h_j = 2^exponent_j. The cells of a row are

    shared       one, in every row
    fine j       floor(4 x_j / h_j)
    coarse j     floor(x_j / h_j)
    pair i, j    (floor(x_i / h_i), floor(x_j / h_j))         of the crossed features
    half i, j    (floor(2 x_i / h_i), floor(2 x_j / h_j))     of the crossed features

While feature j has had whole numbers only, a whole number has itself as its cell in place of the fine one. If then
h_j <= 1, so that the coarse grid has a cell for each number too, there is no coarse cell, and for 0 none at all.

Every table has the first three kinds; table 1 the pairs as well, tables 2 and 3 the halves instead. With m cells in a
row, on class y and with p the probabilities of the table, every cell in turn:

    logit_c      = sum of score_cell,c
    G_cell       <- keep (G_cell - 1) + 1 + w^2 sum_c (p_c - [c = y])^2           (G = 1 before)
    score_cell,c <- score_cell,c - w rate / sqrt(m) / sqrt(G_cell) (p_c - [c = y])

A cell belongs to the grid it was made on: another exponent has other cells. Names of cells are exact; a `Table` takes
whatever names it is given, so that a test can let two of them collide.
"""

import itertools
import math
from collections.abc import Hashable, Sequence

import numpy as np

RATES = (1.0, 0.3, 1.0, 3.0)
KEEPS = (1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 200.0)


def exponent_for(deviation: float, exponent: int | None = None) -> int:
    """floor(log2 deviation); a former one stays while the deviation is in [2^-0.33, 2^1.33] times 2^exponent."""
    if exponent is not None and 2.0**-0.33 <= deviation / 2.0**exponent <= 2.0**1.33:
        return exponent
    return math.floor(math.log2(deviation))


def looks(rows: int) -> list[int]:
    """The rows after which the deviations are looked at: when their number has grown by a quarter, at most."""
    found = [1]
    while found[-1] <= rows:
        found.append(found[-1] + max(1, found[-1] // 4))
    return found


def cells_of(x: np.ndarray, exponents: list[int], whole: list[bool], crossed: list[int], table: int) -> list[tuple]:
    """The names of the cells of a row, for one table."""

    def at(j: int, parts: int) -> int:
        return math.floor(parts * x[j] / 2.0 ** exponents[j])

    names: list[tuple] = [("shared",)]
    for j in range(len(x)):
        if whole[j] and float(x[j]).is_integer():
            if x[j] == 0.0 and exponents[j] <= 0:
                continue
            names.append(("number", j, float(x[j])))
            if exponents[j] > 0:
                names.append(("coarse", j, exponents[j], at(j, 1)))
        else:
            names.append(("fine", j, exponents[j], at(j, 4)))
            names.append(("coarse", j, exponents[j], at(j, 1)))
    kind, parts = {0: ("", 0), 1: ("pair", 1), 2: ("half", 2), 3: ("half", 2)}[table]
    for j, i in itertools.product(crossed, crossed) if kind else ():
        if i < j:
            names.append((kind, i, j, exponents[i], exponents[j], at(i, parts), at(j, parts)))
    return names


class Table:
    """Scores of the cells of one table."""

    def __init__(self, table: int, classes: int) -> None:
        self.table, self.classes = table, classes
        self.rate, self.keep = RATES[table], KEEPS[table]
        self.scores: dict[Hashable, np.ndarray] = {}
        self.sums: dict[Hashable, float] = {}

    def logits(self, cells: Sequence[Hashable]) -> np.ndarray:
        return sum((self.scores.get(cell, np.zeros(self.classes)) for cell in cells), np.zeros(self.classes))

    def learn(self, cells: Sequence[Hashable], p: np.ndarray, y: int, weight: float = 1.0) -> None:
        """p are the probabilities of the table's logits, before the row."""
        gradient = np.asarray(p, dtype=np.float64) - np.eye(self.classes)[y]
        for cell in cells:
            G = self.keep * (self.sums.get(cell, 1.0) - 1.0) + 1.0 + weight**2 * float(gradient @ gradient)
            step = weight * self.rate / math.sqrt(len(cells)) / math.sqrt(G)
            self.scores[cell] = self.scores.get(cell, np.zeros(self.classes)) - step * gradient
            self.sums[cell] = G
