"""One pass of a recipe over one shuffle of a data set."""

import time
from typing import NamedTuple

import numpy as np

from benchmarks.data import Dataset
from kernelstream import Model, Recipe, recipes
from kernelstream.datasets import gaussian_mixture
from kernelstream.kernels import Gaussian
from kernelstream.losses import CrammerSinger


class Outcome(NamedTuple):
    accuracy: float  #: on the test rows, in percent
    support: int
    microseconds: float  #: per training example


def one_pass(recipe: Recipe, data: Dataset, seed: int) -> Outcome:
    """Learn the training rows once, in the order that `seed` gives; test on the others."""
    classes, labels = np.unique(data.y_train, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(labels))
    signs = 2 * labels - 1
    y = (signs if recipe.loss.target == "signs" else labels)[order]
    model, microseconds = _learned(recipe, data.X_train[order], y, seed)
    f = model.scores_many(data.X_test)
    best = f.argmax(axis=1) if f.shape[1] > 1 else (f[:, 0] > 0.0).astype(int)
    return Outcome(100.0 * float(np.mean(classes[best] == data.y_test)), model.n_support, microseconds)


def mixture(seed: int) -> Outcome:
    """The POLK paper's experiment on the mixture of that seed: 5,000 rows to learn from, 2,500 to test on."""
    X, y = gaussian_mixture(5_000, seed=seed)
    X_test, y_test = gaussian_mixture(2_500, start=5_000, seed=seed)
    # the paper's bandwidth is a variance, σ² = 0.6
    recipe = recipes.polk(Gaussian(1.0 / (2.0 * 0.6)), CrammerSinger(), eta=6.0, lam=1e-6, parsimony=0.04, batch=32)
    model, microseconds = _learned(recipe, X, y, seed)
    right = model.scores_many(X_test).argmax(axis=1) == y_test
    return Outcome(100.0 * float(np.mean(right)), model.n_support, microseconds)


def _learned(recipe: Recipe, X: np.ndarray, y: np.ndarray, seed: int) -> tuple[Model, float]:
    def begin() -> Model:
        return Model.from_recipe(recipe, X, y, total=len(y), seed=seed)

    begin().learn_many(X[:2], y[:2])  # compiles
    model = begin()
    start = time.perf_counter()
    model.learn_many(X, y)
    return model, 1e6 * (time.perf_counter() - start) / len(y)
