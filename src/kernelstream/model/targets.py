"""Targets in the form that a loss takes, checked before anything is learned."""

from typing import Any

import numpy as np

from ..core.inputs import REAL, as_numbers
from ..core.precision import LARGEST
from ..losses import Loss


def as_targets(y: Any) -> np.ndarray:
    """Targets as a 2-d float64 array, one row per example."""
    given = np.asarray(y)
    Y = np.ascontiguousarray(given if given.dtype.kind in REAL else as_numbers(given, "y"), np.float64)
    Y = Y[:, None] if Y.ndim == 1 else Y
    if Y.ndim != 2:
        raise ValueError(f"y must have one or two dimensions, not {Y.ndim}; the model is unchanged.")
    bad = np.argwhere(~(np.abs(Y) <= LARGEST))
    if len(bad):
        value = Y[tuple(bad[0])]
        wanted = f"a target of at most {LARGEST:g}: scale them" if np.isfinite(value) else "a finite target"
        raise ValueError(
            f"y contains {value} at row {bad[0][0]}. Every example needs {wanted}; the model is unchanged."
        )
    return Y if Y.flags.writeable else Y.copy()


def are_targets(Y: np.ndarray, loss: Loss, outputs: int) -> np.ndarray:
    """Which rows of Y are targets that the loss takes."""
    if loss.target == "signs":
        good = np.abs(Y) == 1.0
    elif loss.target == "class":
        good = (Y >= 0.0) & (outputs > Y) & (np.floor(Y) == Y)
    else:
        good = np.isfinite(Y)
    return good.all(axis=1) if Y.shape[1] > 1 else good[:, 0]


def check_targets(y: Any, loss: Loss, outputs: int) -> np.ndarray:
    """Targets as compiled code takes them, or a ValueError that names the row."""
    Y = as_targets(y)
    wanted = 1 if loss.target == "class" else outputs
    if Y.shape[1] != wanted:
        raise ValueError(
            f"y has {Y.shape[1]} columns, but {loss!r} with {outputs} outputs takes {wanted}; the model is unchanged."
        )
    bad = np.flatnonzero(~are_targets(Y, loss, outputs))
    if len(bad):
        allowed = "−1 or +1" if loss.target == "signs" else f"a class from 0 to {outputs - 1}"
        raise ValueError(
            f"y is {Y[bad[0]].tolist()} at row {bad[0]}; {loss!r} takes {allowed}. The model is unchanged."
        )
    return Y


def new_outputs(before: int, after: int, gap: float) -> np.ndarray:
    """New outputs as linear combinations of the old ones: each class keeps its own, a new one gets the mean, which is
    never the highest.

    >>> new_outputs(1, 3, gap=1.0).tolist()  # of two classes, the first is where the one score is negative
    [[-0.5], [0.5], [0.0]]
    """
    if before == after:
        return np.eye(before)
    old = np.array([[-0.5 * gap], [0.5 * gap]]) if before == 1 else np.eye(before)
    return np.concatenate([old, np.tile(old.mean(axis=0), (after - len(old), 1))])
