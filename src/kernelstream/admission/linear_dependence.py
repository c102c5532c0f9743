"""Projectron's admission: a point near the span of the support vectors is projected onto them."""

import math

from ..core.expansion import squared
from ..core.state import State
from ..core.strategy import Positive, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, FOLD, SKIP
from .base import Admission


@strategy
class LinearDependence(Admission):
    """Project if δ ≤ η, else add, with δ the distance of κ(x, ·) from the span of the support vectors."""

    eta: Positive = 0.1
    needs_inverse = True

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        if squared(st.work.g) == 0.0:
            return SKIP, 0.0
        return (FOLD, 1.0) if math.sqrt(r.inverse.residual(st.inverse, r, st, kxx)) <= self.eta else (ADD, 1.0)


@strategy
class MarginDependence(Admission):
    """The rule of Projectron++: mistakes as in `LinearDependence`, margin errors with a loss ℓ > δ/η projected.

    A margin error takes the step τ = min{ℓ/P, 2(ℓ − δ/η)/P, 1}, P = ‖g‖² kᵀK⁻¹k, and is skipped if ℓ ≤ δ/η. A mistake
    is a loss of 1 or more.
    """

    eta: Positive = 0.1
    needs_inverse = True

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        square = squared(st.work.g)
        if square == 0.0:
            return SKIP, 0.0
        residual = r.inverse.residual(st.inverse, r, st, kxx)
        delta = math.sqrt(residual)
        if loss >= 1.0:
            return (FOLD, 1.0) if delta <= self.eta else (ADD, 1.0)
        if loss <= delta / self.eta:
            return SKIP, 0.0
        inside = square * (kxx - residual)
        return FOLD, min(loss / inside, 2.0 * (loss - delta / self.eta) / inside, 1.0)
