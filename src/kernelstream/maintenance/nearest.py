"""Projection onto the few nearest support vectors, without an inverse of the whole Gram matrix."""

from typing import NamedTuple

import numpy as np

from ..core.changes import drop, record, spread
from ..core.expansion import coefficient, column, load, squared
from ..core.numba.lowering import compiled
from ..core.precision import jitter
from ..core.state import State
from ..core.strategy import Count, Dims, strategy
from ..core.types import Array, Parts
from .base import Choice, Maintenance
from .choice import Smallest


class NearestState(NamedTuple):
    near: np.ndarray  # slots of the neighbours
    x: np.ndarray  # (k, d) the neighbours themselves
    L: np.ndarray  # (k, k) Gram matrix, then its Cholesky factor
    d: np.ndarray
    a: np.ndarray


@compiled
def find_nearest(st: State, p: int, near: Array) -> int:
    """The SVs most correlated with SV p by work.column, best first; returns their number."""
    ex, k, close = st.expansion, st.work.column, st.work.weight
    n, diag, most, found = ex.n[0], ex.diag, near.shape[0], 0
    for j in range(n):
        # the squared correlation, up to a common factor; a point of norm 0 is close to nothing
        close[j] = k[j] * k[j] / diag[j] if diag[j] > 0.0 else 0.0
    for j in range(n):
        if j == p or (found == most and close[j] <= close[near[most - 1]]):
            continue
        i = min(found, most - 1)
        while i > 0 and close[j] > close[near[i - 1]]:
            near[i] = near[i - 1]
            i -= 1
        near[i] = j
        found = min(found + 1, most)
    return found


@compiled
def solve(L: Array, d: Array, k: int) -> None:
    """d ← L⁻¹ d for a symmetric positive definite k × k matrix, which is overwritten by its Cholesky factor."""
    for i in range(k):
        for j in range(i + 1):
            s = L[i, j]
            for m in range(j):
                s -= L[i, m] * L[j, m]
            L[i, j] = s / L[j, j] if i != j else max(s, 1e-12) ** 0.5
    for i in range(k):
        for m in range(i):
            d[i] -= L[i, m] * d[m]
        d[i] /= L[i, i]
    for i in range(k - 1, -1, -1):
        for m in range(i + 1, k):
            d[i] -= L[m, i] * d[m]
        d[i] /= L[i, i]


@strategy
class ProjectOnNearest(Maintenance):
    """Project the chosen support vector onto the k most correlated with it: for a radial kernel, the k nearest.

    Parameters
    ----------
    k : int, default 4
        The number of support vectors that it is projected onto.
    choice : Choice, default Smallest()
        Which support vector is projected.
    """

    k: Count = 4
    choice: Choice = Smallest()

    @property
    def needs_inverse(self) -> bool:
        return self.choice.needs_inverse

    def init(self, dims: Dims) -> NearestState:
        k = self.k
        return NearestState(
            np.zeros(k, np.int64), np.zeros((k, dims.features), dims.dtype), np.zeros((k, k)), np.zeros(k),
            np.zeros(dims.outputs),
        )  # fmt: skip

    def reduce(self, own: NearestState, r: Parts, st: State) -> None:
        ex, a, v, row = st.expansion, st.work.a, st.work.weight, st.work.column
        near, d = own.near, own.d
        p = self.choice.pick(r, st)
        column(r, st, p)
        k = find_nearest(st, p, near)
        for i in range(k):
            load(ex, near[i], own.x[i])
            d[i] = row[near[i]]
            own.L[i, i] = ex.diag[near[i]] * (1.0 + jitter(ex.sv))
            for j in range(i):
                own.L[i, j] = r.kernel.pair(own.x[i], own.x[j])
        solve(own.L, d, k)
        coefficient(ex, p, a)
        share = ex.diag[p]
        for i in range(k):
            # ‖Δ‖² of a solution that the jitter has moved off the optimum
            share -= d[i] * (row[near[i]] + jitter(ex.sv) * ex.diag[near[i]] * d[i])
        lost = squared(a) * max(share, 0.0)
        for j in range(ex.n[0]):
            v[j] = 0.0
        v[p] = -1.0
        r.norm.taking_sv(st.norm, r, st, p, a)
        for i in range(k):
            v[near[i]] = d[i]
            for c in range(a.shape[0]):
                own.a[c] = -d[i] * a[c]
            r.norm.taking_sv(st.norm, r, st, near[i], own.a)
        r.norm.shifted(st.norm, lost)
        spread(r, st, v, a)
        drop(r, st, p)
        record(st, lost)
