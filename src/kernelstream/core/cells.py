"""Additive functions of cells: each feature, and each pair of them, is cut into cells that have scores of their own.

Cells of a feature are intervals of a grid whose width is a power of two near a fraction of its deviation, fixed in the
units of the data: when the deviation moves, a coarser or finer grid is learned, and nothing that was stored becomes
wrong. Features that have only had whole numbers, which may be codes, have a cell for each number as well. Cells are
hashed into tables of bounded size. That is a kernel machine with the binning features of Rahimi & Recht (NIPS 2007) for
an ANOVA kernel of degree 2; the scores are learned by AdaGrad (Duchi, Hazan & Singer, JMLR 2011), with
sums that fade, so that steps do not die with age.
"""

import math
from typing import NamedTuple

import numpy as np

from .numba.lowering import compiled, inlined
from .state import one
from .types import Array

TABLES = 4  # each has scores for the cells of single features; the second for pairs on a coarse grid too,
COARSE, FINE = 1, 2  # and those from the third on for pairs on a finer grid
RATES = (1.0, 0.3, 1.0, 3.0)  # steps of the tables
KEEP = (1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 2000.0, 1.0 - 1.0 / 200.0)  # decay of their sums, per visit
CROSSED = 16  # features that form pairs: those that matter most
LARGEST_TABLE, NUMBERS = 1 << 14, 1 << 18  # cells in a table; cells times classes
# of the hash functions
PRIME, A, B, C, D, E, SHIFT = 2147483647, 1640531527, 1073742431, 668265263, 715827883, 374761393, 1 << 60
SPREAD = 10.0  # deviations from the mean: what is further away counts as if it were there
SLOW = 1.0 / 1024.0  # rate of the running means of effects
FAR = 1e15  # the largest number of a cell
HUGE = 1e100  # what is larger counts as this: squares stay finite


class Cells(NamedTuple):
    rows: np.ndarray  # their number
    look: np.ndarray  # the row at which to look at the grids next
    mean: np.ndarray
    squares: np.ndarray  # sums of squared differences from it
    exponent: np.ndarray  # the grid of each feature has the width 2^exponent
    whole: np.ndarray  # 1 as long as a feature has had whole numbers only
    crossed: np.ndarray  # the features that form pairs
    where: np.ndarray  # cells of the current row: 0, at most two of each feature; then those of the pairs, both grids
    singles: np.ndarray  # how many of the former there are
    keys: np.ndarray  # (2, crossed) hashed intervals of the features that form pairs, coarse and fine
    scores: np.ndarray  # (tables, cells, classes)
    slopes: np.ndarray  # (tables, cells) sums of squared gradients
    effect: np.ndarray  # (features,) running mean square of what a feature adds to the scores,
    level: np.ndarray  # (features, classes) and running mean of that
    slope: np.ndarray  # (classes,) buffer: the derivative of the loss by the scores


def new_cells(features: int, classes: int) -> Cells:
    crossed, size = min(features, CROSSED), table_size(classes)
    return Cells(
        one(0, np.int64), one(1, np.int64), np.zeros(features), np.zeros(features), np.zeros(features, np.int64),
        np.ones(features, np.int64), np.arange(crossed), np.zeros(places(features), np.int64),
        one(1, np.int64), np.zeros((2, crossed), np.int64), np.zeros((TABLES, size, classes), np.float32),
        np.ones((TABLES, size), np.float32), np.zeros(features), np.zeros((features, classes)),
        np.zeros(classes),
    )  # fmt: skip


def table_size(classes: int) -> int:
    """Cells of a table: fewer with more classes, so that memory is bounded.

    >>> table_size(2), table_size(26)
    (16384, 8192)
    """
    size = LARGEST_TABLE
    while size * classes > NUMBERS and size > 1024:
        size //= 2
    return size


