"""Experiments, read from the files in `experiments/`: tables and figures of the papers as cells to fill."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import product
from typing import Any

from .trial import Trial

QUICK_ROWS, QUICK_REPEATS = 0.1, 1


@dataclass(frozen=True)
class ExperimentSize:
    """How much of an experiment is run: "full", or "quick" with a tenth of the data and one repeat."""

    name: str

    @property
    def quick(self) -> bool:
        return self.name == "quick"

    def rows(self, rows: int) -> int:
        return max(int(rows * QUICK_ROWS), 200) if self.quick else rows

    def repeats(self, repeats: int) -> int:
        return QUICK_REPEATS if self.quick else repeats


@dataclass(frozen=True)
class Cell:
    """A method on a data set at one budget: its trials, and the published figures."""

    experiment: str
    data: str
    method: str
    budget: float | None
    measure: str
    published: Mapping[str, float]
    trial: Trial
    tuning_trial: Trial  # by which candidates are compared
    grid: Mapping[str, tuple[Any, ...]]
    folds: int
    repeats: int
    near: float = 0.0  # of candidates within this tolerance of the best, the smallest model is chosen
    unjudged: str | None = None  # why the published figure is shown but not counted
    lacking: str | None = None  # why the data is not available
    sized: bool = False  # whether parameters were set to get the published size

    def candidates(self) -> list[dict[str, Any]]:
        """Every combination of the grid."""
        names = list(self.grid)
        return [dict(zip(names, values, strict=True)) for values in product(*self.grid.values())]

    def tuning_trials(self, candidate: Mapping[str, Any]) -> list[Trial]:
        """Trials by which a candidate is compared, one for each fold."""
        return [_with(self.tuning_trial, candidate, fold) for fold in range(self.folds)]

    def final_trials(self, candidate: Mapping[str, Any]) -> list[Trial]:
        """The reported trials."""
        return [_with(self.trial, candidate, seed) for seed in range(self.repeats)]


def _with(trial: Trial, candidate: Mapping[str, Any], seed: int) -> Trial:
    return replace(trial, recipe={**trial.recipe, **candidate}, seed=seed)


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of a paper."""

    paper: str
    name: str
    title: str
    measure: str
    cells: tuple[Cell, ...]
    about: str = ""
    notes: tuple[Mapping[str, Any], ...] = ()
    figure: Mapping[str, Any] = field(default_factory=dict)
    layout: str = "cells"
    finding: str = ""
    hindsight: str = ""  # settings that were chosen after seeing the results

    @property
    def key(self) -> str:
        return f"{self.paper}-{self.name}"


def experiments(papers: tuple[str, ...] = (), only: tuple[str, ...] = (), scale: str = "full") -> list[Experiment]:
    """Experiments of the named papers (default: all); `only` keeps tables and figures of these names.

    Parameters
    ----------
    papers : tuple of str, default ()
        Names of papers; none are all.
    only : tuple of str, default ()
        Names of tables and figures; none are all.
    scale : str, default "full"
        The size of the experiments, as `kernelstream reproduce` has it.
    """
    found = [_read(tomllib.loads(path.read_text("utf-8")), ExperimentSize(scale)) for path in _files()]
    known_papers, known = {e.paper for e in found}, {e.name for e in found}
    for name in papers:
        if name not in known_papers:
            raise ValueError(f"unknown paper {name!r}. Available: {', '.join(sorted(known_papers))}.")
    for name in only:
        if name not in known:
            raise ValueError(f"unknown table or figure {name!r}. Available: {', '.join(sorted(known))}.")
    return [e for e in found if (not papers or e.paper in papers) and (not only or e.name in only)]


def _files() -> list[Any]:
    folder = files("kernelstream.reproduce") / "experiments"
    return sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)


def _read(text: dict[str, Any], scale: ExperimentSize) -> Experiment:
    return Experiment(
        text["paper"], text["name"], text["title"], text["measure"], tuple(_cells(text, scale)),
        text.get("about", ""), tuple(text.get("notes", ())), text.get("figure", {}),
        text.get("layout", "cells"), text.get("finding", ""), text.get("hindsight", ""),
    )  # fmt: skip


