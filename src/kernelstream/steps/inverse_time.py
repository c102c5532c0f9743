"""The step 1/(λ(t + t₀)) of Pegasos and, with an offset t₀, of the default recipe."""

from ..core.state import State
from ..core.strategy import NonNegative, Positive, strategy
from .base import Step


@strategy
class InverseTime(Step):
    """Steps that fall as 1/t: η_t = 1 / (λ(t + t₀)), decay 1 − 1/(t + t₀).

    The papers use t₀ = 0, whose first step of 1/λ is so large that a budgeted model never quite recovers from it. With
    t₀ = 2/λ no step exceeds ½ (`InverseTime.offset`); the default recipe has t₀ = 1/λ.

    Parameters
    ----------
    lam : float, default 0.0001
        λ, the regularisation.
    t0 : float, default 0.0
        t₀, in updates.
    """

    lam: Positive = 1e-4
    t0: NonNegative = 0.0

    @staticmethod
    def offset(lam: float, factor: float = 2.0) -> "InverseTime":
        """The schedule with t₀ = factor/λ: no step exceeds 1/factor."""
        return InverseTime(lam).replace(t0=factor / lam)  # a λ of 0 is rejected first

    def rate(self, t: int, loss: float, curve: float) -> float:
        return 1.0 / (self.lam * (t + self.t0))

    def decay(self, t: int, st: State) -> float:
        return 1.0 - 1.0 / (t + self.t0)
