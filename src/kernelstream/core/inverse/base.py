"""The inverse Gram matrix of the support vectors, for recipes that project."""

from typing import Any

from ..state import Expansion, State
from ..strategy import Strategy, lowered, strategy
from ..types import Array, Own, Parts


class Inverse(Strategy):
    """How Q = K⁻¹ is kept up to date. The base class keeps nothing."""

    __slots__ = ()
    whole = True  # holds Q of all support vectors, which maintenance may read
    rescales = True  # can start over from a Gram matrix, with as many support vectors as before
    forgets = True  # f may decay: nothing here is a sum over examples

    @lowered
    def absorb(self, own: Own, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        """Spread a κ(x, ·) over the existing SVs instead of adding x, if possible, and return whether it was done.

        work.row is the row of x.
        """
        return False

    @lowered
    def residual(self, own: Own, r: Parts, st: State, kxx: float) -> float:
        """The squared distance of κ(x, ·) from the span of the SVs; work.row is the row of x.

        If every class has a span of its own: the largest of those with g_c ≠ 0.
        """
        return kxx

    @lowered
    def mean_residual(self, own: Own, r: Parts, st: State, kxx: float) -> float:
        """‖D − PD‖²/‖g‖², the squared distance of the step's direction D = g κ(x, ·) from where it is projected.

        The same number unless every class has a span of its own.
        """
        return r.inverse.residual(own, r, st, kxx)

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j, the last, has a new support vector."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be removed; the last one takes its slot."""

    @lowered
    def replaced(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has another point."""

    def adopt(self, own: Own, gram: Array, coef: Array) -> None:
        """Start over from a given Gram matrix and coefficients (n, c) (from Python)."""

    def mixed(self, own: Own, kernel: Any, ex: Expansion) -> None:
        """The outputs of f have been replaced by linear combinations of them (from Python)."""


@strategy
class NoInverse(Inverse):
    """Nothing is kept: no stage of the recipe projects."""