def _cells(text: dict[str, Any], scale: ExperimentSize) -> Iterator[Cell]:
    for data, budget, method, published in _published(text):
        # settings of all cells, then of the method, the data set and special cases; later ones override earlier ones
        said = {**text["all"], **text["methods"][method], **text.get("data", {}).get(data, {})}
        for special in text.get("special", ()):
            if concerns(special, data, method, budget):
                said |= {name: value for name, value in special.items() if name not in ("data", "method", "at")}
        yield _cell(text, scale, data, budget, method, published, said)


def _cell(
    text: dict[str, Any], scale: ExperimentSize, data: str, budget: float | None, method: str,
    published: dict[str, float], said: dict[str, Any],
) -> Cell:  # fmt: skip
    take = said.pop
    grid = {name: tuple(values) for name, values in take("grid", {}).items()}
    repeats, folds, tuning = take("repeats", 5), take("folds", 1), take("tuning", 10_000)
    rows, size, moments = take("rows", None), take("size", None), tuple(take("moments", ()))
    near, lacking, unjudged = take("near", 0.0), take("lacking", None), take("unjudged", None)
    sized = take("sized", False)
    name, version, protocol = take("name", data), take("version", text.get("version")), take("protocol", "test")
    tuning_budget = take("tuning_budget", budget)  # at which candidates are compared
    if tuning_budget == "1 + c sqrt(n)" and budget is not None and size:
        tuning_budget = round(1.0 + (budget - 1.0) * math.sqrt(tuning / size))  # the same c on fewer rows
    if scale.quick and (rows or size):
        rows = scale.rows(rows or size)
        tuning = min(tuning, rows)
    if rows is not None and moments:
        moments = (*(moment for moment in moments if moment < rows), rows)
    trial = Trial(name, version, _at(said, budget), 0, protocol, rows, moments=moments)
    tuning_protocol = "online" if protocol == "online" else "test"
    tuning_trial = replace(trial, recipe=_at(said, tuning_budget), protocol=tuning_protocol, tuning=tuning, moments=())
    return Cell(
        f"{text['paper']}-{text['name']}", data, method, budget, text["measure"], published, trial, tuning_trial, grid,
        scale.repeats(folds), scale.repeats(repeats), near, unjudged, lacking, sized,
    )  # fmt: skip


def _at(said: Mapping[str, Any], budget: float | None) -> dict[str, Any]:
    """Settings with the budget of the cell in place of "B"."""

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(part) for name, part in value.items()}
        return budget if value == "B" else value

    return {name: filled(value) for name, value in said.items()}


def concerns(rule: Mapping[str, Any], data: str, method: str, budget: float | None) -> bool:
    """Whether a rule applies to a cell: data, method and budget ("at") must match where the rule has them.

    >>> concerns({"data": ["usps", "letter"]}, "usps", "merging", 100), concerns({"at": 500}, "usps", "merging", 100)
    (True, False)
    """
    here = {"data": data, "method": method, "at": budget}
    return all(
        value in (rule[name] if isinstance(rule[name], list) else [rule[name]])
        for name, value in here.items()
        if name in rule
    )


def _published(text: dict[str, Any]) -> Iterator[tuple[str, float | None, str, dict[str, float]]]:
    """Cells of sweeps, then those with published figures, in a column per method or a column per figure."""
    for sweep in text.get("sweep", ()):
        budgets, methods = sweep.get("budget", [None]), sweep.get("method", list(text["methods"]))
        yield from ((data, budget, method, {}) for data, budget, method in product(sweep["data"], budgets, methods))
    for table in text.get("published", ()):
        columns = table["columns"]
        for row in table["rows"]:
            values = dict(zip(columns, row, strict=True))
            data, budget = values.pop("data"), values.pop("budget", "") or None
            if "method" in values:
                method = values.pop("method")
                yield data, budget, method, {name: value for name, value in values.items() if value != ""}
            else:
                for method, value in values.items():
                    if value != "":
                        yield data, budget, method, {text["measure"]: value}
