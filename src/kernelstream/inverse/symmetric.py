"""A symmetric matrix that changes by one rank-one term after another, in place.

M = L + Σ_k s_k u_k u_kᵀ, where of L only the lower triangle is kept. A new term costs O(n): it waits with the others
until there are `TERMS` of them, and one pass over the triangle takes them all in. Passes over memory are what such
updates spend their time on, and this saves most of them: a product with M reads half a matrix, a term writes a
sixteenth of one.
"""

from typing import NamedTuple

import numpy as np

from .._lowering import compiled, inlined

TERMS = 16
ROWS = 4  # rows, and terms, that a loop takes at a time, so that a number once loaded serves four products
LINE = 8  # numbers of a cache line


class Symmetric(NamedTuple):
    """What lies beyond the leading n × n block is zero; what lies above the diagonal, anything."""

    lower: np.ndarray  # (capacity, capacity and a line): column entries do not all fall into the same cache set
    u: np.ndarray  # (TERMS, capacity)
    s: np.ndarray
    waiting: np.ndarray  # how many terms
    bordered: np.ndarray  # whether the last of them has added the last point, and nothing else
    x: np.ndarray  # scratch: a factor as float64
    row: np.ndarray  # scratch


def aligned(*shape: int) -> np.ndarray:
    """Zeros that begin at a cache line, so that no vector register's load straddles two."""
    size = int(np.prod(shape))
    room = np.zeros(size + LINE)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + size].reshape(shape)


def symmetric(capacity: int) -> Symmetric:
    """The empty matrix. The capacity is a multiple of ROWS."""
    return Symmetric(
        aligned(capacity, capacity + LINE), aligned(TERMS, capacity), np.zeros(TERMS), np.zeros(1, np.int64),
        np.zeros(1, np.int64), aligned(capacity), aligned(capacity),
    )  # fmt: skip


@compiled
def half_product(lower, row, n, x, out):
    """out = L row, each entry of the triangle being read once; x is scratch."""
    for j in range(n):
        x[j] = row[j]
        out[j] = 0.0
    for j in range(n, -(-n // ROWS) * ROWS):
        x[j] = 0.0
        out[j] = 0.0
    for i in range(0, n, ROWS):
        x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
        t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
        for j in range(i):
            a, b, c, d = lower[i, j], lower[i + 1, j], lower[i + 2, j], lower[i + 3, j]
            t0 += a * x[j]
            t1 += b * x[j]
            t2 += c * x[j]
            t3 += d * x[j]
            out[j] += a * x0 + b * x1 + c * x2 + d * x3
        out[i] += t0
        out[i + 1] += t1
        out[i + 2] += t2
        out[i + 3] += t3
        for a in range(i, i + ROWS):
            for b in range(i, a):
                out[a] += lower[a, b] * x[b]
                out[b] += lower[a, b] * x[a]
            out[a] += lower[a, a] * x[a]


@compiled
def multiply(M, row, n, out):
    """out = M row; returns rowᵀ M row."""
    u, x = M.u, M.x
    half_product(M.lower, row, n, x, out)
    for k in range(M.waiting[0]):
        along = 0.0
        for j in range(n):
            along += u[k, j] * x[j]
        along *= M.s[k]
        for j in range(n):
            out[j] += along * u[k, j]
    inside = 0.0
    for j in range(n):
        inside += out[j] * x[j]
    return inside


@compiled
def read_row(M, p, n, out):
    """out = row p of M."""
    lower, u = M.lower, M.u
    for j in range(p):
        out[j] = lower[p, j]
    for j in range(p, n):
        out[j] = lower[j, p]
    for k in range(M.waiting[0]):
        a = M.s[k] * u[k, p]
        for j in range(n):
            out[j] += a * u[k, j]


@compiled
def read_diagonal(M, n, out):
    """out = the diagonal of M."""
    lower, u = M.lower, M.u
    for j in range(n):
        out[j] = lower[j, j]
    for k in range(M.waiting[0]):
        s = M.s[k]
        for j in range(n):
            out[j] += s * u[k, j] * u[k, j]


@compiled
def add_term(M, v, s, n):
    """M += s v vᵀ."""
    if M.waiting[0] == TERMS:
        settle(M.lower, M.u, M.s, n)
        M.waiting[0] = 0
    k, u = M.waiting[0], M.u
    for j in range(n):
        u[k, j] = v[j]
    M.s[k] = s
    M.waiting[0] = k + 1
    M.bordered[0] = 0


@compiled
def settle(lower, u, s, n):
    """L += Σ_k s_k u_k u_kᵀ."""
    for i in range(0, n, ROWS):
        for k in range(0, TERMS, ROWS):
            a, b, c, d = four(u, s, k, i), four(u, s, k, i + 1), four(u, s, k, i + 2), four(u, s, k, i + 3)
            for j in range(i + ROWS):
                w, x, y, z = u[k, j], u[k + 1, j], u[k + 2, j], u[k + 3, j]
                lower[i, j] += a[0] * w + a[1] * x + a[2] * y + a[3] * z
                lower[i + 1, j] += b[0] * w + b[1] * x + b[2] * y + b[3] * z
                lower[i + 2, j] += c[0] * w + c[1] * x + c[2] * y + c[3] * z
                lower[i + 3, j] += d[0] * w + d[1] * x + d[2] * y + d[3] * z


@inlined
def four(u, s, k, i):
    return s[k] * u[k, i], s[k + 1] * u[k + 1, i], s[k + 2] * u[k + 2, i], s[k + 3] * u[k + 3, i]


@compiled
def border(M, v, n, pivot):
    """Extend an n × n inverse by a point with v = M k and Schur complement `pivot`; v[n] is overwritten."""
    v[n] = -1.0
    add_term(M, v, 1.0 / pivot, n + 1)
    M.bordered[0] = 1


@compiled
def clear(M, n):
    """M = 0."""
    for i in range(n):
        for j in range(i + 1):
            M.lower[i, j] = 0.0
        for k in range(TERMS):
            M.u[k, i] = 0.0
    M.waiting[0] = 0


@compiled
def shrink(M, p, n):
    """Take point p out of an n × n inverse; the last one takes its place."""
    lower, u, q, last = M.lower, M.u, M.row, n - 1
    if p == last and M.bordered[0] == 1:
        # it came with the last term, and goes with it
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
