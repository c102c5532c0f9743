"""Budgets that change with time."""

import math

from ..core.strategy import Positive, strategy
from .base import Budget


@strategy
class Growing(Budget):
    """At most 1 + c √t support vectors, rounded to the nearest whole number (OLRD).

    Parameters
    ----------
    c : float, default 1.0
        The factor of √t, t the number of examples so far.
    """

    c: Positive = 1.0

    def at(self, t: int) -> int:
        return int(1.5 + self.c * math.sqrt(t))
