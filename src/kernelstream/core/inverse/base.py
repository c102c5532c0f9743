"""The inverse Gram matrix of the support vectors, for recipes that project."""

from ..state import State
from ..strategy import Strategy, lowered, strategy
from ..types import Array, Own, Parts


class Inverse(Strategy):
    """How Q = K⁻¹ is kept up to date. The base class keeps nothing."""

    __slots__ = ()

    @lowered
    def absorb(self, own: Own, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        """Spread a κ(x, ·) over the existing SVs instead of adding x, if possible, and return whether it was done.

        work.row is the row of x.
        """
        return False

    @lowered
    def residual(self, own: Own, r: Parts, st: State, kxx: float) -> float:
        """The squared distance of κ(x, ·) from the span of the SVs; work.row is the row of x."""
        return kxx

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j, the last, has a new support vector."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be removed; the last one takes its slot."""

    @lowered
    def replaced(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has another point."""

    def adopt(self, own: Own, gram: Array) -> None:
        """Start over from a given Gram matrix (from Python)."""


@strategy
class NoInverse(Inverse):
    """Nothing is kept: no stage of the recipe projects."""
