"""Merging: two support vectors become one between them."""

import math
from typing import NamedTuple

import numpy as np

from .._lowering import compiled, compiled_nnan, inlined
from ..expansion import coefficient, column, drop, record, replace, squares, tolerance
from ..rows import sqnorm
from ..state import Derived
from ..strategy import strategy
from .base import Choice, Maintenance
from .choice import Smallest
from .merge_loss import aligned, apart, best_h, exact_loss
from .merge_table import tables, tabulated
from .remove import remove


class MergeState(NamedTuple):
    tables: Derived
    z: np.ndarray
    a: np.ndarray
    D: np.ndarray  # ‖a_j‖²
    C: np.ndarray  # a_m · a_j
    bound: np.ndarray  # lower bound of the loss with partner j


@inlined
def log_kernel(kappa):
    return math.log(min(max(np.float64(kappa), 1e-300), 1.0))


@compiled
def bounds(own, st, m):
    """C[j] = a_m·a_j, and for every partner with C[j] ≥ 0 a lower bound of the loss; ∞ for the others.

    Loops without branches, so that they vectorise: a merge tries all partners, and few of them cost more than this.
    """
    ex, k = st.expansion, st.work.column
    D, C, bound, coef = own.D, own.C, own.bound, ex.coef
    n, A, equal = ex.n[0], own.D[m], tolerance(ex.sv)
    if coef.shape[0] == 1:
        a, size = coef[0, m], abs(coef[0, m])
        for j in range(n):
            other, kappa = abs(coef[0, j]), min(np.float64(k[j]), 1.0)
            small, far = min(size, other), 1.0 - kappa
            C[j] = a * coef[0, j]
            loss = small * small * far * far * aligned(small / max(max(size, other), 1e-300), kappa)
            bound[j] = loss if C[j] >= 0.0 else math.inf
    else:
        for j in range(n):
            C[j] = 0.0
        for c in range(coef.shape[0]):
            a = coef[c, m]
            if a != 0.0:
                for j in range(n):
                    C[j] += a * coef[c, j]
        for j in range(n):
            small, large, kappa = min(A, D[j]), max(max(A, D[j]), 1e-300), min(np.float64(k[j]), 1.0)
            s, far = math.sqrt(small / large), 1.0 - kappa
            # classes with nothing in common: a sign made by rounding must not decide
            C[j] = C[j] if abs(C[j]) > equal * large * s else 0.0
            along = min(C[j] * s, small)
            loss = far * (along * far * aligned(s, kappa) + (small - along) * apart(s, kappa))
            bound[j] = loss if C[j] >= 0.0 else math.inf
    bound[m] = math.inf


@compiled
def opposite(own, n, m):
    """The partners that `bounds` ruled out: only the loss itself will do for them."""
    for j in range(n):
        own.bound[j] = 0.0 if own.C[j] < 0.0 else math.inf
    own.bound[m] = math.inf


@compiled_nnan
def first_least(v, start, n):
    """Where the first of the smallest is."""
    least = v[start]
    for j in range(start, n):
        least = v[j] if v[j] < least else least
    first = n
    for j in range(start, n):  # to the end, because a loop that may stop does not vectorise
        slot = j if v[j] == least else n
        first = slot if slot < first else first
    return first if first < n else start


@compiled
def best_partner(own, st, m, start, best):
    """The partner of SV m, from slot `start` on, with a loss below `best`: (slot or −1, h, loss).

    work.column is the column of m, and `bounds` has been called. The likeliest partner comes first; after it, only
    those that neither the bound nor the tables rule out cost a search for h.
    """
    ex, k = st.expansion, st.work.column
    D, C, bound = own.D, own.C, own.bound
    n, A, equal = ex.n[0], D[m], tolerance(ex.sv)
    partner, h = -1, 0.0
    first = first_least(bound, start, n) if start < n else n
    for i in range(start - 1, n):
        j = first if i < start else i
        if j >= n or i == first or bound[j] >= best:
            continue
        if C[j] < 0.0 or tabulated(own, A, C[j], D[j], min(np.float64(k[j]), 1.0)) < best:
            log_kappa = log_kernel(k[j])
            if D[j] * (1.0 + equal) >= A:
                at = best_h(A, C[j], D[j], log_kappa)
            else:
                at = 1.0 - best_h(D[j], C[j], A, log_kappa)  # seen from the smaller one
            loss = exact_loss(A, C[j], D[j], log_kappa, at)
            if loss < best:
                partner, h, best = j, at, loss
    return partner, h, best


@compiled
def merge(own, r, st, m, p, h, lost):
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


def _init(self, dims):
    cap = dims.capacity
    return MergeState(
        Derived(tables()), np.zeros(dims.features, dims.dtype), np.zeros(dims.outputs), np.zeros(cap), np.zeros(cap),
        np.zeros(cap),
    )  # fmt: skip


@strategy
class Merge(Maintenance):
    """Merge the smallest support vector with the partner that loses least (Gaussian kernel only).

    With several classes the loss is that of all outputs together. Partners with a_m·a_n < 0, whose best point lies
    beyond them, are taken only when there is no other.
    """

    choice: Choice = Smallest()
    needs_merging = True
    init = _init

    @property
    def needs_inverse(self) -> bool:
        return self.choice.needs_inverse

    def reduce(self, own, r, st):
        m = self.choice.pick(r, st)
        column(r, st, m)
        squares(st.expansion, own.D)
        bounds(own, st, m)
        partner, h, lost = best_partner(own, st, m, 0, math.inf)
        if partner < 0:
            opposite(own, st.expansion.n[0], m)
            partner, h, lost = best_partner(own, st, m, 0, math.inf)
        if partner < 0:
            remove(r, st, m)
        else:
            merge(own, r, st, m, partner, h, lost)


@strategy
class MergeBestPair(Maintenance):
    """Merge the two support vectors that lose least of all pairs: O(n²) per act."""

    needs_merging = True
    init = _init

    def reduce(self, own, r, st):
        n = squares(st.expansion, own.D)
        best, which, partner, at = math.inf, -1, -1, 0.0
        for turn in range(2):
            if partner >= 0:
                break
            for m in range(n):
                column(r, st, m)
                bounds(own, st, m)
                if turn == 1:
                    opposite(own, n, m)
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
