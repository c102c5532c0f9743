"""BOGD's bound: no coefficient larger than a few steps."""

import math

from ..core.changes import set_coefficient
from ..core.expansion import squares
from ..core.state import State
from ..core.strategy import Positive, strategy
from ..core.types import Own, Parts
from .base import Bound


@strategy
class ClipSteps(Bound):
    """Clip each coefficient at γ steps: a_j ← a_j min(1, γ η_t/‖a_j‖).

    Parameters
    ----------
    gamma : float, default 2.0
        γ, the largest coefficient in units of the current step.
    """

    gamma: Positive = 2.0

    def enforce(self, own: Own, r: Parts, st: State) -> None:
        ex, w = st.expansion, st.work.weight
        n, coef = squares(ex, w), ex.coef
        limit = self.gamma * st.run.eta[0] / ex.scale[0]
        for j in range(n):
            if w[j] > limit * limit:
                shrink = limit / math.sqrt(w[j])
                for c in range(coef.shape[0]):
                    set_coefficient(r, st, c, j, coef[c, j] * shrink)
