"""OLRD's bound on the coefficients, B max_j ‖a_j‖ √κ_jj ≤ U, enforced in two ways.

The printed rule α ← min{1, U/B} α would shrink the function at every step; the condition it is meant to restore is the
one above. See `kernelstream.recipes.olrd` for what each way does to the error.
"""

import math

from ..core.changes import rescale, set_coefficient
from ..core.expansion import squares
from ..core.numba.lowering import compiled
from ..core.state import Expansion, State
from ..core.strategy import Positive, strategy
from ..core.types import Array, Own, Parts
from .base import Bound


@compiled
def sizes(ex: Expansion, out: Array) -> tuple[int, float]:
    """out[j] = ‖a_j‖ √κ_jj; returns the number of SVs and the largest."""
    n = squares(ex, out)
    largest, scale, diag = 0.0, ex.scale[0], ex.diag
    for j in range(n):
        out[j] = scale * math.sqrt(out[j] * diag[j])
        largest = max(largest, out[j])
    return n, largest


@strategy
class Clip(Bound):
    """Clip each coefficient: a_j ← a_j min(1, U/(B ‖a_j‖ √κ_jj)).

    Parameters
    ----------
    U : float, default 1.0
        The sum of norms that all coefficients together may have.
    """

    U: Positive = 1.0
    needs_budget = True

    def enforce(self, own: Own, r: Parts, st: State) -> None:
        ex, w = st.expansion, st.work.weight
        n, largest = sizes(ex, w)
        limit = self.U / r.budget.at(st.run.t[0])
        if largest <= limit:
            return
        coef = ex.coef
        for j in range(n):
            if w[j] > limit:
                for c in range(coef.shape[0]):
                    set_coefficient(r, st, c, j, coef[c, j] * (limit / w[j]))


@strategy
class Scale(Bound):
    """Scale all coefficients together: f ← f min(1, U/(B max_j ‖a_j‖ √κ_jj)).

    Parameters
    ----------
    U : float, default 1.0
        The sum of norms that all coefficients together may have.
    """

    U: Positive = 1.0
    needs_budget = True

    def enforce(self, own: Own, r: Parts, st: State) -> None:
        _, largest = sizes(st.expansion, st.work.weight)
        limit = self.U / r.budget.at(st.run.t[0])
        if largest > limit:
            rescale(r, st, limit / largest)
