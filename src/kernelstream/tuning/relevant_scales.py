"""Scales by relevance: the diagonal of the average gradient outer product (Radhakrishnan et al., Science 2024)."""

import numpy as np

from .folds import Fold
from .gaussian_rows import gaussian_rows
from .judging import FindSupport, fitted
from .losses_of_task import TunedTask

ROWS = 1000  # over which gradients are averaged
LEAST = 1e-3  # relevance of a feature, relative to the root mean square


def relevant_scales(
    task: TunedTask, A: np.ndarray, T: np.ndarray, theta: np.ndarray, fold: Fold, find: FindSupport, lam: float, d: int
) -> np.ndarray:
    """The log-scales theta plus the logarithm of the root mean square of the gradient of the function that they give,
    in the first d columns."""
    X = A[fold.learned] * np.exp(theta).astype(np.float32)
    Z = np.asarray(find(X, fold.learned), np.float32)
    _, a = next(fitted(task, X, T[fold.learned], Z, [lam]))
    some = X[:ROWS]
    K, total = gaussian_rows(some, Z), np.zeros(X.shape[1])
    for c in range(a.shape[1]):
        W = K * a[:, c]
        total += np.square(W.sum(axis=1)[:, None] * some - W @ Z, dtype=np.float64).sum(axis=0)
    slopes = np.sqrt(total[:d])
    found = theta.copy()
    found[:d] += np.log(np.maximum(slopes / np.sqrt(np.square(slopes).mean() + 1e-300), LEAST))
    return found
