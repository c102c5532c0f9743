"""Support-vector merging: two support vectors are replaced by one between them."""

import math
from typing import Any

import numpy as np

from ...core.changes import drop, record, replace
from ...core.expansion import coefficient, column, squares
from ...core.numba.lowering import compiled
from ...core.precision import tolerance
from ...core.rows import sqnorm
from ...core.state import Derived, State
from ...core.strategy import Dims, strategy
from ...core.types import Parts
from ..base import Choice, Maintenance
from ..choice import Smallest
from ..remove import remove
from .loss_table import tables
from .partner import MergeState, allow_opposite, best_partner, bounds, log_kernel


@compiled
def merge(own: MergeState, r: Parts, st: State, m: int, p: int, h: float, lost: float) -> None:
    """Replace SVs m and p by the point h x_m + (1 − h) x_p, in the slot of p; work.column is the column of m."""
    ex, z, a, b = st.expansion, own.z, own.a, st.work.a
    sv, log_kappa = ex.sv, log_kernel(st.work.column[p])
    lost *= ex.scale[0] * ex.scale[0]
    near_m, near_p = math.exp(log_kappa * (1.0 - h) ** 2), math.exp(log_kappa * h * h)
    for i in range(z.shape[0]):
        z[i] = h * sv[i, m] + (1.0 - h) * sv[i, p]
    zz = sqnorm(z)
    coefficient(ex, p, a)
    r.norm.taking_sv(st.norm, r, st, p, a)
    coefficient(ex, m, b)
    r.norm.taking_sv(st.norm, r, st, m, b)
    for c in range(a.shape[0]):
        a[c] = near_m * b[c] + near_p * a[c]
        b[c] = -a[c]
    r.norm.taking(st.norm, r, st, z, zz, b)
    r.norm.shifted(st.norm, lost)
    replace(r, st, p, z, zz, a)
    drop(r, st, m)
    record(st, lost)


def _init(self: Any, dims: Dims) -> MergeState:
    cap = dims.capacity
    return MergeState(
        Derived(tables()), np.zeros(dims.features, dims.dtype), np.zeros(dims.outputs), np.zeros(cap), np.zeros(cap),
        np.zeros(cap),
    )  # fmt: skip


@strategy
class Merge(Maintenance):
    """Support-vector merging: the smallest with the partner that loses least (Gaussian kernel only).

    With several classes the loss is that of all outputs together. Partners with a_m·a_n < 0, whose best point lies
    beyond them, are used only if there is no other, which is the more stable; with `opposite` they compete with all
    others for the least loss, as in BPegasos.

    Parameters
    ----------
    choice : Choice, default Smallest()
        Which support vector is merged.
    opposite : bool, default False
        Whether partners of the opposite sign compete with all others.
    """

    choice: Choice = Smallest()
    opposite: bool = False
    needs_merging = True
    init = _init

    @property
    def needs_inverse(self) -> bool:
        return self.choice.needs_inverse

    def reduce(self, own: MergeState, r: Parts, st: State) -> None:
        m = self.choice.pick(r, st)
        column(r, st, m)
        squares(st.expansion, own.D)
        bounds(own, st, m)
        if self.opposite:
            allow_opposite(own, st.expansion.n[0], m)
        partner, h, lost = best_partner(own, st, m, 0, math.inf)
        if partner < 0:
            allow_opposite(own, st.expansion.n[0], m)
            partner, h, lost = best_partner(own, st, m, 0, math.inf)
        if partner < 0:
            remove(r, st, m)
        else:
            merge(own, r, st, m, partner, h, lost)


@strategy
class MergeBestPair(Maintenance):
    """Support-vector merging of the pair that loses least of all (Gaussian kernel only): O(n²) each time.

    Pairs with a_m·a_n < 0 are used as in `Merge`.

    Parameters
    ----------
    opposite : bool, default False
        Whether partners of the opposite sign compete with all others.
    """

    opposite: bool = False
    needs_merging = True
    init = _init

    def reduce(self, own: MergeState, r: Parts, st: State) -> None:
        n = squares(st.expansion, own.D)
        best, which, partner, at = math.inf, -1, -1, 0.0
        for turn in range(2):
            if partner >= 0:
                break
            for m in range(n):
                column(r, st, m)
                bounds(own, st, m)
                if turn == 1 or self.opposite:
                    allow_opposite(own, n, m)
                p, h, lost = best_partner(own, st, m, m + 1, best)
                if p >= 0:
                    best, which, partner, at = lost, m, p, h
        if partner < 0:
            remove(r, st, 0)
            return
        if own.D[partner] * (1.0 + tolerance(st.expansion.sv)) < own.D[which]:
            which, partner, at = partner, which, 1.0 - at  # the smaller one moves
        column(r, st, which)
        merge(own, r, st, which, partner, at, best)
