"""Q = (K + jitter)⁻¹ of all support vectors, kept by rank-one updates.

With Q of *all* SVs, rather than of all but one, projecting SV p on the others has coefficients −Q_ip/Q_pp and loses
‖a_p‖²/Q_pp: the best p costs O(n) to find. A new SV costs O(n²) (bordering), a removed one too (Schur complement).
"""

from typing import NamedTuple

import numpy as np

from .._lowering import inlined
from ..admission.base import FOLD
from ..expansion import column, jitter, record, spread
from ..state import one
from ..strategy import lowered, strategy
from .base import Inverse

_CHECK_EVERY = 128


@inlined
def dependent(sv):
    """Squared distance from the span, relative to κ(x, x), below which a point is folded in: 1/Q stays well above the
    rounding of rank-one updates."""
    return 1e-6 if sv.itemsize == 8 else 1.6e-5


class InverseState(NamedTuple):
    Q: np.ndarray
    v: np.ndarray  # Q k of the example in hand
    residual: np.ndarray  # κ(x, x) − kᵀQk
    changes: np.ndarray


@strategy
class KernelInverse(Inverse):
    """float64, whatever the store; a point within rounding of the span of the others is folded in, not added."""

    def init(self, dims):
        cap = dims.capacity
        return InverseState(np.zeros((cap, cap)), np.zeros(cap), one(), one(0, np.int64))

    @lowered
    def project(self, own, st, row, n, kxx):
        """own.v = Q k and own.residual, the squared distance of κ(x, ·) from the span."""
        Q, v = own.Q, own.v
        inside = 0.0
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += Q[i, j] * row[j]
            v[i] = total
            inside += total * row[i]
        own.residual[0] = max(kxx - inside, 0.0)

    def absorb(self, own, r, st, a, kxx, verdict):
        n = st.expansion.n[0]
        self.project(own, st, st.work.row, n, kxx)
        residual = own.residual[0]
        if verdict != FOLD and residual > dependent(st.expansion.sv) * kxx:
            return False
        r.norm.adding(st.norm, r, st, a, kxx - residual)
        spread(r, st, own.v, a)
        square = 0.0
        for c in range(a.shape[0]):
            square += a[c] * a[c]
        record(st, square * residual)
        return True

    def inserted(self, own, r, st, j):
        self.border(own, st, j)
        own.changes[0] += 1
        if own.changes[0] % _CHECK_EVERY == 0 and self.drifted(own, r, st):
            self.rebuild(own, r, st)

    @lowered
    def border(self, own, st, j):
        """Extend Q from j to j + 1 points, with v and the residual of the new one."""
        Q, v = own.Q, own.v
        q = 1.0 / (own.residual[0] + jitter(st.expansion.sv) * st.expansion.diag[j])
        for i in range(j):
            a = v[i] * q
            for k in range(j):
                Q[i, k] += a * v[k]
            Q[i, j] = -a
            Q[j, i] = -a
        Q[j, j] = q

    def dropping(self, own, r, st, j):
        Q, v = own.Q, own.v
        n = st.expansion.n[0]
        last = n - 1
        q = 1.0 / Q[j, j]
        for i in range(n):
            v[i] = Q[j, i]
        for i in range(n):
            a = v[i] * q
            for k in range(n):
                Q[i, k] -= a * v[k]
        if j != last:
            for i in range(n):
                Q[i, j] = Q[i, last]
            for i in range(n):
                Q[j, i] = Q[last, i]
            Q[j, j] = Q[last, last]

    def replaced(self, own, r, st, j):
        self.rebuild(own, r, st)

    @lowered
    def drifted(self, own, r, st):
        """Whether rounding has added up: one column of QK is compared with that of the identity."""
        ex, Q, k = st.expansion, own.Q, st.work.column
        n = ex.n[0]
        j = own.changes[0] // _CHECK_EVERY % n
        column(r, st, j)
        worst = 0.0
        for i in range(n):
            total = Q[i, j] * jitter(st.expansion.sv) * ex.diag[j]
            for m in range(n):
                total += Q[i, m] * k[m]
            worst = max(worst, abs(total - (1.0 if i == j else 0.0)))
        return not worst < (1e-6 if ex.sv.itemsize == 8 else 1e-2)

    @lowered
    def rebuild(self, own, r, st):
        """Q from nothing, one point after the other: O(n³), as a Cholesky factorisation would be."""
        ex, work = st.expansion, st.work
        for j in range(ex.n[0]):
            column(r, st, j)
            self.project(own, st, work.column, j, ex.diag[j])
            self.border(own, st, j)

    def adopt(self, own, gram):
        n = len(gram)
        own.Q[:n, :n] = np.linalg.inv(gram + 1e-9 * np.diag(np.diag(gram)))  # a dictionary that nobody has thinned
