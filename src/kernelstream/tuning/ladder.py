"""One width for all columns, and λ, from held-out rows: one kernel matrix per width."""

from typing import NamedTuple

import numpy as np

from .gaussian_rows import JITTER, Factor, gaussian_rows, penalty

OFFSETS = (-1.5, -1.0, -0.5, 0.0, 0.5)  # of the log-scales from those of the rule
LAMS = (1e-5, 1e-4, 1e-3, 1e-2)


class Fold(NamedTuple):
    """Rows that are learned and rows that are held out, by their indices; the first of the former are centres."""

    learned: np.ndarray
    held: np.ndarray
    centres: np.ndarray


class Rung(NamedTuple):
    offset: float
    lam: float


def best_rung(A: np.ndarray, T: np.ndarray, folds: list[Fold], theta: np.ndarray) -> Rung:
    """The offset and λ with the least squared loss on held-out rows; columns A have the log-scales theta + offset."""
    totals = {Rung(offset, lam): 0.0 for offset in OFFSETS for lam in LAMS}
    for fold in folds:
        X, Z, Xh = A[fold.learned], A[fold.centres], A[fold.held]
        for offset in OFFSETS:
            scales = np.exp(theta + offset).astype(np.float32)
            K, gram = gaussian_rows(X * scales, Z * scales), gaussian_rows(Z * scales, Z * scales)
            H, b, held = (K.T @ K).astype(np.float64), K.T @ T[fold.learned], gaussian_rows(Xh * scales, Z * scales)
            for lam in LAMS:
                a = Factor(H + penalty(gram, lam, len(X)), JITTER * len(X)).solve(b)
                totals[Rung(offset, lam)] += float(np.square(held @ a.astype(np.float32) - T[fold.held]).sum())
    return min(totals, key=totals.__getitem__)
