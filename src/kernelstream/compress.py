"""Bring any kernel expansion down to fewer support vectors, as close to it as a greedy choice gets."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def compress(kernel, sv, coef, budget=None, tolerance=None):
    """Destructive kernel orthogonal matching pursuit in float64: (kept, coefficients, ‖f − f_compressed‖).

    Support vectors go one by one, each the one whose loss is least after the others are fitted again, until `budget`
    are left or the distance would exceed `tolerance`.
    """
    n = len(sv)
    kept = np.arange(n)
    if budget is None and tolerance is None:
        raise ValueError(
            "compress: give a budget (how many support vectors) or a tolerance (how far the function may move)."
        )
    if n == 0:
        return kept, coef, 0.0
    if tolerance is not None and not tolerance >= 0:
        raise ValueError(f"compress: tolerance is {tolerance!r}; a distance is at least 0.")
    target = 0 if budget is None else max(int(budget), 1)
    limit = np.inf if tolerance is None else float(tolerance) ** 2
    K = kernel(sv)
    Q, a = _inverse(K), coef.astype(np.float64).copy()
    lost = 0.0
    while len(kept) > target:
        losses = (a * a).sum(axis=1) / np.diag(Q)
        p = int(losses.argmin())
        if lost + losses[p] > limit:
            break
        lost += losses[p]
        share = -Q[p] / Q[p, p]
        a += np.outer(share, a[p])
        Q -= np.outer(Q[p], Q[p]) / Q[p, p]
        rest = np.arange(len(kept)) != p
        Q, a, kept = Q[np.ix_(rest, rest)], a[rest], kept[rest]
    if len(kept) == n:
        return kept, coef, 0.0
    # the updates have gathered rounding: fit the chosen ones once more, from the full expansion
    fitted = _solve(K[np.ix_(kept, kept)], K[kept] @ coef)
    squared = np.sum(coef * (K @ coef)) - np.sum(fitted * (K[kept] @ coef))
    return kept, fitted, float(np.sqrt(max(squared, 0.0)))


def _regularised(K):
    return K + 1e-10 * np.diag(np.maximum(np.diag(K), 1e-300))


def _inverse(K):
    return _solve(K, np.eye(len(K)))


def _solve(K, right):
    return cho_solve(cho_factor(_regularised(K)), right)
