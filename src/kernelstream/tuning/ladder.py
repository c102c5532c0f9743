"""One width for all columns, and λ, from held-out rows: one kernel matrix per width."""

from typing import NamedTuple

import numpy as np

from ..core.parallel import in_order
from .blocks import normal_matrix
from .folds import Fold
from .gaussian_rows import JITTER, Factor, gaussian_rows, penalty

OFFSETS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)  # of the log-scales from those of the rule
LAMS = (1e-5, 1e-4, 1e-3, 1e-2)
ROWS, CENTRES = 4_000, 200  # that are enough to learn from, and centres


class Rung(NamedTuple):
    offset: float
    lam: float


def best_rung(A: np.ndarray, T: np.ndarray, folds: list[Fold], theta: np.ndarray) -> Rung:
    """The offset and λ with the least squared loss on held-out rows; columns A have the log-scales theta + offset."""
    rungs = [Rung(offset, lam) for offset in OFFSETS for lam in LAMS]

    def losses(task: tuple[Fold, float]) -> list[float]:
        """The squared losses for every λ, of an offset on a fold."""
        fold, offset = task
        learned = fold.learned[:ROWS]
        scales = np.exp(theta + offset).astype(np.float32)
        X, Z, Xh = (A[part] * scales for part in (learned, fold.centres[:CENTRES], fold.held))
        K, gram, held = gaussian_rows(X, Z), gaussian_rows(Z, Z), gaussian_rows(Xh, Z)
        H, b = normal_matrix(K), K.T @ T[learned]
        found = []
        for lam in LAMS:
            a = Factor(H + penalty(gram, lam, len(X)), JITTER * len(X)).solve(b)
            found.append(float(np.square(held @ a.astype(np.float32) - T[fold.held]).sum()))
        return found

    tasks = [(fold, offset) for fold in folds for offset in OFFSETS]
    sizes = [min(len(fold.learned), ROWS) * min(len(fold.centres), CENTRES) ** 2 for fold in folds]
    work = float(sum(sizes)) * len(OFFSETS)
    each = np.array(list(in_order(losses, tasks, work))).reshape(len(folds), len(rungs))
    return rungs[int(each.sum(axis=0).argmin())]
