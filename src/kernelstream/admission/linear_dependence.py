"""Projectron's admission: a point near the span of the support vectors is projected onto them."""

import math
from typing import TYPE_CHECKING

from ..core.expansion import squared
from ..core.state import State
from ..core.strategy import Positive, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, FOLD, SKIP
from .base import Admission

if TYPE_CHECKING:
    from ..core.inverse import Inverse


def keeper_of(own: bool) -> "Inverse | None":
    """The inverse over each class's own support vectors, or the usual one."""
    from ..core.inverse import ClassInverse

    return ClassInverse() if own else None


@strategy
class LinearDependence(Admission):
    """Project if δ ≤ η, else add, with δ the distance of κ(x, ·) from the span of the support vectors.

    With `own`, every class projects on its own support vectors only, those added with a coefficient for it, and δ is
    the largest distance among the classes that the step changes: one decision for all of them. This takes c inverse
    matrices, O(c n²) memory.

    Parameters
    ----------
    eta : float, default 0.1
        η, the largest distance of a projected example from its projection.
    own : bool, default False
        Whether every class projects on its own support vectors only.
    """

    eta: Positive = 0.1
    own: bool = False
    needs_inverse = True

    @property
    def keeper(self) -> "Inverse | None":
        return keeper_of(self.own)

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        if squared(st.work.g) == 0.0:
            return SKIP, 0.0
        return (FOLD, 1.0) if math.sqrt(r.inverse.residual(st.inverse, r, st, kxx)) <= self.eta else (ADD, 1.0)


@strategy
class MarginDependence(Admission):
    """The rule of Projectron++: mistakes as in `LinearDependence`, margin errors with a loss ℓ > δ/η projected.

    A margin error takes the step τ = min{ℓ/P, 2(ℓ − δ/η)/P, 1}, P = ‖g‖² kᵀK⁻¹k, and is skipped if ℓ ≤ δ/η. A mistake
    is a loss of 1 or more.

    With `own`, the projection PD of the step's direction D = g κ(x, ·) is that of every class on its own support
    vectors: for a margin error P = ‖PD‖² and δ = ‖D − PD‖/‖g‖.

    Parameters
    ----------
    eta : float, default 0.1
        η, the largest distance of a projected example from its projection.
    own : bool, default False
        Whether every class projects on its own support vectors only.
    """

    eta: Positive = 0.1
    own: bool = False
    needs_inverse = True

    @property
    def keeper(self) -> "Inverse | None":
        return keeper_of(self.own)

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        square = squared(st.work.g)
        if square == 0.0:
            return SKIP, 0.0
        if loss >= 1.0:
            return (FOLD, 1.0) if math.sqrt(r.inverse.residual(st.inverse, r, st, kxx)) <= self.eta else (ADD, 1.0)
        residual = r.inverse.mean_residual(st.inverse, r, st, kxx)
        delta = math.sqrt(residual)
        if loss <= delta / self.eta:
            return SKIP, 0.0
        inside = square * (kxx - residual)
        return FOLD, min(loss / inside, 2.0 * (loss - delta / self.eta) / inside, 1.0)
