"""Columns that are narrowed before the descent, against the definition of the loss and on targets that oscillate."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.tuning.gaussian_rows import JITTER
from kernelstream.tuning.narrowing import MOST, STEPS, WIDEST, Distances, narrowed

LAM = 1e-4


def rows(n=2500, features=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, features)).astype(np.float32)


def column(values):
    return np.asarray(values, np.float32)[:, None]


def wide(features):
    return np.full(features, -0.5 * np.log(features))


def test_only_the_column_that_oscillates_is_narrowed():
    X = rows()
    theta = wide(4)
    found = narrowed(X, column(np.sin(8.0 * X[:, 2])), theta, LAM)
    assert (found[[0, 1, 3]] == theta[[0, 1, 3]]).all()
    assert min(STEPS) <= found[2] - theta[2] <= MOST * max(STEPS)


@pytest.mark.parametrize("target", [lambda X: X @ np.arange(4.0), lambda X: np.zeros(len(X))])
def test_nothing_is_narrowed_without_a_reason(target):
    X, theta = rows(), wide(4)
    assert (narrowed(X, column(target(X)), theta, LAM) == theta).all()


def test_too_few_rows_or_too_many_columns_are_left_alone():
    assert (narrowed(rows(1), column([1.0]), wide(4), LAM) == wide(4)).all()
    X = rows(200, WIDEST + 1)
    theta = wide(WIDEST + 1)
    assert (narrowed(X, column(np.sin(8.0 * X[:, 0])), theta, LAM) == theta).all()


def test_the_loss_is_that_of_ridge_regression_with_other_scales():
    X, held = rows(300), rows(100, seed=1)
    T, Th = column(np.sin(3.0 * X[:, 1])), column(np.sin(3.0 * held[:, 1]))
    theta, step = wide(4), STEPS[0]
    trial = Distances(X, T, held, Th, theta, LAM)
    found = trial.loss(trial.narrower(1, step))
    scales = np.exp(theta + step * (np.arange(4) == 1))

    def kernel(A, B):
        apart = (A * scales)[:, None].astype(float) - (B * scales)[None]
        return np.exp(-np.square(apart).sum(axis=2))

    Z = trial.parts[2]
    K = kernel(X, Z)
    P = LAM * len(X) * kernel(Z, Z) + JITTER * len(X) * np.eye(len(Z))
    a = np.linalg.solve(K.T @ K + P, K.T @ T)
    assert found == pytest.approx(np.square(kernel(held, Z) @ a - Th).mean(), rel=1e-3)
    # taken, it is the scale that the next ones are compared with
    trial.take(1, step, trial.narrower(1, step))
    assert trial.loss(trial.here) == pytest.approx(found, rel=1e-5)


def test_fit_learns_targets_that_oscillate():
    X = np.random.default_rng(0).normal(size=(3000, 3))
    y = np.sin(10.0 * X[:, 0]) > 0.0
    assert KernelClassifier(random_state=0).fit(X[:2000], y[:2000]).score(X[2000:], y[2000:]) > 0.97
    X = np.random.default_rng(1).uniform(-1.0, 1.0, size=(2000, 6))
    t = np.sin(9.0 * X[:, 0]) + np.sin(3.0 * X[:, 1]) * X[:, 2]
    assert KernelRegressor(random_state=0).fit(X[:1000], t[:1000]).score(X[1000:], t[1000:]) > 0.9
