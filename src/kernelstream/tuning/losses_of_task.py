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


def relaxed(F: np.ndarray, before: np.ndarray | None, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a step of majorisation goes that is twice as long as the one to the scores F, from the scores `before`; and
    what the parabolas that touch the squared hinge loss there aim at: targets that are missed, else the scores. Twice
    as long steps converge as safely, in about half as many (de Leeuw and Heiser, Multivariate Analysis V, 1980). The
    first one, from nowhere, is not lengthened.
    """
    there = F if before is None else 2.0 * F - before
    return there, np.where(T * there < 1.0, T, there)
