"""OSKL's sampling: examples that are classified well are seldom admitted."""

import math

from ..core.expansion import squared
from ..core.random import uniform
from ..core.state import State
from ..core.strategy import Positive, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, SKIP
from .base import Admission


@strategy
class ByDerivative(Admission):
    """Admit with probability p = min(1, ‖g‖/G), and divide the step by ‖g‖/G: every admitted step has length ηG.

    A larger G gives fewer support vectors and a coarser function.
    """

    G: Positive = 1.0

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        size = math.sqrt(squared(st.work.g))
        if uniform(st.run.rng) < min(1.0, size / self.G):
            return ADD, self.G / size
        return SKIP, 0.0
