"""A running sum of functions, evaluated lazily.

While a coefficient a_j is constant, its share of Σ_t f_t grows by a_j times the current scale. So a single number, the
sum P of the scales, describes all of them: Σ_t (share of j) = a_j P − q_j, where q_j changes only when a_j does. The
share of a support vector that is removed or moved is stored with the retired ones.
"""

from typing import NamedTuple

import numpy as np

from ..core.numba.lowering import compiled
from ..core.state import Expansion, one
from ..core.strategy import Dims
from ..core.types import Array


class Sum(NamedTuple):
    q: np.ndarray  # (c, capacity)
    P: np.ndarray
    terms: np.ndarray  # number of functions added
    sv: np.ndarray  # the retired support vectors: (d, retired), whose shares are final
    sq: np.ndarray
    coef: np.ndarray
    n: np.ndarray


def new_sum(dims: Dims) -> Sum:
    d, c, retired = dims.features, dims.outputs, dims.retired
    return Sum(
        np.zeros((c, dims.capacity)), one(), one(),
        np.zeros((d, retired), dims.dtype), np.zeros(retired), np.zeros((c, retired)), one(0, np.int64),
    )  # fmt: skip


@compiled
def add(s: Sum, ex: Expansion) -> None:
    """Σ ← Σ + f."""
    s.P[0] += ex.scale[0]
    s.terms[0] += 1.0


@compiled
def clear(s: Sum, ex: Expansion) -> None:
    """Σ ← 0."""
    s.P[0] = 0.0
    s.terms[0] = 0.0
    s.n[0] = 0
    q = s.q
    for c in range(q.shape[0]):
        for j in range(ex.n[0]):
            q[c, j] = 0.0


@compiled
def start(s: Sum, ex: Expansion, j: int) -> None:
    """Slot j starts with a share of 0."""
    for c in range(s.q.shape[0]):
        s.q[c, j] = ex.coef[c, j] * s.P[0]


@compiled
def retire(s: Sum, ex: Expansion, j: int) -> None:
    """Store the share of SV j with the retired ones."""
    m, q, coef = s.n[0], s.q, ex.coef
    some = False
    for c in range(q.shape[0]):
        share = coef[c, j] * s.P[0] - q[c, j]
        some = some or share != 0.0
    if not some:
        return
    for c in range(q.shape[0]):
        s.coef[c, m] = coef[c, j] * s.P[0] - q[c, j]
    for k in range(ex.sv.shape[0]):
        s.sv[k, m] = ex.sv[k, j]
    s.sq[m] = ex.sq[j]
    s.n[0] = m + 1


@compiled
def leave(s: Sum, ex: Expansion, j: int) -> None:
    """SV j is removed; the last one takes its slot."""
    retire(s, ex, j)
    for c in range(s.q.shape[0]):
        s.q[c, j] = s.q[c, ex.n[0] - 1]


@compiled
def spread_over(s: Sum, ex: Expansion, c: int, amount: float, v: Array) -> None:
    q, P = s.q, s.P[0]
    for j in range(ex.n[0]):
        q[c, j] += P * amount * v[j]


@compiled
def settle(s: Sum, ex: Expansion) -> None:
    """Move every share into q, so that P restarts from 0 and does not lose digits."""
    q, coef, P = s.q, ex.coef, s.P[0]
    for c in range(q.shape[0]):
        for j in range(ex.n[0]):
            q[c, j] -= coef[c, j] * P
    s.P[0] = 0.0


@compiled
def mean_weights(s: Sum, ex: Expansion, out: Array) -> int:
    q, coef, P = s.q, ex.coef, s.P[0]
    factor = 1.0 / max(s.terms[0], 1.0)
    n = ex.n[0]
    for c in range(q.shape[0]):
        for j in range(n):
            out[c, j] = (coef[c, j] * P - q[c, j]) * factor
    return n
