"""Merging: two support vectors become one between them."""

import math
from typing import NamedTuple

import numpy as np

from .._lowering import compiled, inlined
from ..expansion import coefficient, column, drop, record, replace, squares, tolerance
from ..rows import sqnorm
from ..state import Derived
from ..strategy import strategy
from .base import Choice, Maintenance
from .choice import Smallest
from .merge_table import best_h, exact_loss, lower_bound, tables
from .remove import remove


class MergeState(NamedTuple):
    tables: Derived
    z: np.ndarray
    a: np.ndarray
    D: np.ndarray  # ‖a_j‖²
    C: np.ndarray  # a_m · a_j
    w: np.ndarray  # the smaller one's share of ‖a_m‖ + ‖a_j‖
    rho: np.ndarray  # cosine of a_m and a_j
    bound: np.ndarray  # lower bound of the loss with partner j


@inlined
def overlaps(ex, m, out):
    """out[j] = a_m · a_j."""
    coef, n = ex.coef, ex.n[0]
    for j in range(n):
        out[j] = coef[0, m] * coef[0, j]
    for c in range(1, coef.shape[0]):
        for j in range(n):
            out[j] += coef[c, m] * coef[c, j]


@inlined
def smaller(D, m, j, equal):
    """Whether m is the one that moves to j: it has the smaller coefficient, or the lower slot of equals."""
    return D[j] > D[m] * (1.0 + equal) or (D[j] * (1.0 + equal) >= D[m] and j > m)


@inlined
def log_kernel(kappa):
    return math.log(min(max(np.float64(kappa), 1e-300), 1.0))


@compiled
def cosines(own, n, A):
    """ρ = a_m·a_j/(‖a_m‖‖a_j‖) and w, the smaller one's share of ‖a_m‖ + ‖a_j‖: roots and quotients, many at a time."""
    D, C, w, rho = own.D, own.C, own.w, own.rho
    size = math.sqrt(A)
    for j in range(n):
        other = math.sqrt(D[j])
        w[j] = min(size, other) / max(size + other, 1e-300)
        rho[j] = C[j] / max(size * other, 1e-300)


@compiled
def best_partner(own, st, m, any_order, opposite, best):
    """The partner of SV m with a loss below `best`: (slot or −1, h, loss). work.column is the column of m.

    Partners are tried by the table's lower bound first; only those that it does not rule out cost a search for h.
    """
    ex, k = st.expansion, st.work.column
    D, C, w, rho, bound = own.D, own.C, own.w, own.rho, own.bound
    apart, aligned = own.tables.value.apart, own.tables.value.aligned
    n, A, equal = ex.n[0], D[m], tolerance(ex.sv)
    overlaps(ex, m, C)
    cosines(own, n, A)
    first = -1
    for j in range(n):
        bound[j] = math.inf
        if abs(rho[j]) <= equal:
            C[j], rho[j] = 0.0, 0.0  # classes with nothing in common: a sign made by rounding must not decide
        if j != m and (rho[j] >= 0.0) != opposite and (any_order or smaller(D, m, j, equal)):
            kappa = min(np.float64(k[j]), 1.0)
            bound[j] = 0.0 if opposite else min(A, D[j]) * lower_bound(apart, aligned, rho[j], w[j], kappa)
            if first < 0 or bound[j] < bound[first]:
                first = j
    partner, h = -1, 0.0
    j = first
    for i in range(-1, n):
        if i >= 0:
            j = i
        if j >= 0 and i != first and bound[j] < best:
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
        np.zeros(cap), np.zeros(cap), np.zeros(cap),
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
        partner, h, lost = best_partner(own, st, m, True, False, math.inf)
        if partner < 0:
            partner, h, lost = best_partner(own, st, m, True, True, math.inf)
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
        for opposite in (False, True):
            if partner >= 0:
                break
            for m in range(n):
                column(r, st, m)
                p, h, lost = best_partner(own, st, m, False, opposite, best)
                if p >= 0:
                    best, which, partner, at = lost, m, p, h
        if partner < 0:
            remove(r, st, 0)
            return
        column(r, st, which)
        merge(own, r, st, which, partner, at, best)
