"""Sums over rows that the refit asks for. Rows may lie in several places: what each adds up is added up again."""

from typing import Any

import numpy as np

from .statistics import Statistics


def losses(fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray) -> tuple[float, np.ndarray]:
    """The sum of losses of coefficients a on rows, and its gradient."""
    K, slopes, total = _slopes(fit, X, Y, w, a)
    return total, K.T @ slopes


def losses_in_places(
    fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The same, and what the gradient in the places of the support vectors is made of."""
    K, slopes, total = _slopes(fit, X, Y, w, a)
    W = (slopes @ a.astype(K.dtype).T) * K
    return total, K.T @ slopes, np.asarray(W.T @ X.astype(K.dtype)), W.sum(axis=0)


def _slopes(
    fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    K, T = fit.rows(X), fit.smooth.targets(Y, len(fit.own.coef))
    found, slopes = fit.smooth.loss(K @ a.astype(K.dtype), T.astype(K.dtype, copy=False))
    return K, (w[:, None] * slopes).astype(K.dtype), float(w @ found)
