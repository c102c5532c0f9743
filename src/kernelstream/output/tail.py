"""The mean of the last half to three quarters of the iterates, without knowing how many there will be."""

from typing import NamedTuple

from ..core.numba.lowering import compiled
from ..core.state import Expansion, State
from ..core.strategy import Dims, strategy
from ..core.types import Array, Parts
from . import sums
from .base import Output


class TailState(NamedTuple):
    even: sums.Sum
    odd: sums.Sum


@compiled
def older(own: TailState) -> sums.Sum:
    return own.even if own.even.terms[0] >= own.odd.terms[0] else own.odd


@strategy
class Tail(Output):
    """The mean of the last half to three quarters of the iterates: of f_{s+1} … f_t, s half the largest power of 2 ≤ t.

    Two sums are restarted at alternate powers of two; the older one predicts.
    """

    def init(self, dims: Dims) -> TailState:
        return TailState(sums.new_sum(dims), sums.new_sum(dims))

    def update(self, own: TailState, r: Parts, st: State) -> None:
        t = st.run.t[0]
        sums.add(own.even, st.expansion)
        sums.add(own.odd, st.expansion)
        if t & (t - 1) == 0:  # after f_t has come in: started with f_t, the mean would cover more than three quarters
            sums.clear(older(own), st.expansion)

    def inserted(self, own: TailState, r: Parts, st: State, j: int) -> None:
        sums.start(own.even, st.expansion, j)
        sums.start(own.odd, st.expansion, j)

    def dropping(self, own: TailState, r: Parts, st: State, j: int) -> None:
        sums.leave(own.even, st.expansion, j)
        sums.leave(own.odd, st.expansion, j)

    def retiring(self, own: TailState, r: Parts, st: State, j: int) -> None:
        sums.retire(own.even, st.expansion, j)
        sums.retire(own.odd, st.expansion, j)

    def spread(self, own: TailState, ex: Expansion, c: int, q: float, v: Array) -> None:
        sums.spread_over(own.even, ex, c, q, v)
        sums.spread_over(own.odd, ex, c, q, v)

    def changed(self, own: TailState, c: int, j: int, change: float) -> None:
        own.even.q[c, j] += own.even.P[0] * change
        own.odd.q[c, j] += own.odd.P[0] * change

    def settling(self, own: TailState, ex: Expansion) -> None:
        sums.settle(own.even, ex)
        sums.settle(own.odd, ex)

    def room(self, own: TailState, removals: int) -> bool:
        return max(own.even.n[0], own.odd.n[0]) + removals <= own.even.sq.shape[0]

    def weights(self, own: TailState, ex: Expansion, out: Array) -> int:
        return sums.mean_weights(older(own), ex, out)

    def retired(self, own: TailState, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        s = own.even if own.even.terms[0] >= own.odd.terms[0] else own.odd
        return s.sv, s.sq, s.coef, s.n[0], 1.0 / max(s.terms[0], 1.0)

    def restart(self, own: TailState, ex: Expansion) -> None:
        for s in own:
            s.q[...], s.P[0], s.terms[0], s.n[0] = 0.0, 1.0, 1.0, 0
