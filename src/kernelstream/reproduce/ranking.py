"""Mean ranks of methods over many data sets, and their critical-difference diagram (Demšar, JMLR 2006)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range


class Ranking(NamedTuple):
    """Methods from the best mean rank to the worst; a difference below `critical` is not significant."""

    methods: list[str]
    ranks: NDArray[np.float64]
    critical: float
    p_value: float  #: of Friedman's test that all methods are equal
    sets: int

    def cliques(self) -> list[tuple[int, int]]:
        """Longest groups of methods without significant differences, as first and last index.

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
    """Rank the methods by their scores on the same data sets (larger is better).

    >>> found = ranking({"good": [9, 8, 9, 7], "bad": [5, 4, 6, 3], "fair": [7, 7, 8, 6]})
    >>> found.methods, found.ranks.tolist(), round(found.critical, 2)
    (['good', 'fair', 'bad'], [1.0, 2.0, 3.0], 1.66)
    """
    names, table = list(scores), np.array(list(scores.values()), np.float64)
    methods, sets = table.shape
    if methods < 3 or sets < 2:
        raise ValueError(f"Ranks need three methods or more and two data sets or more, not {methods} and {sets}.")
    means = rankdata(-table, axis=0).mean(axis=1)
    order = np.argsort(means, kind="stable")
    # Nemenyi: the studentised range for infinitely many degrees of freedom, over √2
    q = studentized_range.ppf(1.0 - alpha, methods, np.inf) / np.sqrt(2.0)
    critical = float(q * np.sqrt(methods * (methods + 1) / (6.0 * sets)))
    return Ranking([names[i] for i in order], means[order], critical, float(friedmanchisquare(*table).pvalue), sets)


def critical_difference(ranking: Ranking, title: str) -> Any:
    """Methods on a line of mean ranks, the best at the left; bars join those without significant differences."""
    from matplotlib import pyplot

    from ..plot.style import GREY, INK, PALETTE

    count = len(ranking.methods)
    half = (count + 1) // 2
    cliques = ranking.cliques()
    bars = 0.28 * (len(cliques) + 1)
    height = 1.2 + bars + 0.3 * half
    figure, ax = pyplot.subplots(figsize=(8.2, 0.9 + 0.55 * height), layout="constrained", facecolor="white")
    ax.set(xlim=(0.6 - 0.12 * count, count + 0.4 + 0.12 * count), ylim=(-bars - 0.3 * half - 0.3, 1.3))
    ax.axis("off")
    ax.plot([1, count], [0, 0], color=INK, linewidth=1.2)
    for rank in range(1, count + 1):
        ax.plot([rank, rank], [0, 0.12], color=INK, linewidth=1.0)
        ax.text(rank, 0.18, str(rank), ha="center", va="bottom", fontsize=8, color=INK)
    ax.plot([1, 1 + ranking.critical], [0.75, 0.75], color=GREY, linewidth=3)
    ax.text(1, 0.85, f"critical difference {ranking.critical:.2f}", fontsize=8, color=GREY)
    for i, (first, last) in enumerate(cliques):
        y = -0.28 * (i + 1)
        ax.plot([ranking.ranks[first] - 0.05, ranking.ranks[last] + 0.05], [y, y], color=PALETTE[0], linewidth=3.5)
    for index, (name, rank) in enumerate(zip(ranking.methods, ranking.ranks, strict=True)):
        left = index < half
        y = -bars - 0.3 * ((index if left else count - 1 - index) + 0.6)
        x = 0.85 if left else count + 0.15
        ax.plot([rank, rank, x], [0, y, y], color=GREY, linewidth=0.8)
        ax.text(x + (-0.08 if left else 0.08), y, f"{name}  {rank:.1f}", ha="right" if left else "left", va="center",
                fontsize=9, color=INK)  # fmt: skip
    ax.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK)
    return figure
