"""Q = (K + jitter)⁻¹ of all support vectors, kept by rank-one updates.

With Q of *all* SVs, rather than of all but one, projecting SV p on the others has coefficients −Q_ip/Q_pp and loses
‖a_p‖²/Q_pp: the best p costs O(n) to find. A new SV costs O(n²) (bordering), a removed one too (Schur complement).
"""

from typing import NamedTuple

import numpy as np

from ..changes import record, spread
from ..expansion import column, squared
from ..precision import dependent, drift, jitter
from ..state import State, one
from ..strategy import Dims, lowered, strategy
from ..types import Array, Parts
from ..verdicts import FOLD
from .base import Inverse
from .symmetric import Symmetric, aligned, multiply, read_row, symmetric
from .updates import border, clear, shrink

_CHECK_EVERY = 128


class InverseState(NamedTuple):
    Q: Symmetric
    v: np.ndarray  # Q k of the current example
    residual: np.ndarray  # κ(x, x) − kᵀQk
    known: np.ndarray  # the example and the number of SVs that v and the residual belong to
    changes: np.ndarray


@strategy
class KernelInverse(Inverse):
    """Q in float64 by rank-one updates. A point in the span of the others, up to rounding, is projected, not added."""

    def init(self, dims: Dims) -> InverseState:
        cap = dims.capacity
        return InverseState(symmetric(cap), aligned(cap), one(), np.full(2, -1), one(0, np.int64))

    def residual(self, own: InverseState, r: Parts, st: State, kxx: float) -> float:
        n, seen = st.expansion.n[0], st.run.seen[0]
        # admission may have computed it already; in a mini-batch the row belongs to another example
        if r.batch > 1 or own.known[0] != seen or own.known[1] != n:
            own.residual[0] = max(kxx - multiply(own.Q, st.work.row, n, own.v), 0.0)
            own.known[0], own.known[1] = seen, n
        return own.residual[0]

    def absorb(self, own: InverseState, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        residual = self.residual(own, r, st, kxx)
        if verdict != FOLD and residual > dependent(st.expansion.sv) * kxx:
            return False
        r.norm.adding(st.norm, r, st, a, kxx - residual)
        spread(r, st, own.v, a)
        record(st, squared(a) * residual)
        return True

    def inserted(self, own: InverseState, r: Parts, st: State, j: int) -> None:
        ex = st.expansion
        border(own.Q, own.v, j, own.residual[0] + jitter(ex.sv) * ex.diag[j])
        own.changes[0] += 1
        if own.changes[0] % _CHECK_EVERY == 0 and self.drifted(own, r, st):
            self.rebuild(own, r, st)

    def dropping(self, own: InverseState, r: Parts, st: State, j: int) -> None:
        shrink(own.Q, j, st.expansion.n[0])

    def replaced(self, own: InverseState, r: Parts, st: State, j: int) -> None:
        self.rebuild(own, r, st)

    @lowered
    def drifted(self, own: InverseState, r: Parts, st: State) -> bool:
        """Whether rounding errors have accumulated: one column of QK is compared with that of the identity."""
        ex, v, row = st.expansion, own.v, st.work.weight
        n = ex.n[0]
        j = own.changes[0] // _CHECK_EVERY % n
        column(r, st, j)
        multiply(own.Q, st.work.column, n, v)
        read_row(own.Q, j, n, row)
        worst = 0.0
        for i in range(n):
            total = v[i] + row[i] * jitter(ex.sv) * ex.diag[j]
            worst = max(worst, abs(total - (1.0 if i == j else 0.0)))
        return not worst < drift(ex.sv)

    @lowered
    def rebuild(self, own: InverseState, r: Parts, st: State) -> None:
        """Q from scratch, one point after another: O(n³), as for a Cholesky factorisation."""
        ex, work = st.expansion, st.work
        clear(own.Q, ex.n[0])
        for j in range(ex.n[0]):
            column(r, st, j)
            inside = multiply(own.Q, work.column, j, own.v)
            border(own.Q, own.v, j, max(ex.diag[j] - inside, 0.0) + jitter(ex.sv) * ex.diag[j])

    def adopt(self, own: InverseState, gram: Array, coef: Array) -> None:
        n = len(gram)
        for part in own.Q:
            part[:] = 0
        # the points may be nearly dependent
        own.Q.lower[:n, :n] = np.linalg.inv(gram + 1e-9 * np.diag(np.diag(gram)))
