"""Steps: the step size η_t, and the decay of the function before each step."""

from ..core.state import State
from ..core.strategy import Strategy, lowered


class Step(Strategy):
    """Stages 2 and 4, decay and step: f ← decay(t) f − rate(t) g κ(x, ·)."""

    __slots__ = ()

    @lowered
    def rate(self, t: int, loss: float, curve: float) -> float:
        """η_t at the t-th update, for an example with this loss; `curve` = ‖g‖² κ(x, x) is its slope along the step."""
        raise NotImplementedError

    @lowered
    def decay(self, t: int, st: State) -> float:
        """The factor 1 − η_t λ; the examples of the update are already staged."""
        raise NotImplementedError

    @property
    def regularisation(self) -> float:
        """λ; 0 without decay."""
        return float(getattr(self, "lam", 0.0))
