"""The inverse Gram matrix of the support vectors, for recipes that project."""

from ..state import State
from ..strategy import Strategy, lowered, strategy
from ..types import Array, Own, Parts


class Inverse(Strategy):
    """Keeper of Q = K⁻¹. The base keeps nothing."""

    __slots__ = ()

    @lowered
    def absorb(self, own: Own, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        """Whether a κ(x, ·) could be spread over the present SVs instead of adding x; work.row is the row of x."""
        return False

    @lowered
    def residual(self, own: Own, r: Parts, st: State, kxx: float) -> float:
        """The squared distance of κ(x, ·) from the span of the SVs; work.row is the row of x."""
        return kxx

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has just got a new support vector, the last."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to go, and the last one to take its slot."""

    @lowered
    def replaced(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Another point has just been put into slot j."""

    def adopt(self, own: Own, gram: Array) -> None:
        """Start over from a given Gram matrix (from Python)."""


@strategy
class NoInverse(Inverse):
    """Nothing is kept: no stage of the recipe projects."""
