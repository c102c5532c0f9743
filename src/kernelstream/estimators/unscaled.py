"""A warning about features in different units, which one width of a kernel cannot suit."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from ..core.warning import warn_caller
from ..model.certificates.base import number

RATIO = 100.0  # of standard deviations, from which on there is a warning
LEAST = 100  # rows, for the deviations to mean something
SEEN = 10_000  # rows that are looked at


def farthest_apart(X: np.ndarray) -> tuple[int, int, float, float] | None:
    """The feature with the largest standard deviation, one with a small one, and both deviations, if they differ too
    much. The small one is at the lower quartile: a few features that hardly vary, such as pixels at the edge of a
    picture, need not be in other units. Features with at most two values, such as one-hot columns, do not count.

    >>> rows = np.random.default_rng(0).normal(size=(500, 3)) * [1.0, 1000.0, 2.0]
    >>> farthest_apart(rows)[:2], farthest_apart(rows[:, [0, 2]])
    ((1, 0), None)
    """
    X = np.asarray(X[:: max(-(-len(X) // SEEN), 1)], np.float64)
    low, high = X.min(axis=0), X.max(axis=0)
    several = np.flatnonzero(((low != X) & (high != X)).any(axis=0))
    if len(several) < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        spread = X[:, several].std(axis=0)
    order = np.argsort(spread, kind="stable")
    most, least = int(order[-1]), int(order[(len(order) - 1) // 4])
    if not spread[most] > RATIO * spread[least] > 0.0:
        return None
    return int(several[most]), int(several[least]), float(spread[most]), float(spread[least])


def warn_if_unscaled(X: Any, names: Any, estimator: str, least: int = LEAST) -> None:
    """A UserWarning that names two features and says what to do. Sparse rows are never scaled, so they are left out."""
    found = None if issparse(X) or X.shape[0] < least else farthest_apart(X)
    if found is None:
        return
    wide, narrow = (f"{k}" if names is None else f"{names[k]!r}" for k in found[:2])
    warn_caller(
        f"Feature {wide} has a standard deviation of {number(found[2])}, and feature {narrow} one of "
        f"{number(found[3])}, so the kernel hardly sees feature {narrow}. Scale the features: "
        f"make_pipeline(StandardScaler(), {estimator}(…)). Or leave algorithm, kernel, gamma and tune at their "
        "defaults, and `fit` chooses scales. Or set scale=None if these units are meant."
    )
