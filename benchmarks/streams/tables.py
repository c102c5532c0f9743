"""Results as tables: a table for each measure, a row for each stream, a column for each learner."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from benchmarks.report import console, show, verdict
from benchmarks.streams.bars import Judged, Results
from benchmarks.streams.measures import MEASURES, Measure
from benchmarks.streams.registry import STREAMS
from benchmarks.streams.river_peers import BASELINES

WIDTH = 165  # of a table with all learners: rather let the terminal wrap than cut names short


class Grid(NamedTuple):
    """A table's text; `best` marks the cells with a row's best value, as it is printed."""

    measure: Measure
    columns: list[str]
    rows: list[list[str]]
    best: list[list[bool]]


def grids(results: Results) -> list[Grid]:
    """A grid for every measure that some result has."""
    return [grid for measure in MEASURES if (grid := _grid(results, measure)).rows]


def _grid(results: Results, measure: Measure) -> Grid:
    has = {pair: record[measure.key] for pair, record in results.items() if record.get(measure.key) is not None}
    streams = [name for name in STREAMS if any(stream == name for stream, _ in has)]
    learners = list(dict.fromkeys(learner for _, learner in results if any(pair[1] == learner for pair in has)))
    rows, best = [], []
    for stream in streams:
        values = [has.get((stream, learner)) for learner in learners]
        texts = ["" if value is None else f"{value:,.{measure.digits}f}" for value in values]
        # to cost nothing is no merit of a learner that does nothing
        rivals = [measure.tasks != "both" or learner not in BASELINES for learner in learners]
        known = [value for value, rival in zip(values, rivals, strict=True) if rival and value is not None]
        top = f"{(max if measure.higher else min)(known):,.{measure.digits}f}" if known else None
        rows.append([stream, STREAMS[stream].group, *texts])
        best.append([False, False, *(rival and text == top for text, rival in zip(texts, rivals, strict=True))])
    return Grid(measure, ["stream", "group", *learners], rows, best)


def print_results(results: Results) -> None:
    """Every grid in the terminal, the best of a row in bold."""
    console.width = max(console.width, WIDTH)
    for grid in grids(results):
        cells = [
            [Text(text, "bold green") if top else text for text, top in zip(row, tops, strict=True)]
            for row, tops in zip(grid.rows, grid.best, strict=True)
        ]
        show(grid.measure.title, grid.columns, cells, words=2)


def print_bars(judged: Sequence[Judged]) -> None:
    rows = [(bar.bar, bar.found, "open" if bar.passed is None else verdict(bar.passed)) for bar in judged]
    show("kernelstream against the bars", ("bar", "found", "verdict"), rows, words=3)
