"""The losses by which scales are learned and judged: squared hinge of one class against the rest, or squared."""

from typing import NamedTuple

import numpy as np


class TunedTask(NamedTuple):
    """`hinge` is whether targets are signs, one column per class or a single one for two classes."""

    hinge: bool

    def losses(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        """Of every row."""
        each = np.square(np.maximum(0.0, 1.0 - T * F)) if self.hinge else np.square(F - T)
        found: np.ndarray = each.sum(axis=1)
        return found

    def errors(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        """1 for a wrong label; the squared error of a number."""
        if not self.hinge:
            return self.losses(F, T)
        wrong = (F[:, 0] > 0.0) != (T[:, 0] > 0.0) if T.shape[1] == 1 else F.argmax(axis=1) != T.argmax(axis=1)
        found: np.ndarray = wrong.astype(np.float64)
        return found


def relaxed_aims(F: np.ndarray, before: np.ndarray | None, T: np.ndarray) -> np.ndarray:
    """What the parabolas that touch the squared hinge loss of scores aim at: the target of a score that is short of it,
    else the score. From the second step of majorisation on, the scores are those of a step twice as long: that
    converges as safely, in half as many steps (de Leeuw and Heiser, Multivariate Analysis V, 1980).
    """
    there = F if before is None else F + (F - before)
    found: np.ndarray = np.where(T * there < 1.0, T, there)
    return found
