"""The cost of outputs that average the iterates."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model, Recipe

STREAMS = {"checkerboard": (100, 15), "covtype": (500, 7)}  # budget, turns


def one_pass(recipe: Recipe, X: np.ndarray, y: np.ndarray) -> float:
    return seconds(Model.from_recipe(recipe, X, y, total=len(y)).learn_many, X, y)


def averages(run: Run) -> Iterator[Result]:
    for name, (budget, turns) in STREAMS.items():
        data = run.data(name)
        if data is None:
            continue
        n = run.choose(len(data.X_train), 20_000)
        X, y = data.X_train[:n], data.y_train[:n].astype(np.float64)[:, None]
        ways = {way: merging(data.gamma, data.lam, budget, output=way) for way in ("last", "mean", "suffix")}
        run.tell(f"{name}, in turn")
        times = in_turn({way: partial(one_pass, recipe, X, y) for way, recipe in ways.items()}, run.choose(turns, 3))
        for way in ("mean", "suffix"):
            yield Result(
                f"output '{way}' against 'last', {name} B={budget}", per_row(times[way], n), per_row(times["last"], n),
                "µs", ratio(times[way], times["last"]), Bar(high=1.2), details={"examples": n},
            )  # fmt: skip


FIGURES = (
    Figure("averages", "a pass whose output averages the iterates against one whose output is the last", averages),
)
