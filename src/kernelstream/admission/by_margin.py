"""Sampling by margin and by auxiliary loss, for sparse kernel logistic regression. Both are biased by design."""

import math
from typing import Annotated

from ..core.random import uniform
from ..core.state import State
from ..core.strategy import Interval, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, SKIP
from .base import Admission

Eta = Annotated[float, Interval("a number above 0 and below 2", lambda v: 0 < v < 2)]
Gamma = Annotated[float, Interval("a number above 1", lambda v: v > 1)]


@strategy
class ByMargin(Admission):
    """Admit with probability (2 − η)/(2 − η + η σ(z)), z = y f(x), and take the whole step.

    Parameters
    ----------
    eta : float, default 0.5
        η of the probability, below 2: the step size of the recipe.
    """

    eta: Eta = 0.5
    binary = True

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        g = abs(st.work.g[0])  # 1 − σ(z)
        p = (2.0 - self.eta) / (2.0 - self.eta + self.eta * (1.0 - g))
        return (ADD, 1.0) if uniform(st.run.rng) < p else (SKIP, 0.0)


@strategy
class ByAuxiliary(Admission):
    """Admit with probability ln(1 + e^−z)/ln(γ + e^−z) and step by η y/(1 + γ e^z).

    Parameters
    ----------
    gamma : float, default 2.0
        γ, above 1: larger values admit fewer examples.
    """

    gamma: Gamma = 2.0
    binary = True

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        g = abs(st.work.g[0])  # 1/(1 + e^z)
        odds = math.expm1(min(loss, 700.0))  # e^−z
        p = loss / math.log(self.gamma + odds)
        if uniform(st.run.rng) < p:
            return ADD, odds / (odds + self.gamma) / g
        return SKIP, 0.0
