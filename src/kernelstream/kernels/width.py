"""Kernel widths chosen from the first rows of a stream."""

from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import pdist

from ..core.strategy import Facts

RULES = ("scale", "auto")
_ROWS = 1000  # enough pairs for a percentile
# Outside, gamma would be 0 or infinite in float32, and infinity times a distance of 0 is NaN.
SMALLEST, LARGEST = 1e-36, 1e36


def _distances(X: Any) -> np.ndarray:
    """Distances between all pairs of rows; sparse rows stay sparse."""
    if not issparse(X):
        return pdist(np.asarray(X, np.float64))
    X = X.astype(np.float64)
    squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    between = squares[:, None] + squares - 2.0 * (X @ X.T).toarray()
    return np.sqrt(np.maximum(between[np.triu_indices(X.shape[0], 1)], 0.0))


def check_gamma(kernel: Any) -> None:
    if kernel.gamma not in RULES if isinstance(kernel.gamma, str) else not SMALLEST <= kernel.gamma <= LARGEST:
        raise ValueError(
            f"{type(kernel).__name__}: gamma must be a number from {SMALLEST:g} to {LARGEST:g}, 'scale' or 'auto', not "
            f"{kernel.gamma!r}. Scale the features instead."
        )


def check_length(kernel: Any) -> None:
    """The same limits for kernels with a length ℓ, which divide squared distances by ℓ²."""
    if not SMALLEST <= kernel.length * kernel.length <= LARGEST:
        raise ValueError(
            f"{type(kernel).__name__}: length must be a number from {SMALLEST**0.5:g} to {LARGEST**0.5:g}, not "
            f"{kernel.length!r}. Scale the features instead."
        )


def resolve_gamma(kernel: Any, facts: Facts) -> Any:
    """The kernel with a numeric gamma.

    "scale": 1 / (features × variance of the data), as in scikit-learn. "auto": 1/(2σ²) with σ the 20th percentile of
    the distances between pairs of rows (Zhang et al., ICML 2013).
    """
    if not isinstance(kernel.gamma, str):
        return kernel
    X = facts.X
    if kernel.gamma == "auto" and X.shape[0] > _ROWS:
        X = X[np.linspace(0, X.shape[0] - 1, _ROWS).astype(np.intp)]  # evenly spaced, because rows may be sorted
    gamma = 0.0
    if kernel.gamma == "auto" and X.shape[0] > 1:
        distances = _distances(X)
        distances = distances[distances > 0]
        gamma = 1.0 / (2.0 * np.percentile(distances, 20) ** 2) if distances.size else 0.0
    elif kernel.gamma == "scale":
        if issparse(X):
            data = X.astype(np.float64)
            variance = data.multiply(data).mean() - data.mean() ** 2
        else:
            variance = np.asarray(X, np.float64).var()
        gamma = 1.0 / (facts.features * variance) if variance > 0 else 0.0
    # a single row, or equal rows, do not determine a width
    return kernel.replace(gamma=min(gamma, LARGEST) if 0.0 < gamma < np.inf else 1.0 / facts.features)
