"""What is learned: labels as small integers, or numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pair = tuple[NDArray[Any], NDArray[Any]]


def classes(train: NDArray[Any], test: NDArray[Any]) -> Pair:
    """−1 for the smaller and +1 for the larger of two labels; 0 to c − 1 if there are more."""
    labels = np.unique(np.concatenate([train, test]))
    if len(labels) <= 2:
        return against_rest(labels[-1])(train, test)
    return np.searchsorted(labels, train), np.searchsorted(labels, test)


def against_rest(positive: int) -> Callable[[NDArray[Any], NDArray[Any]], Pair]:
    """+1 for one label, −1 for all others."""
    return lambda train, test: (np.where(train == positive, 1, -1), np.where(test == positive, 1, -1))


def standard(train: NDArray[Any], test: NDArray[Any]) -> Pair:
    """Numbers, brought to mean 0 and deviation 1 by the rows to learn from."""
    mean, deviation = train.mean(), train.std()
    return (train - mean) / deviation, (test - mean) / deviation
