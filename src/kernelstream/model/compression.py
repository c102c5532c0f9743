"""Reduce a kernel expansion to fewer support vectors: greedy selection, then projection."""

from typing import Any

import numpy as np
from scipy.linalg import cho_solve, cholesky

from ..kernels import Kernel
from .selection import JITTER, pick_forwards, prune_backwards

SHORTLIST = 1.4  # size of the shortlist, relative to the budget
BLOCK = 1 << 19  # kernel values in memory at once: about as many as a processor's cache holds


def compress(
    kernel: Kernel, sv: Any, coef: np.ndarray, budget: int | None = None, tolerance: float | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Greedy choice, and the projection onto it in float64: (kept, their coefficients, ‖f − f_compressed‖).

    Destructive kernel orthogonal matching pursuit: support vectors go one by one, each the one whose loss is least
    after the others are fitted again, until `budget` are left or the distance would exceed `tolerance`. That takes
    O(n³) time, so with a budget alone it begins with a shortlist, which orthogonal matching pursuit picks forwards in
    O(budget³) time and O(budget²) memory. Both together come closer than either.
    """
    n = len(sv)
    if budget is None and tolerance is None:
        raise ValueError(
            "compress: give a budget (how many support vectors) or a tolerance (how far the function may move)."
        )
    if tolerance is not None and not tolerance >= 0:
        raise ValueError(f"compress: tolerance is {tolerance!r}; it must be 0 or more.")
    target = 0 if budget is None else max(int(budget), 1)
    if n <= target:
        return np.arange(n), coef, 0.0
    sv, wide = np.asarray(sv, np.float64), coef.astype(np.float64)
    values, diagonal = _values(kernel, sv, wide)
    listed = np.arange(n)
    if tolerance is None and n > SHORTLIST * target:
        listed = pick_forwards(kernel, sv, wide, values, diagonal, int(SHORTLIST * target))
    chosen = sv[listed]
    K, rest = kernel.quick(chosen, chosen), np.arange(len(listed))
    if len(rest) > target:
        factor = _factor(K)
        start = wide if len(rest) == n else cho_solve((factor, True), values[listed])
        limit = np.inf if tolerance is None else float(tolerance) ** 2
        rest = prune_backwards(factor, start, target, limit)
    if len(rest) == n:
        return np.arange(n), coef, 0.0
    # the updates have gathered rounding: fit the chosen ones once more, from the full expansion
    kept, K = listed[rest], K[np.ix_(rest, rest)]
    fitted = cho_solve((_factor(K), True), values[kept])
    squared = np.sum(wide * values) - 2.0 * np.sum(fitted * values[kept]) + np.sum(fitted * (K @ fitted))
    return kept, fitted, float(np.sqrt(max(squared, 0.0)))


def _values(kernel: Kernel, sv: np.ndarray, coef: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """f at every support vector, and κ(x, x) of each."""
    values, diagonal = np.zeros_like(coef), np.empty(len(sv))
    size = max(BLOCK // len(sv), 1)
    for start in range(0, len(sv), size):
        rows, after = slice(start, start + size), start + size
        K = kernel.quick(sv[rows], sv[start:])  # what lies before is known: K is symmetric
        values[rows] += K @ coef[start:]
        values[after:] += K[:, size:].T @ coef[rows]
        diagonal[rows] = np.diagonal(K)
    return values, diagonal


def _factor(K: np.ndarray) -> np.ndarray:
    regularised = K + JITTER * np.diag(np.maximum(np.diag(K), 1e-300))
    found: np.ndarray = cholesky(regularised, lower=True, overwrite_a=True, check_finite=False)
    return found
