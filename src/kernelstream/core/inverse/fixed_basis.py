"""Learning on a fixed basis."""

from ..changes import spread
from ..state import State
from ..strategy import strategy
from ..types import Array, Own, Parts
from .base import Inverse


@strategy
class FixedBasis(Inverse):
    """Orthonormal features z(x) instead of kernel values: f ← f + a z(x)·, for every example."""

    def absorb(self, own: Own, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        n, row, v = st.expansion.n[0], st.work.row, st.work.weight
        length = 0.0
        for j in range(n):
            v[j] = row[j]
            length += v[j] * v[j]
        r.norm.adding(st.norm, r, st, a, length)
        spread(r, st, v, a)
        return True
