"""The shifting perceptron's step: the weight of old mistakes decays with every new one."""

from ..core.state import State
from ..core.strategy import Positive, strategy
from .base import Step


@strategy
class Shifting(Step):
    """A step of 1, with decay at updates with a gradient: f ← (1 − λ_k) f with λ_k = λ/(λ + k) after k of them.

    k does not count the update in hand: the first one meets f = 0.

    Parameters
    ----------
    lam : float, default 0.1
        λ: larger values forget faster.
    """

    lam: Positive = 0.1

    def rate(self, t: int, loss: float, curve: float) -> float:
        return 1.0

    def decay(self, t: int, st: State) -> float:
        before = st.run.active[0] - 1  # the update in hand has been counted
        return 1.0 - self.lam / (self.lam + before) if st.batch.staged[0] > 0 else 1.0
