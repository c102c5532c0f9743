"""Which methods are better over many data sets: mean ranks, and how far apart they must be (Demšar, JMLR 2006)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range


class Ranking(NamedTuple):
    """Methods from the best mean rank to the worst; two that are less than `critical` apart are not told apart."""

    methods: list[str]
    ranks: NDArray[np.float64]
    critical: float
    p_value: float  #: Friedman: how likely such differences are if all methods are alike
    sets: int

    def cliques(self) -> list[tuple[int, int]]:
        """Longest runs of methods that are not told apart, as first and last place.

        >>> Ranking(["a", "b", "c"], np.array([1.0, 1.5, 3.0]), 1.0, 0.01, 9).cliques()
        [(0, 1)]
        """
        found: list[tuple[int, int]] = []
        for first, rank in enumerate(self.ranks):
            last = int(np.searchsorted(self.ranks, rank + self.critical, side="right")) - 1
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found


def ranking(scores: Mapping[str, Sequence[float]], alpha: float = 0.05) -> Ranking:
    """From the scores of each method on the same data sets (larger is better).

    >>> found = ranking({"good": [9, 8, 9, 7], "bad": [5, 4, 6, 3], "fair": [7, 7, 8, 6]})
    >>> found.methods, found.ranks.tolist(), round(found.critical, 2)
    (['good', 'fair', 'bad'], [1.0, 2.0, 3.0], 1.66)
    """
    names, table = list(scores), np.array(list(scores.values()), np.float64)
    methods, sets = table.shape
    if methods < 3 or sets < 2:
        raise ValueError(f"Ranks are compared for three methods or more on two data sets or more, not {table.shape}.")
    means = rankdata(-table, axis=0).mean(axis=1)
    order = np.argsort(means, kind="stable")
    # Nemenyi: the studentised range for infinitely many degrees of freedom, over √2
    q = studentized_range.ppf(1.0 - alpha, methods, np.inf) / np.sqrt(2.0)
    critical = float(q * np.sqrt(methods * (methods + 1) / (6.0 * sets)))
    return Ranking([names[i] for i in order], means[order], critical, float(friedmanchisquare(*table).pvalue), sets)
