"""The same rows as CSR and dense: a9a, 123 features of which 14 are not zero."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from scipy.sparse import csr_array

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model, Recipe


def csr(run: Run) -> Iterator[Result]:
    data = run.data("a9a")
    if data is None:
        return
    n = run.choose(len(data.y_train), 8_000)
    X, y = data.X_train[:n], data.y_train[:n]
    rows, recipe = csr_array(X), merging(data.gamma, data.lam, 1000)
    by_row = recipe.replace(look_ahead=0)

    def one_pass(recipe: Recipe, rows: Any) -> float:
        return seconds(Model.from_recipe(recipe, X, y).learn_many, rows, y)

    run.tell("CSR and dense, in turn")
    passes = {"csr": (recipe, rows), "dense": (recipe, X), "by row": (by_row, X)}
    times = in_turn({name: partial(one_pass, *given) for name, given in passes.items()}, run.choose(7, 3))
    filled = rows.nnz / (n * X.shape[1])
    # dense rows are usually computed in look-ahead blocks, CSR rows never: both comparisons are of interest
    for name, words, bar in (("dense", "", Bar(low=3.0)), ("by row", " row by row", None)):
        yield Result(
            f"a9a as CSR against dense{words}, B=1000, {filled:.0%} filled", per_row(times["csr"], n),
            per_row(times[name], n), "µs", ratio(times[name], times["csr"]), bar,
            details={"examples": n, "filled": filled},
        )  # fmt: skip


FIGURES = (Figure("sparse", "a9a as CSR against dense", csr),)
