"""Compile recipes ahead of time: the result is cached on disk, and a first fit then starts at once."""

import time
from collections.abc import Iterable, Iterator
from inspect import signature
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..core.precision import DEFAULT
from ..recipes import RECIPES
from . import KernelClassifier, KernelRegressor

REGRESSORS = {"krls"}  # the others learn labels


class Warmed(NamedTuple):
    algorithm: str
    seconds: float


def warmup(
    algorithms: Iterable[str] = (),
    *,
    features: int = 10,
    classes: int = 2,
    budget: int | None = None,
    dtype: str = DEFAULT,
    sparse: bool = False,
) -> Iterator[Warmed]:
    """Compile learning and prediction for data of this kind, one recipe after the other.

    Without names, all recipes are compiled, or with a budget all that have one.

    What is compiled depends on whether there are more than two classes, on the dtype, on sparse or dense rows, and,
    where both are large, on the number of features and the budget. Values of parameters do not matter.

    >>> [done.algorithm for done in warmup(["perceptron"])]
    ['perceptron']
    """
    suitable = [name for name, recipe in RECIPES.items() if budget is None or "budget" in signature(recipe).parameters]
    names = list(algorithms) or suitable
    for name in names:
        RECIPES.find(name)  # or says that it is not one
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4 * classes, features)), np.arange(4 * classes) % classes
    rows = csr_matrix(X) if sparse else X
    for name in names:
        start = time.perf_counter()
        kind = KernelRegressor if name in REGRESSORS else KernelClassifier
        if classes > 2 and kind is KernelClassifier and not kind(name).__sklearn_tags__().classifier_tags.multi_class:
            continue
        kind(name, budget=budget, dtype=dtype, epochs=1).fit(rows, y).predict(rows)
        yield Warmed(name, time.perf_counter() - start)
