"""The error of a budget of 200 against that of kernel ridge regression, which keeps every row."""

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.data import Numbers, regression
from benchmarks.figure import Run
from benchmarks.frontier.accuracy import SHUFFLES
from benchmarks.frontier.part import Line, Part
from benchmarks.report import show, verdict
from kernelstream import KernelRegressor, recipes
from kernelstream.datasets import DataUnavailable
from kernelstream.kernels import Gaussian
from kernelstream.losses import Huber
from kernelstream.output import Last

BUDGET, LAM, BAR = 200, 1e-5, 1.10
TUNED = 3000  # rows that γ and α are chosen on
GRID = {"gamma": [0.03, 0.1, 0.3, 1.0], "alpha": [0.001, 0.01, 0.1, 1.0]}
COLUMNS = ("data", "rows", "γ", "α", "ridge", "refit", "refit, one pass", "merging alone", "refit ÷ ridge", "bar", "")


def measure(run: Run) -> Iterator[Line]:
    for name in ("cadata", "space_ga"):
        run.tell(f"{name}: kernel ridge regression")
        try:
            data = regression(name)
        except DataUnavailable as missing:
            run.note(f"{name} is left out: {missing}")
            continue
        if run.quick:
            data = data._replace(X_train=data.X_train[:TUNED], y_train=data.y_train[:TUNED])
        yield _line(run, name, data)


def _line(run: Run, name: str, data: Numbers) -> Line:
    ridge, chosen = _ridge(data)
    gamma = chosen["gamma"]
    merging = recipes.default(Gaussian(gamma), Huber(1.0), LAM, BUDGET).replace(output=Last())

    def model(epochs: int | str, seed: int) -> KernelRegressor:
        return KernelRegressor(gamma=gamma, lam=LAM, budget=BUDGET, epochs=epochs, random_state=seed)

    found: dict[str, list[float]] = {"refit": [], "one_pass": [], "merging": []}
    for seed in range(run.choose(SHUFFLES, 1)):
        run.tell(f"{name}, shuffle {seed + 1}")
        found["refit"].append(_rmse(model("auto", seed), data))
        found["one_pass"].append(_rmse(model(1, seed), data))
        found["merging"].append(_rmse(KernelRegressor(merging, random_state=seed), data))
    ratio = mean(found["refit"]) / ridge
    return {
        "part": "regression", "data": name, "rows": len(data.y_train), **chosen, "ridge": ridge, **found,
        "ratio": ratio, "bar": BAR, "passed": ratio <= BAR,
    }  # fmt: skip


def _ridge(data: Numbers) -> tuple[float, dict[str, float]]:
    """The error of a ridge regression on all rows, with the γ and α that do best on some of them."""
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(KernelRidge(kernel="rbf"), GRID, scoring="neg_mean_squared_error", cv=3)
    chosen = search.fit(data.X_train[:TUNED], data.y_train[:TUNED]).best_params_
    return _rmse(KernelRidge(kernel="rbf", **chosen), data), chosen


def _rmse(model: Any, data: Numbers) -> float:
    predicted = model.fit(data.X_train, data.y_train).predict(data.X_test)
    return float(np.sqrt(np.mean((predicted - data.y_test) ** 2)))


def table(lines: Sequence[Line]) -> None:
    title = f"root mean squared error, in deviations of the target, B = {BUDGET}, λ = {LAM:g}"
    show(title, COLUMNS, [_cells(line) for line in lines])


def _cells(line: Line) -> tuple[Any, ...]:
    errors = [f"{mean(line[name]):.4f}" for name in ("refit", "one_pass", "merging")]
    return (
        line["data"], line["rows"], line["gamma"], line["alpha"], f"{line['ridge']:.4f}", *errors,
        f"{line['ratio']:.3f}", f"≤ {line['bar']:.2f}", verdict(line["passed"]),
    )  # fmt: skip


REGRESSION = Part("error at B = 200 against kernel ridge regression on all rows", measure, table)
