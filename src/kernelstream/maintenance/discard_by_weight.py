"""BOGD++'s discarding: small weights are removed more often, and f is unchanged in expectation."""

import math
from typing import NamedTuple

import numpy as np

from ..core.changes import drop, record, set_coefficient
from ..core.expansion import squares
from ..core.numba.lowering import compiled
from ..core.random import uniform
from ..core.state import Expansion, State
from ..core.strategy import Dims, strategy
from ..core.types import Array, Parts
from .base import Maintenance
from .remove import remove


class WeightState(NamedTuple):
    q: np.ndarray


@compiled
def probabilities(ex: Expansion, w: Array, q: Array) -> int:
    """q_i = 1 − (n − 1) w_i/Σw, w_i = ‖a_i‖ √κ_ii, clipped at 0 and brought back to Σq = 1; returns n."""
    n, total = squares(ex, w), 0.0
    for j in range(n):
        w[j] = math.sqrt(w[j] * ex.diag[j])
        total += w[j]
    mass = 0.0
    for j in range(n):
        q[j] = max(0.0, 1.0 - (n - 1) * w[j] / total) if total > 0.0 else 1.0
        mass += q[j]
    for j in range(n):
        q[j] /= mass
    return n


@compiled
def draw(rng: Array, q: Array, n: int) -> int:
    """The first i with u below the cumulative sum of q; the last possible one if rounding leaves none."""
    u, cumulative, last = uniform(rng), 0.0, 0
    for j in range(n):
        cumulative += q[j]
        if q[j] > 0.0:
            last = j
        if u < cumulative:
            return j
    return last


@strategy
class DiscardByWeight(Maintenance):
    """Weighted discarding: before an addition to a full model, remove SV i with probability q_i and divide every other
    a_j by 1 − q_j.

    The published q can be negative; it is clipped and normalised, and the same q is used for the draw and the division,
    so that the step is exactly unbiased. The distance moved would cost O(n²) and is not computed.
    """

    def init(self, dims: Dims) -> WeightState:
        return WeightState(np.zeros(dims.capacity))

    def prepare(self, own: WeightState, r: Parts, st: State, incoming: int) -> None:
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.reduce(own, r, st)

    def reduce(self, own: WeightState, r: Parts, st: State) -> None:
        ex, q = st.expansion, own.q
        n = probabilities(ex, st.work.weight, q)
        j = draw(st.run.rng, q, n)
        if n == 1:
            remove(r, st, j)
            return
        for i in range(n):
            if i != j and q[i] > 0.0:
                for c in range(ex.coef.shape[0]):
                    set_coefficient(r, st, c, i, ex.coef[c, i] / (1.0 - q[i]))
        for c in range(ex.coef.shape[0]):
            set_coefficient(r, st, c, j, 0.0)
        drop(r, st, j)
        record(st, math.nan)
