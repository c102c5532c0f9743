"""The same rows as CSR and dense: a9a, 123 features of which 14 are not zero."""

from collections.abc import Iterator
from typing import Any

from scipy.sparse import csr_array

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model


def csr(run: Run) -> Iterator[Result]:
    data = run.data("a9a")
    if data is None:
        return
    n = run.choose(len(data.y_train), 8_000)
    X, y = data.X_train[:n], data.y_train[:n]
    rows, recipe = csr_array(X), merging(data.gamma, data.lam, 1000)

    def one_pass(rows: Any) -> float:
        return seconds(Model.begin(recipe, X, y).learn_many, rows, y)

    run.tell("CSR and dense, in turn")
    times = in_turn({"csr": lambda: one_pass(rows), "dense": lambda: one_pass(X)}, run.choose(7, 3))
    filled = rows.nnz / (n * X.shape[1])
    yield Result(
        f"a9a as CSR against dense, B=1000, {filled:.0%} filled", per_row(times["csr"], n), per_row(times["dense"], n),
        "µs", ratio(times["dense"], times["csr"]), Bar(low=3.0), details={"examples": n, "filled": filled},
    )  # fmt: skip


FIGURES = (Figure("sparse", "a9a as CSR against dense", csr),)
