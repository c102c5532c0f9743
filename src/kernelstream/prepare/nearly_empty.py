"""Columns of numbers that are nearly empty, and say nothing about the target where they are not."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import norm

from .column_facts import ColumnFacts

EMPTY = 0.95  # share of missing values
_LEAST = 200  # rows
_CHANCE = 0.01  # of a column that says nothing to be used all the same
_SIGMAS = 2.0  # by which many columns together may say more than chance explains


def says_nothing(column: ColumnFacts, target: np.ndarray) -> bool:
    """Whether a column of numbers is nearly empty and neither the target's mean where it has a value, nor how the
    target goes with that value, up or down or both ways from the middle, differs from what chance explains.

    `target` is (rows, outputs): 0 and 1 for every class, or a number; NaN where it is missing.
    """
    if column.values is None or not 0 < column.present < (1.0 - EMPTY) * column.rows or column.rows < _LEAST:
        return False
    z = np.abs(_evidence(column, target))
    return bool(z.max() < norm.isf(_CHANCE / (2.0 * len(z))))


def say_nothing(columns: Sequence[ColumnFacts], target: np.ndarray) -> bool:
    """Whether columns that say nothing each, by chance perhaps, do so together: each of hundreds may say a little."""
    squares = [float(np.square(_evidence(column, target)).mean()) for column in columns]
    return float(np.mean(squares)) <= 1.0 + _SIGMAS * np.sqrt(2.0 / len(squares))


def _evidence(column: ColumnFacts, target: np.ndarray) -> np.ndarray:
    """For each output and question the deviation from what is expected, in standard deviations."""
    known = np.isfinite(target).all(axis=1)
    rows = target[known]
    T = (rows - rows.mean(axis=0)) / np.maximum(rows.std(axis=0), 1e-300)
    present = column.codes[known] >= 0
    count = int(present.sum())
    if count == 0:
        return np.zeros(1)
    tests = [np.sqrt(count) * T[present].mean(axis=0)]
    ranks = column.codes[known][present].astype(np.float64)  # levels ascend
    for values in (ranks, np.abs(ranks - np.median(ranks))):
        spread = values.std()
        if count > 2 and spread > 0.0:
            own = T[present] - T[present].mean(axis=0)
            tests.append(((values - values.mean()) / spread) @ own / np.sqrt(count))
    return np.concatenate(tests)
