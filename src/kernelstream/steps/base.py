"""Steps: how far along the gradient, and how much of the old function is kept."""

from ..core.state import State
from ..core.strategy import Strategy, lowered


class Step(Strategy):
    """Slots 2 and 4 of the loop: f ← decay(t) f − rate(t) g κ(x, ·)."""

    __slots__ = ()

    @lowered
    def rate(self, t: int, loss: float, curve: float) -> float:
        """η_t, at the t-th update, for an example with this loss; curve = ‖g‖² κ(x, x) is how fast a step lowers it."""
        raise NotImplementedError

    @lowered
    def decay(self, t: int, st: State) -> float:
        """The factor 1 − η_t λ; the examples of the update are staged already."""
        raise NotImplementedError

    @property
    def regularisation(self) -> float:
        """λ, or 0 where nothing decays."""
        return float(getattr(self, "lam", 0.0))
