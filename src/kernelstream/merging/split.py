"""A model that goes out to several places, to be merged again."""

import copy
from typing import TypeVar

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..model import Model
from .run import divide_run

M = TypeVar("M", Model, KernelClassifier, KernelRegressor)


def split(model: M, parts: int, index: int, seed: int | None = None) -> M:
    """A copy for place `index` of `parts`, which goes on learning there until all are merged again.

    Its counters are the part-th of the model's, so that `merge`, which adds, counts nothing twice, and steps that
    shrink with time are as long as the examples that the place will have learned ask for: with steps 1/(λt), learning
    in all places and merging gives every example, old or new, the same weight. With a seed, its coins are its own.

    >>> from kernelstream import KernelClassifier, merge
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.merging import split
    >>> X, y = checkerboard(4000, seed=0)
    >>> begun = KernelClassifier(gamma=4.0, budget=50, random_state=0).initialize(X, y)
    >>> for _ in range(2):
    ...     learned = [split(begun, 4, i, seed=i).partial_fit(X[i::4], y[i::4]) for i in range(4)]
    ...     begun = merge(learned).model
    >>> begun.record_.examples
    8000
    """
    if not (isinstance(parts, (int, np.integer)) and parts >= 1 and 0 <= index < parts):
        raise ValueError(f"split: index is {index!r} of {parts!r} parts; it goes from 0 to the number of parts − 1.")
    if not isinstance(model, Model):
        estimator = copy.copy(model)
        estimator.model_ = split(model_of(model), parts, index, seed)
        return estimator
    new = model.copy()
    divide_run(new.state.run, parts, index)
    if seed is not None:
        new.state.run.rng[0] = np.uint64(seed % 2**64)
    return new
