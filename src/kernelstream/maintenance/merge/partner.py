"""The partner with which merging loses least: bounds for all partners, the exact loss for the few that remain."""

import math
from typing import NamedTuple

import numpy as np

from ...core.numba.lowering import compiled, compiled_nnan, inlined
from ...core.precision import tolerance
from ...core.state import Derived, State
from ...core.types import Array
from .loss import aligned, apart, best_h, exact_loss
from .loss_table import tabulated


class MergeState(NamedTuple):
    tables: Derived
    z: np.ndarray
    a: np.ndarray
    D: np.ndarray  # ‖a_j‖²
    C: np.ndarray  # a_m · a_j
    bound: np.ndarray  # lower bound of the loss with partner j


@inlined
def log_kernel(kappa: float) -> float:
    return math.log(min(max(np.float64(kappa), 1e-300), 1.0))


@compiled
def bounds(own: MergeState, st: State, m: int) -> None:
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
def allow_opposite(own: MergeState, n: int, m: int) -> None:
    """Let in the partners with C < 0, which `bounds` has ruled out: there is no bound, so their loss is computed."""
    for j in range(n):
        own.bound[j] = 0.0 if own.C[j] < 0.0 else own.bound[j]
    own.bound[m] = math.inf


@compiled_nnan
def first_least(v: Array, start: int, n: int) -> int:
    """The index of the smallest, the first among equals."""
    least = v[start]
    for j in range(start, n):
        least = v[j] if v[j] < least else least
    first = n
    for j in range(start, n):  # no early exit, which would not vectorise
        slot = j if v[j] == least else n
        first = slot if slot < first else first
    return first if first < n else start


@compiled
def best_partner(own: MergeState, st: State, m: int, start: int, best: float) -> tuple[int, float, float]:
    """The partner of SV m, from slot `start` on, with a loss below `best`: (slot or −1, h, loss).

    work.column is the column of m, and `bounds` has been called. The most likely partner comes first; after it, h is
    searched only for those that neither the bound nor the tables exclude.
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
                at = 1.0 - best_h(D[j], C[j], A, log_kappa)  # from the smaller one
            loss = exact_loss(A, C[j], D[j], log_kappa, at)
            if loss < best:
                partner, h, best = j, at, loss
    return partner, h, best
