"""Which support vectors of an expansion represent its function best: forward selection, backward elimination.

Both are greedy, and done in blocks, so that most of the arithmetic is products of matrices.
"""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotri

from ..kernels import Kernel

JITTER = 1e-10  # of κ(x, x): below it a support vector lies in the span of others
NARROW_JITTER = 1e-5  # the same for sums in float32
POOL = 4  # support vectors to choose from, per support vector that is picked
PANEL, CANDIDATES = 48, 128  # as many are picked at once, from as many candidates
FEW = 1024  # support vectors that are all candidates, so that a panel is everything
BEHIND = 0.5  # a panel ends when its best candidate gains less than this fraction of the best outside


def pick_forwards(
    kernel: Kernel, sv: np.ndarray, coef: np.ndarray, values: np.ndarray, diagonal: np.ndarray, size: int
) -> np.ndarray:
    """Orthogonal matching pursuit: each time the support vector that brings the projection of f nearest to f.

    With r what is left of f, and κ_j less its projection on those picked, the distance² falls by ‖⟨r, κ_j⟩‖²/‖κ_j‖².
    The search is among those with the largest coefficients. Sums are in float32, which is enough for a choice; where it
    is not, because all are nearly in the span of a few, they are in float64.
    """
    pool, most = np.arange(len(sv)), max(POOL * size, FEW)
    if len(pool) > most:
        weight = np.square(coef).sum(axis=1) * diagonal
        pool = np.sort(np.argpartition(weight, -most)[-most:])
    found = np.empty(0, np.intp)
    for dtype, jitter in ((np.float32, NARROW_JITTER), (np.float64, JITTER)):
        if len(found) < size:
            found = _picked(kernel, sv[pool], values[pool], diagonal[pool], size, np.dtype(dtype), jitter)
    return pool[found] if len(found) else pool[:1]  # f is 0


def _picked(
    kernel: Kernel, sv: np.ndarray, values: np.ndarray, diagonal: np.ndarray, size: int, dtype: np.dtype, jitter: float
) -> np.ndarray:
    """A panel of several at once: exactly by the rule among the best candidates, then the update of all others."""
    n, k = len(sv), 0
    product = (values / (np.abs(values).max() + 1e-300)).astype(dtype)  # ⟨r, κ_j⟩
    square, floor = diagonal.astype(dtype), (jitter * diagonal).astype(dtype)  # ‖κ_j‖²
    basis = np.empty((size, n), dtype)  # the picked ones made orthonormal, at every support vector
    picked = np.empty(size, np.intp)
    panel, candidates = (size, n) if n <= FEW else (PANEL, CANDIDATES)
    while k < size:
        gain = _gains(product, square, floor)
        outside, inside = np.split(np.argpartition(gain, -candidates), [n - candidates])
        best = float(gain[outside].max(initial=0.0))
        before = basis[:k, inside]
        gram = kernel.quick(sv[inside], sv[inside]).astype(dtype) - before.T @ before
        own, triangle = _panel(
            gram, product[inside], square[inside], floor[inside], min(panel, size - k), BEHIND * best
        )
        if not len(own):
            break
        new, after = inside[own], k + len(own)
        rows = kernel.quick(sv[new], sv).astype(dtype)
        rows -= basis[:k, new].T @ basis[:k]
        basis[k:after] = solve_triangular(triangle, rows, lower=True, check_finite=False)
        product -= basis[k:after].T @ solve_triangular(triangle, product[new], lower=True, check_finite=False)
        square -= np.einsum("ij,ij->j", basis[k:after], basis[k:after])
        square[new] = 0.0
        picked[k:after], k = new, after
    return picked[:k]


def _panel(
    gram: np.ndarray, product: np.ndarray, square: np.ndarray, floor: np.ndarray, size: int, least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pick at most `size` of the candidates with this Gram matrix; also its Cholesky factor on them."""
    basis, own = np.empty((size, len(gram)), gram.dtype), np.empty(size, np.intp)
    for k in range(size):
        gain = _gains(product, square, floor)
        p = int(gain.argmax())
        if not gain[p] > (least if k else 0.0):
            return own[:k], np.tril(basis[:k, own[:k]].T)
        length = np.sqrt(square[p])
        new = (gram[p] - basis[:k, p] @ basis[:k]) / length
        product -= new[:, None] * (product[p] / length)
        square -= new * new
        square[p] = 0.0
        basis[k], own[k] = new, p
    return own, np.tril(basis[:, own].T)


def _gains(product: np.ndarray, square: np.ndarray, floor: np.ndarray) -> np.ndarray:
    free = square > floor
    found: np.ndarray = np.where(free, np.einsum("ij,ij->i", product, product) / np.where(free, square, 1.0), 0.0)
    return found


def prune_backwards(factor: np.ndarray, coef: np.ndarray, target: int, limit: float) -> np.ndarray:
    """Drop the cheapest, each time after the others are fitted again, until `target` are left or ‖f − f_pruned‖² would
    exceed the limit. `factor` is the lower Cholesky factor of their Gram matrix.

    With Q the inverse of the Gram matrix, dropping p costs ‖a_p‖²/Q_pp, and Q loses Q_p Q_pᵀ/Q_pp: of it only the
    diagonal and the rows of those dropped are ever needed.
    """
    lower, _ = dpotri(factor, lower=1)
    Q = np.tril(lower)
    Q += np.tril(Q, -1).T
    n = len(Q)
    a, diagonal, lost = coef.copy(), np.diag(Q).copy(), 0.0
    rows, dropped = np.empty((n - target, n)), np.empty(n - target, np.intp)
    left = np.zeros(n)  # ∞ for those dropped
    for k in range(n - target):
        losses = np.einsum("ij,ij->i", a, a) / diagonal + left
        p = int(losses.argmin())
        if lost + losses[p] > limit:
            dropped = dropped[:k]
            break
        lost += losses[p]
        row = Q[p] - rows[:k, p] @ rows[:k]
        root = np.sqrt(row[p])
        row /= root
        a -= row[:, None] * (a[p] / root)
        diagonal -= row * row
        diagonal[p], left[p] = 1.0, np.inf
        rows[k], dropped[k] = row, p
    return np.delete(np.arange(n), dropped)
