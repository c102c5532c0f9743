"""The critical-difference diagram of a ranking."""

from typing import Any

from .ranks import Ranking


def critical_difference(ranking: Ranking, title: str) -> Any:
    """Methods on a line of mean ranks, the best at the left; bars join those that are not told apart."""
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
    for place, (name, rank) in enumerate(zip(ranking.methods, ranking.ranks, strict=True)):
        left = place < half
        y = -bars - 0.3 * ((place if left else count - 1 - place) + 0.6)
        x = 0.85 if left else count + 0.15
        ax.plot([rank, rank, x], [0, y, y], color=GREY, linewidth=0.8)
        ax.text(x + (-0.08 if left else 0.08), y, f"{name}  {rank:.1f}", ha="right" if left else "left", va="center",
                fontsize=9, color=INK)  # fmt: skip
    ax.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK)
    return figure
