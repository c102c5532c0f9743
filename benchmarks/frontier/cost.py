"""What the refit costs: the time of `fit` against that of the same pass without it, taken in turn."""

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

from benchmarks.clock import in_turn, ratio, seconds
from benchmarks.data import Dataset
from benchmarks.figure import Run
from benchmarks.frontier.accuracy import NAMES
from benchmarks.frontier.learners import default, merging
from benchmarks.frontier.part import Line, Part
from benchmarks.report import show, verdict
from kernelstream import KernelClassifier

BUDGET, BAR, TURNS = 500, 3.0, 5
COLUMNS = ("data", "rows", "features", "refit (s)", "merging (s)", "ratio", "bar", "", "CPU ratio", "load")


def measure(run: Run) -> Iterator[Line]:
    ratios = []
    for name in NAMES:
        data = run.data(name)
        if data is None:
            continue
        run.tell(f"{name}, in turn")
        models = {"refit": default(data, BUDGET, 0), "merging": merging(data, BUDGET, 0)}
        cpu: dict[str, list[float]] = {side: [] for side in models}
        sides = {side: partial(_timed, model, data, cpu[side]) for side, model in models.items()}
        times = in_turn(sides, run.choose(TURNS, 1))
        ratios.append(ratio(times["refit"], times["merging"]))
        yield {
            "part": "cost", "data": name, "rows": len(data.X_train), "features": data.X_train.shape[1], **times,
            "ratio": ratios[-1], "bar": BAR, "passed": ratios[-1] <= BAR, "load": _load(),
            "cpu_ratio": ratio(cpu["refit"][1:], cpu["merging"][1:]),  # without the turn that compiled
        }  # fmt: skip
    if ratios:
        yield {"part": "cost", "data": "median", "ratio": median(ratios), "bar": BAR, "passed": median(ratios) <= BAR}


def _timed(model: KernelClassifier, data: Dataset, cpu: list[float]) -> float:
    """Seconds of a fit; those that the process spent on all cores, which other processes hardly change, are noted."""
    start = time.process_time()
    elapsed = seconds(model.fit, data.X_train, data.y_train)
    cpu.append(time.process_time() - start)
    return elapsed


def _load() -> float | None:
    """What else the machine was busy with: processes that wanted a core in the last minute, ours included."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def table(lines: Sequence[Line]) -> None:
    show(f"time of fit with the refit against one pass of merging, B = {BUDGET}, medians", COLUMNS, map(_cells, lines))


def _cells(line: Line) -> tuple[Any, ...]:
    judged = f"{line['ratio']:.2f}", f"≤ {line['bar']:.1f}", verdict(line["passed"])
    if "rows" not in line:
        return line["data"], "", "", "", "", *judged, "", ""
    times = [f"{median(line[side]):.2f}" for side in ("refit", "merging")]
    load = "" if line["load"] is None else f"{line['load']:.1f}"
    return line["data"], line["rows"], line["features"], *times, *judged, f"{line['cpu_ratio']:.2f}", load


COST = Part("training time at B = 500 against one pass of plain merging", measure, table)
