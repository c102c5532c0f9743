"""Rows with two relevant features of eight, and estimators that are quick to fit."""

import numpy as np

from kernelstream import KernelClassifier, KernelRegressor


def eight(n=1000, seed=0, classes=2):
    """Labels that depend on the first two features only."""
    X = np.random.default_rng(seed).normal(size=(n, 8))
    signal = np.sin(2.5 * X[:, 0]) * np.cos(1.5 * X[:, 1])
    return X, np.digitize(signal, [0.0] if classes == 2 else [-0.3, 0.3])


def numbers(n=1000, seed=0):
    """The same for a regression, in units far from 1."""
    X, _ = eight(n, seed)
    return X, 5000.0 + 100.0 * np.sin(2.0 * X[:, 0]) * X[:, 1]


def classifier(**more):
    return KernelClassifier(**{"budget": 60, "random_state": 0} | more)


def regressor(**more):
    return KernelRegressor(**{"budget": 60, "random_state": 0} | more)


KINDS = {
    "two classes": (classifier, eight),
    "three classes": (classifier, lambda n=1000, seed=0: eight(n, seed, 3)),
    "numbers": (regressor, numbers),
}


def fitted(kind, **more):
    make, data = KINDS[kind]
    return make(**more).fit(*data())
