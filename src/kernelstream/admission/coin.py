"""OLRU's random updating: fewer and fewer examples are admitted, each with a larger step."""

from ..core.random import uniform
from ..core.state import State
from ..core.strategy import NonNegative, Positive, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, SKIP
from .base import Admission


@strategy
class Coin(Admission):
    """Admit with probability p = min(1, c τ^−γ) and divide the step by p, so that its expectation is unchanged.

    τ is the length `total` of the stream if it is given, else the index of the example.

    Parameters
    ----------
    c : float, default 1.0
        c of the probability: its value at the first example.
    gamma : float, default 0.25
        γ of the probability: how fast it falls; 0 keeps it constant.
    total : float, default 0.0
        The length of the stream in examples; 0 if it is not known.
    """

    c: Positive = 1.0
    gamma: NonNegative = 0.25
    total: NonNegative = 0.0

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        tau = self.total if self.total > 0.0 else float(st.run.seen[0])
        p = min(1.0, self.c * tau**-self.gamma)
        if uniform(st.run.rng) < p:
            return ADD, 1.0 / p
        return SKIP, 0.0
