"""Breiman's waveform: three classes in 21 noisy features, with a known Bayes error."""

import numpy as np

from ..array_types import Floats, Labels
from .draws import choices, normals, uniforms

_i = np.arange(1, 22)
_H1 = np.maximum(6.0 - np.abs(_i - 11), 0.0)
_H2 = np.maximum(6.0 - np.abs(_i - 15), 0.0)
_H3 = np.maximum(6.0 - np.abs(_i - 7), 0.0)

WAVES = np.array([[_H1, _H2], [_H1, _H3], [_H2, _H3]])
"""The two base waves of each class, shape (3, 2, 21)."""


def waveform(n: int, *, start: int = 0, seed: int = 0) -> tuple[Floats, Labels]:
    """Random mixtures of two of three triangular waves, with unit noise on every feature.

    With h₁(i) = max(6 − |i − 11|, 0), h₂(i) = h₁(i − 4), h₃(i) = h₁(i + 4), i = 1 … 21, and u uniform on
    [0, 1), class c has x_i = u h_a(i) + (1 − u) h_b(i) + N(0, 1), where (a, b) is (1, 2), (1, 3), (2, 3)
    for c = 0, 1, 2. Classes are equally likely. The Bayes classifier has an accuracy of 86.8 %, and a linear
    model comes close to that.

    Parameters
    ----------
    n : int
        Rows to return.
    start : int, default=0
        First row: ``waveform(n, start=s)`` are the last n rows of ``waveform(s + n)``.
    seed : int, default=0
        Same seed, same stream.

    Returns
    -------
    X : float64 array of shape (n, 21)
    y : int64 array of shape (n,), 0, 1 or 2

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen & C. Stone, *Classification and Regression Trees*, 1984, pp. 49–55.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from kernelstream.datasets import waveform
    >>> X, y = waveform(5_000)
    >>> X_test, y_test = waveform(10_000, start=5_000)
    >>> print(f"{LogisticRegression(max_iter=1_000).fit(X, y).score(X_test, y_test):.2f}")
    0.87
    """
    u = uniforms(n, 23, start=start, seed=seed)
    y = choices(u[:, 0], 3)
    weight = u[:, 1:2]
    X = weight * WAVES[y, 0] + (1.0 - weight) * WAVES[y, 1] + normals(u[:, 2:])
    return X, y
