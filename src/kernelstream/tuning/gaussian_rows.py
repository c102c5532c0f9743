"""Kernel values exp(−‖x − z‖²) and regularised least squares on them, by matrix products in float32."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

FARTHEST = 35.0  # squared distance: e^−35 is nothing, and smaller numbers are slow to compute with
JITTER = 1e-6  # of the penalty, per row


def gaussian_rows(X: np.ndarray, Z: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """κ(x, z) of all pairs; X and Z are float32."""
    # (x, ‖x‖², 1) · (2z, −1, −‖z‖²) = −‖x − z‖²: one product instead of passes over all pairs
    (rows, d), centres = X.shape, len(Z)
    left, right = np.ones((rows, d + 2), np.float32), np.full((centres, d + 2), -1.0, np.float32)
    left[:, :d], left[:, d] = X, np.square(X).sum(axis=1)
    right[:, :d], right[:, d + 1] = 2.0 * Z, -np.square(Z).sum(axis=1)
    found: np.ndarray = np.matmul(left, right.T, out=out)
    np.clip(found, -FARTHEST, 0.0, out=found)
    return np.exp(found, out=found)


def penalty(gram: np.ndarray, lam: float, rows: int) -> np.ndarray:
    """λNK, and a little on the diagonal."""
    found: np.ndarray = lam * rows * gram.astype(np.float64)
    found[np.diag_indices(len(found))] += JITTER * rows
    return found


class Factor:
    """Cholesky's factor of a matrix, whose diagonal grows until there is one."""

    def __init__(self, A: np.ndarray, jitter: float):
        while True:
            try:
                self._factor = cho_factor(A, check_finite=False)
                return
            except LinAlgError:
                A = A + jitter * np.eye(len(A))
                jitter *= 8.0

    def solve(self, right: np.ndarray) -> np.ndarray:
        found: np.ndarray = cho_solve(self._factor, right.astype(np.float64), check_finite=False)
        return found
