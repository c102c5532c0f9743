"""A descent with few rows and centres, then with all of them while that pays.

For most data the scales that a few centres find are as good as those of more. Where the target is complex, more centres
lower the loss further, and the first few steps show it.
"""

import numpy as np

from .descent import Descent, Found
from .folds import Fold
from .losses_of_task import TunedTask

ROWS, CENTRES, STEPS, PATIENCE = 4_000, 100, 12, 4  # of the coarse descent
FINE_GAIN, FINE_PATIENCE = 0.005, 6  # one of so many steps must lower the loss by this fraction


def coarse_to_fine(
    task: TunedTask, A: np.ndarray, T: np.ndarray, fold: Fold, start: np.ndarray, lam: float
) -> Found:  # fmt: skip
    """Descend from the log-scales `start` of the columns A, on a fold."""
    few = fold.learned[:ROWS]
    held = A[fold.held], T[fold.held]
    coarse = Descent(task, A[few], T[few], A[fold.centres[:CENTRES]], lam, *held)
    coarse.most = STEPS
    first = coarse.run(start, PATIENCE)
    if len(fold.centres) <= CENTRES:
        return first
    fine = Descent(task, A[fold.learned], T[fold.learned], A[fold.centres], lam, *held)
    second = fine.run(first.theta, FINE_PATIENCE, FINE_GAIN, first.loss)
    best = second if second.loss < first.loss else first
    return best._replace(steps=first.steps + second.steps)
