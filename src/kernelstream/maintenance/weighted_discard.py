"""Discarding with unequal probabilities: f is unchanged in expectation."""

import math
from typing import NamedTuple

import numpy as np

from ..core.changes import drop, record, set_coefficient
from ..core.expansion import squares
from ..core.numba.lowering import compiled
from ..core.random import uniform
from ..core.state import State
from ..core.strategy import Dims, lowered, strategy
from ..core.types import Array, Parts
from .base import Maintenance
from .remove import remove

HALVINGS = 60  # of the interval that contains the multiplier of least variance
NOTHING = 1e-9  # times the largest weight: a support vector that is removed for certain


class Probabilities(NamedTuple):
    q: np.ndarray


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


class WeightedDiscard(Maintenance):
    """Base class: before an addition to a full model, remove SV i with probability q_i and divide every other a_j by
    1 − q_j, which leaves f unchanged in expectation whatever q is (He & Kwok 2014, equation 17).

    Define `shares`. The distance moved would cost O(n²) and is not computed.
    """

    __slots__ = ()

    def init(self, dims: Dims) -> Probabilities:
        return Probabilities(np.zeros(dims.capacity))

    @lowered
    def shares(self, w: Array, q: Array, n: int) -> None:
        """Write q ≥ 0 from the weights w_i = ‖a_i‖ √κ_ii of n support vectors; it is divided by its sum afterwards."""
        raise NotImplementedError

    def prepare(self, own: Probabilities, r: Parts, st: State, incoming: int) -> None:
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.reduce(own, r, st)

    def reduce(self, own: Probabilities, r: Parts, st: State) -> None:
        ex, w, q = st.expansion, st.work.weight, own.q
        n = squares(ex, w)
        for j in range(n):
            w[j] = math.sqrt(w[j] * ex.diag[j])
        self.shares(w, q, n)
        mass = 0.0
        for j in range(n):
            mass += q[j]
        for j in range(n):
            q[j] /= mass
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


@strategy
class DiscardByWeight(WeightedDiscard):
    """Weighted discarding, as in BOGD++: q_i = 1 − (n − 1) w_i/Σw with w_i = ‖a_i‖ √κ_ii, so that small weights are
    removed more often.

    The published q can be negative. It is clipped at 0 and normalised, and the same q is used for the draw and the
    division, so that the step is exactly unbiased.
    """

    def shares(self, w: Array, q: Array, n: int) -> None:
        total = 0.0
        for j in range(n):
            total += w[j]
        for j in range(n):
            q[j] = max(0.0, 1.0 - (n - 1) * w[j] / total) if total > 0.0 else 1.0


@compiled
def share_at(ratio: float) -> float:
    """q ≥ 0 with (1 + q)/(1 − q)³ = ratio, for a ratio of at least 1."""
    if ratio <= 1.0:
        return 0.0
    # with s = 1 − q: ratio s³ + s − 2 = 0, convex and positive at the start, so that Newton's method cannot overshoot
    s = min(1.0, (2.0 / ratio) ** (1.0 / 3.0))
    for _ in range(20):
        change = (ratio * s * s * s + s - 2.0) / (3.0 * ratio * s * s + 1.0)
        s -= change
        if change <= 1e-15 * s:
            break
    return 1.0 - s


@strategy
class DiscardLeastVariance(WeightedDiscard):
    """Discarding with the probabilities that minimise Σ q_i w_i²/(1 − q_i)², w_i = ‖a_i‖ √κ_ii, which bounds E‖Δ‖² (He
    & Kwok 2014, equation 18). Only the smallest weights have q > 0; one of weight 0 is removed for certain.
    """

    def shares(self, w: Array, q: Array, n: int) -> None:
        smallest, largest = w[0], w[0]
        for j in range(n):
            smallest, largest = min(smallest, w[j]), max(largest, w[j])
        if smallest <= NOTHING * largest or n == 1:
            for j in range(n):
                q[j] = 1.0 if w[j] <= NOTHING * largest or n == 1 else 0.0
            return
        # q_i solves w_i² (1 + q)/(1 − q)³ = μ where μ > w_i²; Σq grows with μ from 0, and exceeds 1 where one q would
        low, high = smallest * smallest, 2.0 * smallest * smallest
        while total_share(w, q, n, high) < 1.0:
            high *= 2.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if total_share(w, q, n, middle) < 1.0:
                low = middle
            else:
                high = middle
        total_share(w, q, n, high)


@compiled
def total_share(w: Array, q: Array, n: int, multiplier: float) -> float:
    """Write q for this multiplier and return Σq."""
    total = 0.0
    for j in range(n):
        q[j] = share_at(multiplier / (w[j] * w[j]))
        total += q[j]
    return total
