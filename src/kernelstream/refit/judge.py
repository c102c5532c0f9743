"""Held-out rows decide whether the refit is accepted."""

import logging
from typing import Any

import numpy as np

from .objective import Objective

logger = logging.getLogger(__name__)

# Standard deviations by which a refit may make more mistakes, if it has more loss too, or less. Mistakes alone are
# noisy: a refit that was better by 3 points on other rows made 10 of the 12 mistakes that only one of the two made.
SURE, ALONE = 2.0, 4.0


class Judge:
    """Measures the errors of functions on held-out rows."""

    def __init__(self, objective: Objective, X: Any, Y: np.ndarray, weight: np.ndarray) -> None:
        self._objective, self._X, self._Y, self._weight = objective, X, Y, weight
        self._smooth = objective.fit.smooth
        self.look_again()

    def __len__(self) -> int:
        return len(self._weight)

    def look_again(self) -> None:
        """Compute the kernel rows again: the support vectors have moved."""
        self._K, self._T = self._objective.part(self._X, self._Y)

    def loss(self, a: np.ndarray) -> float:
        return float(self._weight @ self._smooth.loss(self._K @ a, self._T)[0])

    def wrong(self, a: np.ndarray) -> np.ndarray:
        """The weight of each row that is a mistake, 0 for the others; weighted losses in regression."""
        counted: np.ndarray = self._weight * self._smooth.wrong(self._K @ a, self._T)
        return counted


def no_worse(wrong: np.ndarray, other: np.ndarray, less_loss: bool = False) -> bool:
    """Whether the first errors exceed the others by no more than chance explains.

    >>> no_worse(np.array([1.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0])), no_worse(np.ones(9), np.zeros(9))
    (True, False)
    >>> no_worse(np.ones(9), np.zeros(9), less_loss=True)
    True
    """
    return bool(wrong.sum() <= other.sum() + margin(wrong, other, less_loss))


def margin(wrong: np.ndarray, other: np.ndarray, less_loss: bool = False) -> float:
    """What chance explains: a few standard deviations of the rows that are judged differently. The refit is better far
    more often than not, and the last iterate is that of noisy steps."""
    return (ALONE if less_loss else SURE) * float(np.sqrt(np.square(wrong - other).sum()))


def accepts(refitted: np.ndarray, own: np.ndarray, less_loss: bool) -> bool:
    """Whether the refit predicts, by its errors on held-out rows and those of the recipe's own function, and by whether
    it has less loss there."""
    accepted = no_worse(refitted, own, less_loss)
    if not accepted:
        logger.info(
            "refit rejected: on %d held-out rows its error is %g, that of the recipe's own function %g",
            len(own), refitted.sum(), own.sum(),
        )  # fmt: skip
    return accepted
