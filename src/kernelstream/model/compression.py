"""Reduce a kernel expansion to fewer support vectors: greedy selection, then projection."""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import dger

from ..kernels import Kernel

SHORTLIST = 1.5  # size of the shortlist, relative to the budget
BLOCK = 1 << 22  # kernel values in memory at once
JITTER = 1e-10  # of κ(x, x): below it a support vector lies in the span of others


def compress(
    kernel: Kernel, sv: Any, coef: np.ndarray, budget: int | None = None, tolerance: float | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Greedy choice in float64: (kept, their coefficients, ‖f − f_compressed‖).

    Destructive kernel orthogonal matching pursuit: support vectors go one by one, each the one whose loss is least
    after the others are fitted again, until `budget` are left or the distance would exceed `tolerance`. That takes
    O(n³) time, so with a budget alone it begins with a shortlist, which orthogonal matching pursuit picks forwards in
    O(n · budget²) time and O(n · budget) memory. Both together come closer than either.
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
        listed = _shortlist(kernel, sv, values, diagonal, int(SHORTLIST * target))
    K = kernel(sv[listed])
    limit = np.inf if tolerance is None else float(tolerance) ** 2
    start = wide if len(listed) == n else _solve(K, values[listed])
    rest = _prune(K, start, target, limit)
    if len(rest) == n:
        return np.arange(n), coef, 0.0
    # the updates have gathered rounding: fit the chosen ones once more, from the full expansion
    kept, K = listed[rest], K[np.ix_(rest, rest)]
    fitted = _solve(K, values[kept])
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


def _shortlist(kernel: Kernel, sv: np.ndarray, values: np.ndarray, diagonal: np.ndarray, size: int) -> np.ndarray:
    """Forwards: each time the support vector that brings the projection of f nearest to f.

    With r what is left of f, and κ_j less its projection on those picked, the distance² falls by ‖⟨r, κ_j⟩‖²/‖κ_j‖².
    """
    product, square, floor = values.copy(), diagonal.copy(), JITTER * diagonal
    basis = np.empty((size, len(sv)))  # the picked ones made orthonormal, at every support vector
    picked: list[int] = []
    for k in range(size):
        gain = np.where(square > floor, np.square(product).sum(axis=1) / np.maximum(square, 1e-300), 0.0)
        p = int(gain.argmax())
        if not gain[p] > 0.0:
            break
        length = np.sqrt(square[p])
        new = (kernel(sv[p : p + 1], sv)[0] - basis[:k, p] @ basis[:k]) / length
        product -= np.outer(new, product[p] / length)
        square -= new * new
        square[p] = 0.0
        basis[k] = new
        picked.append(p)
    return np.array(picked, np.intp)


def _prune(K: np.ndarray, coef: np.ndarray, target: int, limit: float) -> np.ndarray:
    """Backwards: drop the cheapest until `target` are left, or ‖f − f_pruned‖² would exceed the limit."""
    Q, a = np.asfortranarray(_solve(K, np.eye(len(K)))), coef.copy()
    left, lost = np.ones(len(K), bool), 0.0
    while left.sum() > target:
        losses = np.where(left, np.square(a).sum(axis=1) / np.where(left, np.diag(Q), 1.0), np.inf)
        p = int(losses.argmin())
        if lost + losses[p] > limit:
            break
        lost += losses[p]
        column, pivot = Q[:, p].copy(), Q[p, p]
        a -= np.outer(column, a[p] / pivot)
        Q = dger(-1.0 / pivot, column, column, a=Q, overwrite_a=1)
        left[p] = False
    return np.flatnonzero(left)


def _solve(K: np.ndarray, right: np.ndarray) -> np.ndarray:
    regularised = K + JITTER * np.diag(np.maximum(np.diag(K), 1e-300))
    found: np.ndarray = cho_solve(cho_factor(regularised), right)
    return found
