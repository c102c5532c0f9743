"""How fast the objective of the scales bends: what turns its gradient into steps of the right length.

With f = K a and D = ∂f/∂θ at fixed a, the Gauss–Newton matrix in the log-scales is Dᵀ(I − Q)D, where Q projects on the
kernel values: what other coefficients make good bends nothing (Kaufman, BIT 1975). Of many columns only its diagonal is
used. For the position of a centre, the number ‖a_b‖² Σ_i ‖∂κ(x_i, z_b)/∂z_b‖² / columns serves all columns.
"""

from typing import TYPE_CHECKING

import numpy as np

from .blocks import kernel_matrix, normal_matrix
from .gaussian_rows import JITTER, Factor, gaussian_rows, penalty

if TYPE_CHECKING:
    from .descent import Descent

ROWS = 2_000  # that are enough to measure it
PROBES = 3  # of the outputs of several classes: sums with random signs
LEAST = 0.3  # eigenvalue, in parts of the largest
WIDEST = 320  # columns: with more, only the diagonal is used
TINY = 1e-12
F32 = np.float32


class Curvature:
    """The curvature at the latest point of a descent, which `measure` brings up to date."""

    def __init__(self, descent: "Descent") -> None:
        some = np.linspace(0, len(descent.X) - 1, min(ROWS, len(descent.X))).astype(np.int64)
        self.descent, self.X, self.T = descent, descent.X[some], descent.T[some]

    def measure(self, point: np.ndarray) -> None:
        descent, rows, columns = self.descent, len(self.X), self.X.shape[1]
        scales, Z = descent.parts(point)
        X, Z, a = self.X * scales, Z * scales, descent.a
        K = kernel_matrix(X, Z)
        short = (self.T * (K @ a) < 1.0).any(axis=1) if descent.task.hinge else np.ones(rows, bool)
        if short.any():  # else there is nothing left to learn from these rows, and all of them tell the units at least
            X, K = X[short], K[short]
        factor = Factor(normal_matrix(K) + penalty(gaussian_rows(Z, Z), descent.lam, rows), JITTER * rows)
        powers, probes = np.hstack([np.ones_like(Z[:, :1]), Z, np.square(Z)]), _probes(a)
        bends: np.ndarray | float = 0.0
        for probe in probes:
            none, first, second = np.split(K @ (probe[:, None] * powers), [1, columns + 1], axis=1)
            D = 2.0 * (np.square(X) * none - 2.0 * X * first + second)  # 2 Σ_b a_b κ_ib (x_ij − z_bj)²
            KD = K.T @ D
            bends = bends + _products(D, D) - _products(KD, factor.solve(KD))
        self.values, self.vectors = _eigen(np.asarray(bends) / (rows * len(probes)))
        # ‖∂κ/∂z‖² = 4 κ² ‖x − z‖² = −4 κ² ln κ
        drawn = -4.0 * np.einsum("ib,ib->b", np.square(K), np.log(np.maximum(K, TINY)))
        drawn *= np.square(a).sum(axis=1) / (columns * rows)
        drawn = np.maximum(drawn, max(float(drawn.mean()), TINY))
        self.centres = (drawn[:, None] * np.square(scales, dtype=np.float64)).ravel()[: len(point) - columns]

    def __call__(self, column: np.ndarray) -> np.ndarray:
        """The inverse, applied to a column of log-scales and centres."""
        theta, centres = np.split(column, [len(self.values)])
        if self.vectors is None:
            theta = theta / self.values[:, None]
        else:
            theta = self.vectors @ ((self.vectors.T @ theta) / self.values[:, None])
        return np.concatenate([theta, centres / self.centres[:, None]])


def _products(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """AᵀB, or its diagonal where there are many columns."""
    if A.shape[1] > WIDEST:
        return np.einsum("ij,ij->j", A, B, dtype=np.float64)
    found: np.ndarray = A.T @ B
    return found


def _eigen(bends: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Eigenvalues, which are not too small, and eigenvectors; None are those of a diagonal."""
    values, vectors = (bends, None) if bends.ndim == 1 else np.linalg.eigh(bends)
    return np.maximum(values, LEAST * max(values.max(), TINY)), vectors


def _probes(a: np.ndarray) -> list[np.ndarray]:
    """The coefficients of one output, or sums of those of several with random signs."""
    if a.shape[1] == 1:
        return [a[:, 0]]
    signs = np.random.default_rng(0).choice(np.array([-1.0, 1.0], F32), (a.shape[1], PROBES))
    return list((a @ signs).T)
