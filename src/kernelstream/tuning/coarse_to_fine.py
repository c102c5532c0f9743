"""A descent with few rows and centres, then with all of them while that pays.

For most data the scales that a few centres find are as good as those of more. Where the target is complex, more centres
lower the loss further, and the first few steps show it. There, still more of them, which stay where they are, may find
still finer scales: centres that move make up for scales that are too wide.
"""

from typing import NamedTuple

import numpy as np

from .descent import Descent, Found
from .folds import Fold
from .losses_of_task import TunedTask

ROWS, CENTRES, STEPS, PATIENCE = 4_000, 100, 12, 4  # of the coarse descent
FINE_GAIN, FINE_PATIENCE = 0.005, 6  # one of so many steps must lower the loss by this fraction
PAYS = 0.95  # of the loss of the coarse descent, or less: then finer scales are tried
FINER_CENTRES, FINER_STEPS, FINER_PATIENCE = 800, 8, 3


class Scales(NamedTuple):
    """What a descent found with this λ, and whether more centres lowered the loss much."""

    found: Found
    lam: float
    pays: bool


def coarse_to_fine(task: TunedTask, A: np.ndarray, T: np.ndarray, fold: Fold, start: np.ndarray, lam: float) -> Scales:
    """Descend from the log-scales `start` of the columns A, on a fold."""
    few = fold.learned[:ROWS]
    held = A[fold.held], T[fold.held]
    coarse = Descent(task, A[few], T[few], A[fold.centres[:CENTRES]], lam, *held)
    coarse.most = STEPS
    first = coarse.run(start, PATIENCE)
    if len(fold.centres) <= CENTRES:
        return Scales(first, lam, False)
    fine = Descent(task, A[fold.learned], T[fold.learned], A[fold.centres], lam, *held)
    second = fine.run(first.theta, FINE_PATIENCE, FINE_GAIN, first.loss)
    if second.loss >= first.loss:
        return Scales(first, lam, False)
    return Scales(second._replace(steps=first.steps + second.steps), lam, second.loss <= PAYS * first.loss)


def finer(task: TunedTask, A: np.ndarray, T: np.ndarray, fold: Fold, scales: Scales) -> np.ndarray:
    """Log-scales by a few more steps, with more centres that stay."""
    learned = fold.learned
    descent = Descent(task, A[learned], T[learned], A[learned[:FINER_CENTRES]], scales.lam, A[fold.held], T[fold.held])
    descent.most = FINER_STEPS
    return descent.run(scales.found.theta, FINER_PATIENCE, FINE_GAIN, moving=False).theta
