"""Our results beside the published ones: the difference, and whether it counts as reproduced."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, NamedTuple

from .experiment import Cell
from .trial_records import HIGHER, TrialRecords, chosen

# how much worse than published still counts as reproduced
WITHIN = {"accuracy": 2.0, "error": 2.0, "rmse": 0.03}
WITHIN_SIZE = 0.15


@dataclass(frozen=True)
class ComparedFigure:
    """One published number and ours."""

    name: str
    ours: float
    sd: float | None
    published: float | None
    judged: bool

    @property
    def difference(self) -> float | None:
        return None if self.published is None else self.ours - self.published

    @property
    def reproduced(self) -> bool | None:
        """As good as published, or worse by no more than the tolerance; None if not judged."""
        if self.published is None or not self.judged:
            return None
        return self._lost(self.published) <= self._within(self.published)

    @property
    def better(self) -> bool:
        """Better than published by more than the tolerance."""
        return (
            bool(self.reproduced)
            and self.published is not None
            and -self._lost(self.published) > self._within(self.published)
        )

    def _lost(self, published: float) -> float:
        return published - self.ours if self.name in HIGHER else self.ours - published

    def _within(self, published: float) -> float:
        # published figures are rounded
        return (WITHIN_SIZE * published if self.name == "svs" else WITHIN[self.name]) + 1e-9


@dataclass(frozen=True)
class CellResult:
    """A cell with its results; `figures` is empty if trials are unfinished or failed."""

    cell: Cell
    figures: Mapping[str, ComparedFigure]
    chosen: Mapping[str, Any]
    failure: str | None
    repeats: int

    @property
    def noteworthy(self) -> bool:
        """Whether ours differs enough from the published figure to need an explanation."""
        figure = self.figures.get(self.cell.measure)
        far = figure is not None and figure.difference is not None and abs(figure.difference) > WITHIN[figure.name]
        return far or any(figure.reproduced is False for figure in self.figures.values())


def cell_result(cell: Cell, records: TrialRecords) -> CellResult:
    best = None if cell.lacking else chosen(cell, records)
    outcomes = [] if best is None else [found for trial in cell.final_trials(best) if (found := records.of(trial))]
    failure = next((outcome["failure"] for outcome in outcomes if "failure" in outcome), None)
    if not outcomes or failure:
        return CellResult(cell, {}, best or {}, failure, 0)
    names = [name for name in (cell.measure, "svs", "seconds", "bytes", "examples") if name in outcomes[0]]
    figures = {name: _figure(cell, name, [outcome[name] for outcome in outcomes]) for name in names}
    return CellResult(cell, figures, best or {}, None, len(outcomes))


def _figure(cell: Cell, name: str, values: list[float]) -> ComparedFigure:
    published = cell.published.get(name)
    # a size that was set says nothing about the method, and times are from other machines
    found = name == "svs" and published != cell.budget and not cell.sized
    judged = cell.unjudged is None and (name in WITHIN or found)
    return ComparedFigure(name, mean(values), stdev(values) if len(values) > 1 else None, published, judged)


class ReproducedCounts(NamedTuple):
    """Published figures: reproduced (as good, or worse within the tolerance), of these much better, and judged."""

    reproduced: int
    better: int
    judged: int

    @property
    def share(self) -> str:
        return self._share(self.reproduced)

    @property
    def share_within(self) -> str:
        """The share within the tolerance on both sides, as of an exact replication."""
        return self._share(self.reproduced - self.better)

    def _share(self, count: int) -> str:
        return f"{100 * count / self.judged:.1f} %" if self.judged else ""


def count_reproduced(cells: Iterable[CellResult]) -> ReproducedCounts:
    figures = [figure for cell in cells for figure in cell.figures.values() if figure.reproduced is not None]
    return ReproducedCounts(
        sum(figure.reproduced is True for figure in figures), sum(f.better for f in figures), len(figures)
    )
