"""Transforms of features and targets: scales are computed on the training rows, in double precision."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..array_types import Floats

BLOCK = 65_536  # rows processed at a time, so that millions of rows are not copied
FeaturePair = tuple[NDArray[np.float32], NDArray[np.float32]]
TargetPair = tuple[NDArray[Any], NDArray[Any]]
Scaler = Callable[[NDArray[Any], NDArray[Any]], FeaturePair]
TargetTransform = Callable[[NDArray[Any], NDArray[Any]], TargetPair]


def unscaled(train: NDArray[Any], test: NDArray[Any]) -> FeaturePair:
    return np.ascontiguousarray(train, np.float32), np.ascontiguousarray(test, np.float32)


def standardize(train: NDArray[Any], test: NDArray[Any]) -> FeaturePair:
    """Mean 0 and standard deviation 1; a constant feature becomes 0."""
    mean = _mean(train, np.zeros(train.shape[1]), 1)
    return _scaled_pair(train, test, mean, np.sqrt(_mean(train, mean, 2)))


def scale_to_unit(train: NDArray[Any], test: NDArray[Any]) -> FeaturePair:
    """To [0, 1]; values of test rows may lie outside."""
    low, high = train.min(axis=0).astype(np.float64), train.max(axis=0)
    return _scaled_pair(train, test, low, high - low)


def _mean(X: NDArray[Any], centre: Floats, power: int) -> Floats:
    """The mean of a power of the distance from a centre, block by block."""
    blocks = (X[start : start + BLOCK] - centre for start in range(0, len(X), BLOCK))
    return np.sum([(block**power).sum(axis=0) for block in blocks], axis=0) / len(X)


def _scaled_pair(train: NDArray[Any], test: NDArray[Any], origin: Floats, length: Floats) -> FeaturePair:
    length = np.where(length > 0, length, 1.0)
    return _scaled(train, origin, length), _scaled(test, origin, length)


def _scaled(X: NDArray[Any], origin: Floats, length: Floats) -> NDArray[np.float32]:
    result = np.empty(X.shape, np.float32)
    for start in range(0, len(X), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = (X[block] - origin) / length
    return result


def class_labels(train: NDArray[Any], test: NDArray[Any]) -> TargetPair:
    """−1 for the smaller and +1 for the larger of two labels; 0 to c − 1 for more classes."""
    labels = np.unique(np.concatenate([train, test]))
    if len(labels) <= 2:
        return one_against_rest(labels[-1])(train, test)
    return np.searchsorted(labels, train), np.searchsorted(labels, test)


def one_against_rest(positive: int) -> TargetTransform:
    """+1 for one label, −1 for all others."""
    return lambda train, test: (np.where(train == positive, 1, -1), np.where(test == positive, 1, -1))


def standardize_targets(train: NDArray[Any], test: NDArray[Any]) -> TargetPair:
    """Mean 0 and standard deviation 1 on the training rows."""
    mean, deviation = train.mean(), train.std()
    return (train - mean) / deviation, (test - mean) / deviation
