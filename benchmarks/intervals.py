"""Measured coverage of prediction intervals: `python -m benchmarks.intervals [SET ...]`.

Rows of every set are shuffled; `KernelRegressor`, with default settings, learns two thirds of them, at most 20,000, and
its intervals are tested on the rest. It is fitted, or learns a stream in batches of 500. Each cell has the fraction of
targets inside the intervals, in percent, and the mean width of these in standard deviations of y.
"""

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

from benchmarks.streams.stream import path_of
from benchmarks.untuned.sets import CAP, SETS, lacking
from kernelstream import KernelRegressor

COVERAGES = (0.5, 0.8, 0.9, 0.95)
FIRST, SHUFFLES = 100, 3  # seeds; 0 to 2 were looked at when the method was chosen
BATCH = 500
Array = NDArray[np.float64]
Predict = Callable[[Array, float], Array]


def fitted(X: Array, y: Array, seed: int) -> KernelRegressor:
    return KernelRegressor(random_state=seed).fit(X, y)


def streamed(X: Array, y: Array, seed: int) -> KernelRegressor:
    model = KernelRegressor(random_state=seed)
    for start in range(0, len(y), BATCH):
        model.partial_fit(X[start : start + BATCH], y[start : start + BATCH])
    return model


def measured(predict: Predict, X: Array, y: Array) -> Array:
    """Coverage and mean width for every nominal coverage, (coverages, 2)."""
    found = []
    for coverage in COVERAGES:
        low, high = predict(X, coverage).T
        found.append([np.mean((low <= y) & (y <= high)), np.mean(high - low) / y.std()])
    return np.array(found)


def results(name: str) -> dict[str, Array]:
    """The mean of all shuffles, for every way to make intervals."""
    data = load_svmlight_file(str(path_of(SETS[name].files[0])))
    X, y = data[0].toarray(), data[1]
    every: dict[str, list[Array]] = {}
    for seed in range(FIRST, FIRST + SHUFFLES):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = np.split(order, [min(2 * len(y) // 3, CAP)])
        for way, learn in (("fit", fitted), ("stream", streamed)):
            model = learn(X[train], y[train], seed)
            for local in (True, False):

                def predict(rows: Array, coverage: float, model: KernelRegressor = model, local: bool = local) -> Array:
                    return model.predict_interval(rows, coverage, local=local)

                label = way if local else f"{way}, one width"
                every.setdefault(label, []).append(measured(predict, X[test], y[test]))
    return {way: np.mean(found, axis=0) for way, found in every.items()}


def main(names: list[str]) -> None:
    print("| set |", *(f"{coverage:.0%} |" for coverage in COVERAGES))
    print("|---|" + "---:|" * len(COVERAGES))
    for name in names or [each.name for each in SETS.values() if each.regression]:
        reason = lacking(SETS[name])
        if reason is not None:
            print(reason, file=sys.stderr)
            continue
        for way, found in results(name).items():
            cells = (f"{100.0 * inside:.1f}, {width:.2f} |" for inside, width in found)
            print(f"| {name}, {way} |", *cells, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
