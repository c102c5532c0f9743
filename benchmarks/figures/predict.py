"""Predictions, against the matrix product that they contain and against SVC's.

Scores of N rows need X S, S being the support vectors as columns: the library's sgemm is the reference. It works on
blocks of rows, as memory demands of anyone.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.svm import SVC

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.clusters import as_signs, clusters
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model

FEATURES, BUDGET, GAMMA = 54, 2000, 2.0
BLOCK = 256  # rows of X at a time: a block of the product stays in the cache


def sgemm(X: np.ndarray, S: np.ndarray, out: np.ndarray) -> None:
    """X S, block by block, into one block."""
    for start in range(0, len(X), len(out)):
        rows = X[start : start + len(out)]
        np.matmul(rows, S, out=out[: len(rows)])


def sgemm_seconds(X: np.ndarray, S: np.ndarray) -> float:
    return seconds(sgemm, X, S, np.empty((BLOCK, S.shape[1]), np.float32))


def full_model(budget: int, features: int, seed: int = 0) -> Model:
    """A model with as many support vectors as it may have, since nobody can learn its labels."""
    X, _ = clusters(3 * budget, features, seed=seed)
    y = as_signs(np.random.default_rng(seed).integers(2, size=len(X)))
    return Model.from_recipe(merging(GAMMA, 1e-5, budget), X, y).learn_many(X, y)


def against_sgemm(run: Run) -> Iterator[Result]:
    model = full_model(BUDGET, FEATURES)
    n = run.choose(100_000, 20_000)
    X, _ = clusters(n, FEATURES, seed=1)
    S = np.ascontiguousarray(model.function.support_vectors.T.astype(np.float32))
    run.tell("sgemm and predictions, in turn")
    sides = {"ours": lambda: seconds(model.scores_many, X), "sgemm": lambda: sgemm_seconds(X, S)}
    times = in_turn(sides, run.choose(7, 3))
    yield Result(
        f"sgemm against predict, B={model.n_support} d={FEATURES}", per_row(times["ours"], n),
        per_row(times["sgemm"], n), "µs", ratio(times["sgemm"], times["ours"]), Bar(low=0.4), details={"rows": n},
    )  # fmt: skip


def against_svc(run: Run) -> Iterator[Result]:
    X, _ = clusters(BUDGET, FEATURES)
    svc = SVC(gamma=GAMMA, C=1.0).fit(X, np.random.default_rng(0).integers(2, size=len(X)))
    model = full_model(int(svc.n_support_.sum()), FEATURES)
    n = run.choose(10_000, 2_000)
    X, _ = clusters(n, FEATURES, seed=1)
    run.tell("SVC and predictions, in turn")
    sides = {"ours": lambda: seconds(model.scores_many, X), "svc": lambda: seconds(svc.predict, X)}
    times = in_turn(sides, run.choose(7, 3))
    yield Result(
        f"predict against SVC's, B={model.n_support} d={FEATURES}", per_row(times["ours"], n),
        per_row(times["svc"], n), "µs", ratio(times["svc"], times["ours"]), Bar(low=10.0), details={"rows": n},
    )  # fmt: skip


FIGURES = (
    Figure("predict", "predictions against the sgemm that they contain", against_sgemm),
    Figure("svc", "predictions against those of scikit-learn's SVC with as many support vectors", against_svc),
)