def places(features: int) -> int:
    """Cells of a row: one for all rows, two of each feature, two of each pair."""
    crossed = min(features, CROSSED)
    return 1 + 2 * features + crossed * (crossed - 1)


@inlined
def interval(value: float, width: float) -> int:
    return math.floor(min(max(value / width, -FAR), FAR))


@inlined
def modulo(number: int) -> int:
    """number mod PRIME for 0 ≤ number < 2^62, without a division: PRIME is 2^31 − 1."""
    number = (number & PRIME) + (number >> 31)
    number = (number & PRIME) + (number >> 31)
    return number - PRIME if number >= PRIME else number


@inlined
def scrambled(key: int) -> int:
    """Not linear, so that the cells of two features, or of two pairs, do not meet in rows."""
    return modulo(modulo(key * key) * D + key)


@inlined
def hashed(number: int, feature: int, kind: int) -> int:
    """An interval of a feature as a number below PRIME; all products stay below 2^62, in Python and compiled."""
    return scrambled(modulo(modulo(number + SHIFT) * A + feature * B + kind * C))


@inlined
def cell(key: int, size: int) -> int:
    return (key * size) >> 31


@compiled
def locate(cells: Cells, x: Array) -> None:
    """Find the cells of a row. A feature of small whole numbers has none for 0, which is what most of many columns are,
    and none on the coarse grid, which would have a cell for each number too."""
    size, where, keys, crossed = cells.scores.shape[1], cells.where, cells.keys, cells.crossed
    where[0] = 0
    singles = 1
    for k in range(x.shape[0]):
        exponent, whole = cells.exponent[k], cells.whole[k] == 1 and math.floor(x[k]) == x[k] and abs(x[k]) <= FAR
        if whole and x[k] == 0.0 and exponent <= 0:
            continue
        width = 2.0**exponent
        small = int(x[k]) if whole else interval(x[k], 0.25 * width)
        where[singles] = cell(hashed(small, 4 * k, 0 if whole else exponent + 2048), size)
        singles += 1
        if not whole or exponent > 0:
            where[singles] = cell(hashed(interval(x[k], width), 4 * k + 1, exponent + 2048), size)
            singles += 1
    cells.singles[0] = singles
    for a in range(crossed.shape[0]):
        k = crossed[a]
        width, kind = 2.0 ** cells.exponent[k], cells.exponent[k] + 2048
        keys[0, a] = hashed(interval(x[k], width), 4 * k + 2, kind)
        keys[1, a] = hashed(interval(x[k], 0.5 * width), 4 * k + 3, kind)
    place = 1 + 2 * x.shape[0]
    for grid in range(2):
        for a in range(crossed.shape[0]):
            for b in range(a):
                first, second = (a, b) if crossed[a] > crossed[b] else (b, a)
                where[place] = cell(scrambled(modulo(keys[grid, first] * D + keys[grid, second] * E)), size)
                place += 1


@inlined
def pairs_of(cells: Cells, table: int) -> tuple[int, int]:
    """Where the pairs of a table are in the list of cells: first and last."""
    start, crossed = 1 + 2 * cells.mean.shape[0], cells.crossed.shape[0]
    count = crossed * (crossed - 1) // 2
    if table < COARSE:
        return start, start
    return (start, start + count) if table < FINE else (start + count, start + 2 * count)


@compiled
def add_up(cells: Cells, table: int, out: Array) -> None:
    """out[c] = the sum of the scores of the row's cells."""
    scores, where, classes = cells.scores[table], cells.where, out.shape[0]
    singles, (first, last) = cells.singles[0], pairs_of(cells, table)
    for c in range(classes):
        out[c] = 0.0
    for i in range(singles):
        row = scores[where[i]]
        for c in range(classes):
            out[c] += row[c]
    for i in range(first, last):
        row = scores[where[i]]
        for c in range(classes):
            out[c] += row[c]


