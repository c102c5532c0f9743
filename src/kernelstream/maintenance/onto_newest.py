"""BPA's maintenance: projection onto the newest support vector, alone or with a neighbour."""

from typing import Any, NamedTuple

import numpy as np

from ..core.changes import drop, record, spread
from ..core.expansion import coefficient, column, squared, squares
from ..core.numba.lowering import compiled
from ..core.precision import jitter
from ..core.state import State
from ..core.strategy import Dims, strategy
from ..core.types import Parts
from .base import Maintenance
from .choice import oldest_smallest


class NewestState(NamedTuple):
    row: np.ndarray  # kernel values of the newest SV
    near: np.ndarray  # for every SV, its nearest other than the newest
    d: np.ndarray  # (2, capacity): coefficients of the projection on the newest and on the nearest
    a: np.ndarray


def _init(self: Any, dims: Dims) -> NewestState:
    cap = dims.capacity
    return NewestState(np.zeros(cap), np.zeros(cap, np.int64), np.zeros((2, cap)), np.zeros(dims.outputs))


@compiled
def start(own: NewestState, r: Parts, st: State) -> int:
    """The newest SV's kernel values; returns its slot."""
    newest = st.expansion.n[0] - 1
    column(r, st, newest)
    for j in range(newest + 1):
        own.row[j] = st.work.column[j]
    return newest


@compiled
def finish(own: NewestState, r: Parts, st: State, newest: int) -> None:
    """work.weight[j] is the share of ‖a_j‖² that projecting j would lose: choose, project, remove."""
    ex, w, v, a = st.expansion, st.work.weight, own.row, st.work.a
    for j in range(newest):
        v[j] = max(w[j], 0.0)
    squares(ex, w)
    common = w[newest] * ex.diag[newest]  # moved by the step itself: the same for all candidates; included for ties
    for j in range(newest):
        w[j] = w[j] * v[j] + common
    p = oldest_smallest(w, ex, newest)
    lost = v[p]
    for j in range(newest + 1):
        v[j] = 0.0
    if own.near[p] >= 0:
        v[own.near[p]] = own.d[1, p]
    v[newest] = own.d[0, p]
    v[p] = -1.0
    coefficient(ex, p, a)
    lost *= squared(a)
    r.norm.taking_sv(st.norm, r, st, p, a)
    for i in range(newest + 1):
        if i != p and v[i] != 0.0:
            for c in range(a.shape[0]):
                own.a[c] = -v[i] * a[c]
            r.norm.taking_sv(st.norm, r, st, i, own.a)
    r.norm.shifted(st.norm, lost)
    spread(r, st, v, a)
    drop(r, st, p)
    record(st, lost)


@strategy
class ProjectOnNewest(Maintenance):
    """BPA-S: project the support vector that loses least, ‖a_j‖²(κ_jj − κ_jt²/κ_tt), onto the newest one."""

    init = _init

    def reduce(self, own: NewestState, r: Parts, st: State) -> None:
        ex, w = st.expansion, st.work.weight
        newest = start(own, r, st)
        for j in range(newest):
            own.near[j] = -1
            own.d[0, j] = own.row[j] / ex.diag[newest]
            w[j] = ex.diag[j] - own.row[j] * own.d[0, j]
        finish(own, r, st, newest)


@strategy
class ProjectOnNewestAndNearest(Maintenance):
    """BPA-NN: the same onto the newest and the one nearest to j: the most correlated, which for a radial kernel is the
    least distant. Finding all neighbours costs O(n²) each time.
    """

    init = _init

    def reduce(self, own: NewestState, r: Parts, st: State) -> None:
        ex, w, k = st.expansion, st.work.weight, st.work.column
        newest = start(own, r, st)
        ktt = ex.diag[newest]
        for j in range(newest):
            column(r, st, j)
            near = -1
            for i in range(newest):
                if i != j and (near < 0 or k[i] * k[i] / ex.diag[i] > k[near] * k[near] / ex.diag[near]):
                    near = i
            own.near[j] = near
            own.d[0, j] = own.row[j] / ktt
            w[j] = ex.diag[j] - own.row[j] * own.d[0, j]
            if near >= 0:
                # the neighbour's part that is orthogonal to the newest, against that of j
                knt, knn = own.row[near], ex.diag[near]
                rest = knn - knt * knt / ktt
                if rest > 16.0 * jitter(ex.sv) * knn:
                    own.d[1, j] = (k[near] - own.row[j] * knt / ktt) / rest
                    w[j] -= own.d[1, j] * own.d[1, j] * rest
                    own.d[0, j] -= own.d[1, j] * knt / ktt
                else:
                    own.near[j] = -1
        finish(own, r, st, newest)
