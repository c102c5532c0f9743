"""Predictions of a batch before it is learned, on two cores: reading leaves the second one idle most of the time."""

import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..model import BLOCK
from ..parallel import cores
from .learner import Estimator

_LEAST = 4 * BLOCK  # rows that are worth the trouble


@functools.cache
def _helper() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def predicted(estimator: Estimator, X: Any) -> np.ndarray:
    """What the estimator says of the rows. A half is of whole blocks, so that the digits are those of all at once."""
    rows = X.shape[0]
    if rows < _LEAST or cores() == 1:
        return estimator.predict(X)
    half = rows // (2 * BLOCK) * BLOCK
    later = _helper().submit(estimator.predict, X[half:])
    return np.concatenate([estimator.predict(X[:half]), later.result()])
