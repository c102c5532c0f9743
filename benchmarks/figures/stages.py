"""Where the time of a pass goes.

Compiled code shows a profiler no stages, so they are told apart by passes over a model that is already full, in turn,
each with one stage more than the one before:

- kernel rows alone;
- a pass with all weights zero: f(x), loss, decay and the loop, but no step is taken and nothing maintained. What it
  takes beyond the rows is the rest;
- the pass itself: what it takes beyond that is insertion and maintenance;
- the pass that also keeps the mean of the iterates: the difference is the output.
"""

import copy
from collections.abc import Iterator
from statistics import median

import numpy as np

from benchmarks.clock import in_turn, seconds
from benchmarks.figure import Figure, Result, Run
from benchmarks.figures.merging import merging
from benchmarks.kernel_rows import row_seconds
from kernelstream import Model, Recipe

STREAMS = {"checkerboard": (100, 15), "covtype": (500, 9)}  # budget, turns


def shares(last: Recipe, mean: Recipe, X: np.ndarray, y: np.ndarray, turns: int) -> tuple[float, dict[str, float]]:
    """Seconds of a pass of `mean`, which is `last` with another output, and what share of it each stage takes."""
    full = {recipe: Model.from_recipe(recipe, X, y).learn_many(X, y) for recipe in (last, mean)}

    def learned(recipe: Recipe, weight: float = 1.0) -> float:
        return seconds(copy.deepcopy(full[recipe]).learn_many, X, y, np.full(len(y), weight))

    times = in_turn({
        "kernel rows": lambda: row_seconds(full[last], X),
        "f(x), loss, decay": lambda: learned(last, 0.0),
        "insertion and maintenance": lambda: learned(last),
        "output": lambda: learned(mean),
    }, turns)  # fmt: skip
    whole, before, found = times["output"], [0.0] * turns, {}
    for stage, taken in times.items():
        found[stage] = median((t - b) / w for t, b, w in zip(taken, before, whole, strict=True))
        before = taken
    return median(whole), found


def stages(run: Run) -> Iterator[Result]:
    for name, (budget, turns) in STREAMS.items():
        data = run.data(name)
        if data is None:
            continue
        run.tell(f"{name}, in turn")
        n = run.choose(50_000, 10_000)
        X, y = data.X_train[:n], data.y_train[:n].astype(np.float64)[:, None]
        last, mean = (merging(data.gamma, data.lam, budget, output=way) for way in ("last", "mean"))
        whole, found = shares(last, mean, X, y, run.choose(turns, 3))
        for stage, share in found.items():
            part = 1e6 * whole * share / n
            yield Result(f"{name} B={budget}: {stage}", part, 1e6 * whole / n, "µs", share)


FIGURES = (Figure("stages", "where the time of a pass goes, by passes that differ in one stage", stages),)
