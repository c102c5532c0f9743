"""Copies of a model that learn separately and are merged again."""

import copy
from typing import TypeVar

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..model import Model
from ..model.counters import split_counters

M = TypeVar("M", Model, KernelClassifier, KernelRegressor)


def split(model: M, parts: int, index: int, seed: int | None = None) -> M:
    """Copy number `index` of `parts`, to learn on separately until all copies are merged again.

    Its counters are 1/`parts` of the model's, so that `merge`, which adds counters, counts nothing twice. Decreasing
    steps are then as long as they should be for the examples one copy learns: with steps 1/(λt), learning on all
    copies and merging gives every example, old or new, the same weight. `seed` is the random seed of the copy.

    Parameters
    ----------
    model : KernelClassifier, KernelRegressor or Model
        The model to copy; it stays as it is.
    parts : int
        The number of copies.
    index : int
        The number of this copy, from 0.
    seed : int or None, default None
        Random seed of the copy; None continues that of the model.

    Examples
    --------
    >>> from kernelstream import KernelClassifier, merge
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.merging import split
    >>> X, y = checkerboard(4000, seed=0)
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0).initialize(X, y)
    >>> for _ in range(2):
    ...     learned = [split(model, 4, i, seed=i).partial_fit(X[i::4], y[i::4]) for i in range(4)]
    ...     model = merge(learned).model
    >>> model.record_.examples
    8000
    """
    if not (isinstance(parts, (int, np.integer)) and parts >= 1 and 0 <= index < parts):
        raise ValueError(f"split: index is {index!r} of {parts!r} parts; it must be from 0 to the number of parts − 1.")
    if not isinstance(model, Model):
        estimator = copy.copy(model)
        estimator.model_ = split(model_of(model), parts, index, seed)
        return estimator
    new = model.copy()
    split_counters(new.state.run, parts, index)
    if seed is not None:
        new.state.run.rng[0] = np.uint64(seed % 2**64)
    return new
