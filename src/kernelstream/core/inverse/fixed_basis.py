"""Learning on a basis that is given once and for all."""

from ..expansion import spread
from ..strategy import strategy
from .base import Inverse


@strategy
class FixedBasis(Inverse):
    """Orthonormal features z(x) in the place of kernel values: f ← f + a z(x)·, for every example."""

    def absorb(self, own, r, st, a, kxx, verdict):
        n, row, v = st.expansion.n[0], st.work.row, st.work.weight
        length = 0.0
        for j in range(n):
            v[j] = row[j]
            length += v[j] * v[j]
        r.norm.adding(st.norm, r, st, a, length)
        spread(r, st, v, a)
        return True
