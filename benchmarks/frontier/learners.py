"""The default and what it is measured against: the same pass without its refit, and the same in a stream."""

import numpy as np

from benchmarks.data import Dataset
from kernelstream import KernelClassifier, Recipe, recipes
from kernelstream.kernels import Gaussian
from kernelstream.output import Last

BATCH = 1000  # rows of one call of partial_fit


def default(data: Dataset, budget: int, seed: int) -> KernelClassifier:
    return KernelClassifier(gamma=data.gamma, lam=data.lam, budget=budget, epochs=1, random_state=seed)


def default_recipe(data: Dataset, budget: int) -> Recipe:
    """What `default` cooks."""
    return recipes.default(Gaussian(data.gamma), lam=data.lam, budget=budget)


def cooked(recipe: Recipe, seed: int) -> KernelClassifier:
    """A classifier that makes one pass of a recipe; with more than two classes its hinge is Crammer and Singer's."""
    return KernelClassifier(recipe, epochs=1, random_state=seed)


def merging(data: Dataset, budget: int, seed: int) -> KernelClassifier:
    return cooked(default_recipe(data, budget).replace(output=Last()), seed)


def learned(model: KernelClassifier, data: Dataset) -> float:
    """Fit; accuracy on the test rows, in percent."""
    return 100.0 * float(model.fit(data.X_train, data.y_train).score(data.X_test, data.y_test))


def streamed(model: KernelClassifier, data: Dataset, seed: int) -> float:
    """One pass of `partial_fit`, each row seen once and forgotten; accuracy on the test rows, in percent."""
    order, classes = np.random.default_rng(seed).permutation(len(data.y_train)), np.unique(data.y_train)
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        model.partial_fit(data.X_train[rows], data.y_train[rows], classes=classes)
    return 100.0 * float(model.score(data.X_test, data.y_test))
