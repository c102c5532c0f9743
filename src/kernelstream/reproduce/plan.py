"""Experiments: what the files in `experiments/` say, as cells to fill."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import product
from typing import Any

from .trial import Trial

FIGURES = ("accuracy", "error", "rmse", "svs", "seconds")  # what a table may print
QUICK_ROWS, QUICK_REPEATS = 0.1, 1


@dataclass(frozen=True)
class Scale:
    """How much of an experiment is run: all of it, or a tenth of the data and one repeat."""

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
    """A method on a data set at one budget: its trials, and what the paper prints."""

    experiment: str
    data: str
    method: str
    budget: float | None
    measure: str
    printed: Mapping[str, float]
    trial: Trial
    practice: Trial  # what candidates are judged by
    grid: Mapping[str, tuple[Any, ...]]
    folds: int
    repeats: int
    near: float = 0.0  # candidates that do worse by no more than this are as good, if they are smaller
    unjudged: str | None = None  # why the print is shown, but not counted
    lacking: str | None = None  # why there are no data
    sized: bool = False  # whether its parameters were set so that its size is the printed one

    def candidates(self) -> list[dict[str, Any]]:
        """Every combination of the grid."""
        names = list(self.grid)
        return [dict(zip(names, values, strict=True)) for values in product(*self.grid.values())]

    def rehearsals(self, candidate: Mapping[str, Any]) -> list[Trial]:
        """Trials that judge a candidate, one for each fold."""
        return [_with(self.practice, candidate, fold) for fold in range(self.folds)]

    def finals(self, candidate: Mapping[str, Any]) -> list[Trial]:
        """Trials that count."""
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
    hindsight: str = ""  # settings that were chosen after a look at the figures they lead to

    @property
    def key(self) -> str:
        return f"{self.paper}-{self.name}"


def experiments(papers: tuple[str, ...] = (), only: tuple[str, ...] = (), scale: str = "full") -> list[Experiment]:
    """Those of the named papers (all, if none is named), or of the names in `only`."""
    found = [_read(tomllib.loads(path.read_text("utf-8")), Scale(scale)) for path in _files()]
    known_papers, known = {e.paper for e in found}, {e.name for e in found}
    for name in papers:
        if name not in known_papers:
            raise ValueError(f"There is no paper {name!r} here. There are {', '.join(sorted(known_papers))}.")
    for name in only:
        if name not in known:
            raise ValueError(f"There is no table or figure {name!r}. There are {', '.join(sorted(known))}.")
    return [e for e in found if (not papers or e.paper in papers) and (not only or e.name in only)]


def _files() -> list[Any]:
    folder = files("kernelstream.reproduce") / "experiments"
    return sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)


def _read(text: dict[str, Any], scale: Scale) -> Experiment:
    return Experiment(
        text["paper"], text["name"], text["title"], text["measure"], tuple(_cells(text, scale)),
        text.get("about", ""), tuple(text.get("notes", ())), text.get("figure", {}),
        text.get("layout", "cells"), text.get("finding", ""), text.get("hindsight", ""),
    )  # fmt: skip


def _cells(text: dict[str, Any], scale: Scale) -> Iterator[Cell]:
    for data, budget, method, printed in _printed(text):
        # what is said of all cells, of the method, of the data set, and of the two together; the last word counts
        said = {**text["all"], **text["methods"][method], **text.get("data", {}).get(data, {})}
        for special in text.get("special", ()):
            if concerns(special, data, method, budget):
                said |= {name: value for name, value in special.items() if name not in ("data", "method", "at")}
        yield _cell(text, scale, data, budget, method, printed, said)


def _cell(
    text: dict[str, Any], scale: Scale, data: str, budget: float | None, method: str, printed: dict[str, float],
    said: dict[str, Any],
) -> Cell:  # fmt: skip
    take = said.pop
    grid = {name: tuple(values) for name, values in take("grid", {}).items()}
    repeats, folds, tuning = take("repeats", 5), take("folds", 1), take("tuning", 10_000)
    rows, size, moments = take("rows", None), take("size", None), tuple(take("moments", ()))
    near, lacking, unjudged = take("near", 0.0), take("lacking", None), take("unjudged", None)
    sized = take("sized", False)
    name, version, protocol = take("name", data), take("version", text.get("version")), take("protocol", "test")
    practised = take("practised_at", budget)  # the budget at which candidates are judged, if not the cell's own
    if scale.quick and (rows or size):
        rows = scale.rows(rows or size)
        tuning = min(tuning, rows)
    if rows is not None and moments:
        moments = (*(moment for moment in moments if moment < rows), rows)
    trial = Trial(name, version, _at(said, budget), 0, protocol, rows, moments=moments)
    judge = "online" if protocol == "online" else "test"
    practice = replace(trial, recipe=_at(said, practised), protocol=judge, tuning=tuning, moments=())
    return Cell(
        f"{text['paper']}-{text['name']}", data, method, budget, text["measure"], printed, trial, practice, grid,
        scale.repeats(folds), scale.repeats(repeats), near, unjudged, lacking, sized,
    )  # fmt: skip


def _at(said: Mapping[str, Any], budget: float | None) -> dict[str, Any]:
    """ "B" stands for the budget of the cell, alone or within a table."""

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(part) for name, part in value.items()}
        return budget if value == "B" else value

    return {name: filled(value) for name, value in said.items()}


def concerns(rule: Mapping[str, Any], data: str, method: str, budget: float | None) -> bool:
    """Whether a rule is about a cell: it names data, method and budget ("at"), each alone or in a list, or leaves
    them out.

    >>> concerns({"data": ["usps", "letter"]}, "usps", "merging", 100), concerns({"at": 500}, "usps", "merging", 100)
    (True, False)
    """
    here = {"data": data, "method": method, "at": budget}
    return all(
        value in (rule[name] if isinstance(rule[name], list) else [rule[name]])
        for name, value in here.items()
        if name in rule
    )


def _printed(text: dict[str, Any]) -> Iterator[tuple[str, float | None, str, dict[str, float]]]:
    """The cells of sweeps; then those in print: a column for each method, or one named method and one a figure."""
    for sweep in text.get("sweep", ()):
        budgets, methods = sweep.get("budget", [None]), sweep.get("method", list(text["methods"]))
        yield from ((data, budget, method, {}) for data, budget, method in product(sweep["data"], budgets, methods))
    for table in text.get("print", ()):
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
