"""Small tasks, and estimators whose compositions the check suite compiles anyway."""

import numpy as np

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.datasets import checkerboard, waveform


def two_classes(n=600, seed=0):
    X, y = checkerboard(n, seed=seed)
    return X, np.where(y > 0, "white", "black")


def three_classes(n=600, seed=0):
    X, y = waveform(n, seed=seed)
    return X, np.array(["a", "b", "c"])[np.unique(y, return_inverse=True)[1]]


def curve(n=600, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 2))
    return X, 1000 + 50 * np.sin(X[:, 0]) + 10 * X[:, 1]


def classifier(**changes):
    return KernelClassifier(**{"gamma": 4.0, "budget": 40, "random_state": 0} | changes)


def plain(**changes):
    """Without a refit: nothing but the recipe's own steps."""
    return classifier(**{"algorithm": "bsgd"} | changes)


def regressor(**changes):
    return KernelRegressor(**{"gamma": 0.5, "budget": 40, "random_state": 0} | changes)


def same(a, b, X):
    """Assert that two classifiers are one and the same function, and have come to it by as many updates."""
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    np.testing.assert_array_equal(a.support_vectors_, b.support_vectors_)
    assert a.t_ == b.t_
