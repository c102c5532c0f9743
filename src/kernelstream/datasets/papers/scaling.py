"""How features are scaled: by the rows to learn from, in double precision, and then kept in single."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._types import Floats
from .rows import BLOCK

Pair = tuple[NDArray[np.float32], NDArray[np.float32]]


def as_they_are(train: NDArray[Any], test: NDArray[Any]) -> Pair:
    return np.ascontiguousarray(train, np.float32), np.ascontiguousarray(test, np.float32)


def standard(train: NDArray[Any], test: NDArray[Any]) -> Pair:
    """Mean 0 and deviation 1; a feature that never varies becomes 0."""
    mean = _mean(train, np.zeros(train.shape[1]), 1)
    return _moved(train, test, mean, np.sqrt(_mean(train, mean, 2)))


def unit(train: NDArray[Any], test: NDArray[Any]) -> Pair:
    """From 0 to 1; rows to test on may lie beyond."""
    low, high = train.min(axis=0).astype(np.float64), train.max(axis=0)
    return _moved(train, test, low, high - low)


def _mean(X: NDArray[Any], centre: Floats, power: int) -> Floats:
    """Of powers of the distance from a centre; block by block, so that millions of rows are not copied."""
    blocks = (X[start : start + BLOCK] - centre for start in range(0, len(X), BLOCK))
    return np.sum([(block**power).sum(axis=0) for block in blocks], axis=0) / len(X)


def _moved(train: NDArray[Any], test: NDArray[Any], origin: Floats, length: Floats) -> Pair:
    length = np.where(length > 0, length, 1.0)
    return _scaled(train, origin, length), _scaled(test, origin, length)


def _scaled(X: NDArray[Any], origin: Floats, length: Floats) -> NDArray[np.float32]:
    result = np.empty(X.shape, np.float32)
    for start in range(0, len(X), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = (X[block] - origin) / length
    return result
