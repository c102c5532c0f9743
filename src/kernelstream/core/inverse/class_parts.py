"""The parts of `ClassInverse`: an inverse for every class, over the support vectors of that class alone."""

from typing import NamedTuple

import numpy as np

from ..changes import spread
from ..expansion import column
from ..numba.lowering import compiled, inlined
from ..precision import drift, jitter
from ..state import Expansion, State
from ..types import Array, Parts
from .symmetric import Symmetric, multiply, read_row
from .updates import border, clear, shrink

CHECK_EVERY = 128


class ClassInverseState(NamedTuple):
    Q: Symmetric  # with an axis of classes in front of every array but the scratch
    slots: np.ndarray  # (c, capacity) where the support vectors of a class are, in the order of its Q
    sizes: np.ndarray  # (c, 1) how many there are
    v: np.ndarray  # (c, capacity) Q_c k_c of the current example
    residual: np.ndarray  # (c,) κ(x, x) − k_cᵀ Q_c k_c
    known: np.ndarray  # the example and the number of SVs that v and the residuals belong to
    changes: np.ndarray  # (c,)
    row: np.ndarray  # scratch: kernel values against the support vectors of one class,
    wide: np.ndarray  # a vector of one class, spread over all slots,
    part: np.ndarray  # and a coefficient for one class alone


@inlined
def of_class(own: ClassInverseState, c: int) -> Symmetric:
    Q = own.Q
    return Symmetric(Q.lower[c], Q.u[c], Q.s[c], Q.waiting[c], Q.bordered[c], Q.x)


@inlined
def gather(own: ClassInverseState, row: Array, c: int, n: int) -> None:
    """own.row = the entries of `row` that belong to the first n support vectors of class c."""
    for i in range(n):
        own.row[i] = row[own.slots[c, i]]


@compiled
def position(own: ClassInverseState, c: int, j: int) -> int:
    """Where class c keeps the support vector of slot j; −1 if that is none of its own."""
    for i in range(own.sizes[c, 0]):
        if own.slots[c, i] == j:
            return i
    return -1


@compiled
def measure(own: ClassInverseState, r: Parts, st: State, a: Array, kxx: float) -> None:
    """v and the residual of the current example for every class with a_c ≠ 0."""
    n, seen = st.expansion.n[0], st.run.seen[0]
    # admission may have computed them already; in a mini-batch the row belongs to another example
    if r.batch == 1 and own.known[0] == seen and own.known[1] == n:
        return
    for c in range(a.shape[0]):
        if a[c] != 0.0:
            gather(own, st.work.row, c, own.sizes[c, 0])
            inside = multiply(of_class(own, c), own.row, own.sizes[c, 0], own.v[c])
            own.residual[c] = max(kxx - inside, 0.0)
    own.known[0], own.known[1] = seen, n


@compiled
def fold(own: ClassInverseState, r: Parts, st: State, c: int, a: float, kxx: float) -> float:
    """f_c ← f_c + a Pκ(x, ·), P the projection on the support vectors of class c; returns what is lost, squared."""
    for j in range(st.expansion.n[0]):
        own.wide[j] = 0.0
    for i in range(own.sizes[c, 0]):
        own.wide[own.slots[c, i]] = own.v[c, i]
    for k in range(own.part.shape[0]):
        own.part[k] = 0.0
    own.part[c] = a
    r.norm.adding(st.norm, r, st, own.part, kxx - own.residual[c])
    spread(r, st, own.wide, own.part)
    return a * a * own.residual[c]


@compiled
def append(own: ClassInverseState, ex: Expansion, c: int, j: int, residual: float) -> None:
    """Let the support vector of slot j be one of class c; own.v[c] is Q_c k_c, `residual` κ_jj − k_cᵀ Q_c k_c."""
    n = own.sizes[c, 0]
    border(of_class(own, c), own.v[c], n, residual + jitter(ex.sv) * ex.diag[j])
    own.slots[c, n] = j
    own.sizes[c, 0] = n + 1


@compiled
def leave(own: ClassInverseState, c: int, j: int) -> None:
    """Let the support vector of slot j be none of class c."""
    i = position(own, c, j)
    if i >= 0:
        shrink(of_class(own, c), i, own.sizes[c, 0])
        own.sizes[c, 0] -= 1
        own.slots[c, i] = own.slots[c, own.sizes[c, 0]]


@compiled
def drifted_class(own: ClassInverseState, r: Parts, st: State, c: int) -> bool:
    """Whether rounding errors have accumulated: one column of Q_c K_c is compared with that of the identity."""
    ex, n = st.expansion, own.sizes[c, 0]
    p = own.changes[c] // CHECK_EVERY % n
    j = own.slots[c, p]
    column(r, st, j)
    gather(own, st.work.column, c, n)
    multiply(of_class(own, c), own.row, n, own.v[c])
    read_row(of_class(own, c), p, n, own.row)
    worst = 0.0
    for i in range(n):
        total = own.v[c, i] + own.row[i] * jitter(ex.sv) * ex.diag[j]
        worst = max(worst, abs(total - (1.0 if i == p else 0.0)))
    return not worst < drift(ex.sv)


@compiled
def rebuild_class(own: ClassInverseState, r: Parts, st: State, c: int) -> None:
    """Q_c from scratch, one support vector after another."""
    n = own.sizes[c, 0]
    clear(of_class(own, c), n)
    own.sizes[c, 0] = 0
    for i in range(n):
        j = own.slots[c, i]
        column(r, st, j)
        gather(own, st.work.column, c, i)
        inside = multiply(of_class(own, c), own.row, i, own.v[c])
        append(own, st.expansion, c, j, max(st.expansion.diag[j] - inside, 0.0))
