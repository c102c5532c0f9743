"""Linear systems with a Gram matrix of any rank."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve


class Solver:
    """(A + εI)⁻¹ for a symmetric A that is positive semi-definite up to rounding.

    Support vectors that nearly coincide make A singular, and rounding may give it negative eigenvalues. ε starts at the
    rounding of one entry and grows until Cholesky's method succeeds.
    """

    def __init__(self, A: np.ndarray, precision: float = np.finfo(np.float64).eps) -> None:
        n = len(A)
        jitter = precision * max(float(np.trace(A)) / max(n, 1), 1e-300)
        while True:
            try:
                self._factor = cho_factor(A + jitter * np.eye(n), lower=True, overwrite_a=True)
                return
            except LinAlgError:
                jitter *= 8.0

    def __call__(self, right: np.ndarray) -> np.ndarray:
        return cho_solve(self._factor, right)
