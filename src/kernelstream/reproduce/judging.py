"""Ours beside the print: how far apart, and whether that is near enough."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, NamedTuple

from .choosing import HIGHER, chosen
from .plan import Cell
from .records import Records

# how much worse than the print still counts as reproduced
WITHIN = {"accuracy": 2.0, "error": 2.0, "rmse": 0.03}
WITHIN_SIZE = 0.15


@dataclass(frozen=True)
class Figure:
    """One printed number and ours."""

    name: str
    ours: float
    sd: float | None
    printed: float | None
    judged: bool

    @property
    def difference(self) -> float | None:
        return None if self.printed is None else self.ours - self.printed

    @property
    def reproduced(self) -> bool | None:
        """As good as the print, or not much worse; None where there is nothing to judge."""
        if self.printed is None or not self.judged:
            return None
        return self._lost(self.printed) <= self._within(self.printed)

    @property
    def better(self) -> bool:
        """Better than the print by more than what would still be near it."""
        return (
            bool(self.reproduced)
            and self.printed is not None
            and -self._lost(self.printed) > self._within(self.printed)
        )

    def _lost(self, printed: float) -> float:
        return printed - self.ours if self.name in HIGHER else self.ours - printed

    def _within(self, printed: float) -> float:
        # figures in print are rounded, and so is the doubt about ours
        return (WITHIN_SIZE * printed if self.name == "svs" else WITHIN[self.name]) + 1e-9


@dataclass(frozen=True)
class Filled:
    """A cell with its outcomes; `figures` is empty where the trials are not done, or failed."""

    cell: Cell
    figures: Mapping[str, Figure]
    chosen: Mapping[str, Any]
    failure: str | None
    repeats: int

    @property
    def noteworthy(self) -> bool:
        """Whether a reader wants to know why ours is another number."""
        figure = self.figures.get(self.cell.measure)
        far = figure is not None and figure.difference is not None and abs(figure.difference) > WITHIN[figure.name]
        return far or any(figure.reproduced is False for figure in self.figures.values())


def filled(cell: Cell, records: Records) -> Filled:
    best = None if cell.lacking else chosen(cell, records)
    outcomes = [] if best is None else [found for trial in cell.finals(best) if (found := records.of(trial))]
    failure = next((outcome["failure"] for outcome in outcomes if "failure" in outcome), None)
    if not outcomes or failure:
        return Filled(cell, {}, best or {}, failure, 0)
    names = [name for name in (cell.measure, "svs", "seconds", "bytes", "examples") if name in outcomes[0]]
    figures = {name: _figure(cell, name, [outcome[name] for outcome in outcomes]) for name in names}
    return Filled(cell, figures, best or {}, None, len(outcomes))


def _figure(cell: Cell, name: str, values: list[float]) -> Figure:
    printed = cell.printed.get(name)
    # a size that was dictated says nothing about the method, and times were taken on other machines
    found = name == "svs" and printed != cell.budget and not cell.sized
    judged = cell.unjudged is None and (name in WITHIN or found)
    return Figure(name, mean(values), stdev(values) if len(values) > 1 else None, printed, judged)


class Tally(NamedTuple):
    """Printed figures: reproduced (of these, better by much), and all that can be judged."""

    reproduced: int
    better: int
    judged: int

    @property
    def share(self) -> str:
        return f"{100 * self.reproduced / self.judged:.1f} %" if self.judged else ""


def tally(cells: Iterable[Filled]) -> Tally:
    figures = [figure for cell in cells for figure in cell.figures.values() if figure.reproduced is not None]
    return Tally(sum(figure.reproduced is True for figure in figures), sum(f.better for f in figures), len(figures))


def fill(cells: Iterable[Cell], records: Callable[[Cell], Records]) -> list[Filled]:
    return [filled(cell, records(cell)) for cell in cells]
