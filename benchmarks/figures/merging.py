"""Time per example of budgeted SGD with merging, in units of one kernel row.

An example costs at least one row κ(x, all B support vectors). What the rest of the loop adds, merging included, is the
ratio. Where a share v of the examples has a loss, merging searches a partner v times per example, in time that is a row
or so: hence bars that grow with v.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.kernel_rows import row_seconds
from kernelstream import Model, Recipe, recipes
from kernelstream.bounds import Unbounded
from kernelstream.kernels import Gaussian
from kernelstream.losses import CrammerSinger, Hinge, Loss

# budget, and turns: a short pass is a noisy one
STREAMS = {"checkerboard": (100, 41), "waveform": (500, 15), "covtype": (2000, 7)}


def merging(gamma: float, lam: float, budget: int, loss: Loss = Hinge(), **options: Any) -> Recipe:
    """Merging as we would run it: an offset, and no ball."""
    return recipes.bsgd(Gaussian(gamma), loss, lam, budget, offset=2.0, bound=Unbounded(), **options)


def signs(name: str, y: np.ndarray) -> np.ndarray:
    """Labels −1 and +1: of waveform, class 0 against the rest."""
    return np.where(y == 0, 1, -1) if name == "waveform" else y


def against_rows(title: str, recipe: Recipe, X: np.ndarray, y: np.ndarray, turns: int, bar: Any) -> Result:
    """One pass in units of one kernel row per example; `bar` gives the greatest ratio for a share with a loss."""
    trained: list[Model] = []

    def one_pass() -> float:
        model = Model.from_recipe(recipe, X, y)
        trained[:] = [model]
        return seconds(model.learn_many, X, y)

    times = in_turn({"pass": one_pass, "rows": lambda: row_seconds(trained[0], X)}, turns)
    model, n = trained[0], len(X)
    share = model.record.examples_with_loss / n
    return Result(
        f"{title} B={model.n_support}, v {share:.1%}", per_row(times["pass"], n), per_row(times["rows"], n), "µs",
        ratio(times["pass"], times["rows"]), Bar(high=bar(share)),
        details={"share_with_loss": share, "features": model.n_features, "examples": n, "turns": turns},
    )  # fmt: skip


def binary(run: Run) -> Iterator[Result]:
    for name, (budget, turns) in STREAMS.items():
        data = run.data(name)
        if data is None:
            continue
        run.tell(f"{name}, in turn")
        n = run.choose(len(data.X_train), 20_000)
        X, y = data.X_train[:n], signs(name, data.y_train)[:n].astype(np.float64)[:, None]
        recipe = merging(data.gamma, data.lam, budget)
        bar = (lambda v: 2.5) if name == "checkerboard" else (lambda v: 1.5 + 1.5 * v)
        yield against_rows(f"merging, {name}", recipe, X, y, run.choose(turns, 3), bar)


def letters(run: Run) -> Iterator[Result]:
    data = run.data("letter")
    if data is None:
        return
    run.tell("in turn")
    recipe = merging(data.gamma, data.lam, 500, CrammerSinger())
    y = data.y_train.astype(np.float64)[:, None] - 1.0
    yield against_rows("merging, letter, 26 classes,", recipe, data.X_train, y, run.choose(11, 3), lambda v: 12.0)


FIGURES = (
    Figure("merging", "bsgd with merging, two classes, against one kernel row", binary),
    Figure("letter", "bsgd with merging, 26 classes, against one kernel row", letters),
)
