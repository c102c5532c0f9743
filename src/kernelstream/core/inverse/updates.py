"""Adding points to an inverse matrix, and removing them."""

from ..numba.lowering import compiled
from ..types import Array
from .symmetric import TERMS, Symmetric, add_term, read_row


@compiled
def border(M: Symmetric, v: Array, n: int, pivot: float) -> None:
    """Extend an n × n inverse by a point with v = M k and Schur complement `pivot`. v gets one more entry, −1."""
    v[n] = -1.0
    add_term(M, v, 1.0 / pivot, n + 1)
    M.bordered[0] = 1


@compiled
def shrink(M: Symmetric, p: int, n: int) -> None:
    """Remove point p from an n × n inverse; the last one takes its slot."""
    lower, u, q, last = M.lower, M.u, M.x, n - 1
    if p == last and M.bordered[0] == 1:
        # pruning often rejects the newest point at once: the term that added it is dropped
        M.waiting[0] -= 1
        M.bordered[0] = 0
    else:
        read_row(M, p, n, q)
        add_term(M, q, -1.0 / q[p], n)
        for j in range(p):
            lower[p, j] = lower[last, j]
        for j in range(p + 1, last):
            lower[j, p] = lower[last, j]
        lower[p, p] = lower[last, last]
        for j in range(n):
            lower[last, j] = 0.0
    for k in range(TERMS):
        u[k, p] = u[k, last]
        u[k, last] = 0.0


@compiled
def clear(M: Symmetric, n: int) -> None:
    """Remove all n points."""
    for i in range(n):
        for j in range(i + 1):
            M.lower[i, j] = 0.0
        for k in range(TERMS):
            M.u[k, i] = 0.0
    M.waiting[0] = 0
    M.bordered[0] = 0
