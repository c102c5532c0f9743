"""The inverse Gram matrix of the support vectors, for recipes that project."""

from ..strategy import Strategy, lowered


class Inverse(Strategy):
    """Keeper of Q = K⁻¹. The base keeps nothing."""

    __slots__ = ()

    @lowered
    def absorb(self, own, r, st, a, kxx, verdict):
        """Whether a κ(x, ·) could be spread over the present SVs instead of adding x; work.row is the row of x."""
        return False

    @lowered
    def residual(self, own, r, st, kxx):
        """The squared distance of κ(x, ·) from the span of the SVs; work.row is the row of x."""
        return kxx

    @lowered
    def inserted(self, own, r, st, j):
        """Slot j has just got a new support vector, the last."""

    @lowered
    def dropping(self, own, r, st, j):
        """SV j is about to go, and the last one to take its slot."""

    @lowered
    def replaced(self, own, r, st, j):
        """Another point has just been put into slot j."""

    def adopt(self, own, gram) -> None:
        """Start over from a given Gram matrix (from Python)."""
