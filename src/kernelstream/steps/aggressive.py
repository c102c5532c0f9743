"""Passive-aggressive steps: just long enough to correct the current example, up to a limit."""

from ..core.state import State
from ..core.strategy import Positive, strategy
from .base import Step


@strategy
class PassiveAggressive(Step):
    """The step of PA-I, τ = min(C, ℓ/(‖g‖² κ(x, x))), without decay. With C = ∞ a step brings the loss to 0.

    Parameters
    ----------
    C : float, default 1.0
        The largest step.
    """

    C: Positive = 1.0

    def rate(self, t: int, loss: float, curve: float) -> float:
        return min(self.C, loss / curve) if loss > 0.0 and curve > 0.0 else 0.0

    def decay(self, t: int, st: State) -> float:
        return 1.0


@strategy
class PassiveAggressive2(Step):
    """The step of PA-II, τ = ℓ/(‖g‖² κ(x, x) + 1/(2C)), without decay.

    Parameters
    ----------
    C : float, default 1.0
        Aggressiveness: larger values give longer steps.
    """

    C: Positive = 1.0

    def rate(self, t: int, loss: float, curve: float) -> float:
        return loss / (curve + 0.5 / self.C) if loss > 0.0 and curve > 0.0 else 0.0

    def decay(self, t: int, st: State) -> float:
        return 1.0
