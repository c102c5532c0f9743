"""Steps that put the example in hand right, as far as a cap allows."""

from ..core.state import State
from ..core.strategy import Positive, strategy
from .base import Step


@strategy
class PassiveAggressive(Step):
    """PA-I: τ = min(C, ℓ/(‖g‖² κ(x, x))), no decay. A step of τ without the cap brings the loss to 0."""

    C: Positive = 1.0

    def rate(self, t: int, loss: float, curve: float) -> float:
        return min(self.C, loss / curve) if loss > 0.0 and curve > 0.0 else 0.0

    def decay(self, t: int, st: State) -> float:
        return 1.0


@strategy
class PassiveAggressive2(Step):
    """PA-II: τ = ℓ/(‖g‖² κ(x, x) + 1/(2C)), no decay."""

    C: Positive = 1.0

    def rate(self, t: int, loss: float, curve: float) -> float:
        return loss / (curve + 0.5 / self.C) if loss > 0.0 and curve > 0.0 else 0.0

    def decay(self, t: int, st: State) -> float:
        return 1.0
