"""Plots of score against budget and against time."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from ..evaluate import Progress
from .style import GREY, MARKERS, legend, line, new_axes, quiet

_LABELS = {"budget": "support vectors", "seconds": "seconds"}


class Cost(NamedTuple):
    """One run: its support vectors (or budget), its time, and its score."""

    budget: float
    seconds: float
    score: float

    @classmethod
    def of(cls, run: Any) -> "Cost":
        """From a result of `progressive`, or three numbers."""
        if isinstance(run, Progress):
            final = run.final
            return cls(float("nan") if final.support is None else final.support, final.seconds, final.score)
        return cls(*run)


class FrontierDisplay:
    """Scores of several runs of several methods against their support vectors and their time.

    The grey steps are the Pareto frontier: the best score at each cost.

    Parameters
    ----------
    runs : dict of str to list
        Runs of each method, each a `Progress` or (budget, seconds, score).
    metric : str
        Metric of the score: higher is better for "accuracy", lower for errors ("rmse", "mae").

    Attributes
    ----------
    axes_ : list
        Axes of the panels; `ax_` is the first.
    figure_
        The matplotlib figure.

    Examples
    --------
    >>> from kernelstream.plot import FrontierDisplay
    >>> runs = {"merge": [(50, 0.1, 0.93), (100, 0.2, 0.97)], "remove": [(50, 0.1, 0.8), (100, 0.15, 0.9)]}
    >>> FrontierDisplay(runs).frontier("budget")
    [(50, 0.93), (100, 0.97)]
    """

    def __init__(self, runs: Mapping[str, Iterable[Any]], metric: str = "accuracy"):
        self.runs = {name: sorted(map(Cost.of, some)) for name, some in runs.items()}
        self.metric = metric

    @classmethod
    def from_results(
        cls, results: Mapping[str, Iterable[Any]], *, ax: Any = None, against: str | None = None,
        metric: str | None = None,
    ) -> Self:  # fmt: skip
        """Draw results of `progressive`, several for each method, or (budget, seconds, score)."""
        results = {name: list(some) for name, some in results.items()}
        found = {run.metric for some in results.values() for run in some if isinstance(run, Progress)}
        return cls(results, metric or (found.pop() if len(found) == 1 else "accuracy")).plot(ax=ax, against=against)

    def frontier(self, against: str) -> list[tuple[float, float]]:
        """Costs and scores of the runs that are better than all cheaper ones."""
        sign = 1.0 if self.metric == "accuracy" else -1.0
        points = sorted(
            ((getattr(run, against), run.score) for some in self.runs.values() for run in some),
            key=lambda point: (point[0], -sign * point[1]),
        )
        best: list[tuple[float, float]] = []
        for cost, score in points:
            if not best or sign * score > sign * best[-1][1]:
                best.append((cost, score))
        return best

    def plot(self, *, ax: Any = None, against: str | None = None) -> Self:
        """Draw against "budget" or "seconds"; None draws both, side by side."""
        if against is not None and against not in _LABELS:
            raise ValueError(f"against is {against!r}; use 'budget' or 'seconds'.")
        panels = list(_LABELS) if against is None else [against]
        self.axes_ = new_axes(ax, len(panels), (4.8, 3.8))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        for panel, axes in zip(panels, self.axes_, strict=True):
            self._panel(axes, panel)
        legend(self.axes_[0], loc="best")
        return self

    def _panel(self, ax: Any, against: str) -> None:
        best = self.frontier(against)
        ax.step(*zip(*best, strict=True), where="post", color=GREY, linewidth=5, alpha=0.25, zorder=1)
        for i, (name, some) in enumerate(self.runs.items()):
            # joined in the order of their budgets, also against time
            width = 1.8 if against == "budget" else 0.8
            style = line(i) | {"linewidth": width, "markersize": 6, "markeredgecolor": "white", "markeredgewidth": 0.6}
            costs, scores = [getattr(run, against) for run in some], [run.score for run in some]
            ax.plot(costs, scores, marker=MARKERS[i % len(MARKERS)], label=name, **style)
        ax.set_xscale("log")
        quiet(ax, counts="x", shares="y" if self.metric == "accuracy" else "")
        ax.set_xlabel(_LABELS[against])
        if ax is self.ax_:
            ax.set_ylabel(self.metric)