@compiled
def descend(cells: Cells, table: int, weight: float) -> None:
    """A step of a table against the derivative of its loss, `cells.slope`."""
    singles, (first, last) = cells.singles[0], pairs_of(cells, table)
    scores, slopes, where, slope = cells.scores[table], cells.slopes[table], cells.where, cells.slope
    steep = 0.0
    for c in range(slope.shape[0]):
        steep += slope[c] ** 2
    step = weight * RATES[table] / math.sqrt(float(singles + last - first))
    for i in range(singles + last - first):
        place = where[i] if i < singles else where[first + i - singles]
        total = KEEP[table] * (slopes[place] - 1.0) + 1.0 + weight * weight * steep
        slopes[place] = np.float32(total)
        length, row = step / math.sqrt(total), scores[place]
        for c in range(slope.shape[0]):
            row[c] -= np.float32(length * slope[c])


@compiled
def follow_effects(cells: Cells, x: Array) -> None:
    """Running means of what each feature adds to the scores: alone, and half of what its pairs add."""
    classes, where = cells.level.shape[1], cells.where
    alone, level, effect = cells.scores[0], cells.level, cells.effect
    place = 1
    for k in range(x.shape[0]):
        whole = cells.whole[k] == 1 and math.floor(x[k]) == x[k] and abs(x[k]) <= FAR
        count = (
            0 if whole and x[k] == 0.0 and cells.exponent[k] <= 0 else 2 if not whole or cells.exponent[k] > 0 else 1
        )
        total = 0.0
        for c in range(classes):
            value = 0.0
            for i in range(place, place + count):
                value += np.float64(alone[where[i], c])
            level[k, c] += SLOW * (value - level[k, c])
            total += (value - level[k, c]) ** 2
        effect[k] += SLOW * (total - effect[k])
        place += count
    crossed, both = cells.crossed, cells.scores[FINE]
    place = pairs_of(cells, FINE)[0]
    for a in range(crossed.shape[0]):
        for b in range(a):
            total = 0.0
            for c in range(classes):
                total += 0.5 * np.float64(both[where[place], c]) ** 2
            effect[crossed[a]] += SLOW * total
            effect[crossed[b]] += SLOW * total
            place += 1


@compiled
def follow_units(cells: Cells, x: Array) -> None:
    """Count a row, and look at the grids when the number of rows has grown by a quarter."""
    cells.rows[0] += 1
    count, mean, squares = cells.rows[0], cells.mean, cells.squares
    for k in range(x.shape[0]):
        value = min(max(x[k], -HUGE), HUGE)
        if cells.whole[k] == 1 and math.floor(value) != value:
            cells.whole[k] = 0
        if count > 64 and squares[k] > 0.0:
            reach = SPREAD * math.sqrt(squares[k] / count)
            value = min(max(value, mean[k] - reach), mean[k] + reach)
        change = value - mean[k]
        mean[k] += change / count
        squares[k] += change * (value - mean[k])
    if count >= cells.look[0]:
        cells.look[0] = count + max(1, count // 4)
        for k in range(x.shape[0]):
            if squares[k] > 0.0:
                wanted = math.log2(squares[k] / count) / 2.0
                # a grid stays while the deviation is between 1 and 2 of its widths, and a quarter more
                if not -0.33 <= wanted - cells.exponent[k] <= 1.33:
                    cells.exponent[k] = min(max(math.floor(wanted), -1000), 1000)
        if cells.crossed.shape[0] < x.shape[0] and count >= 256:
            choose_crossed(cells)


@compiled
def choose_crossed(cells: Cells) -> None:
    """The features with the largest effects form pairs."""
    effect, crossed = cells.effect, cells.crossed
    for a in range(crossed.shape[0]):
        best = -1
        for k in range(effect.shape[0]):
            new = True
            for b in range(a):
                new = new and crossed[b] != k
            if new and (best < 0 or effect[k] > effect[best]):
                best = k
        crossed[a] = best
