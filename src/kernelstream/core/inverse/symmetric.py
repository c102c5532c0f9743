"""A symmetric matrix with rank-one updates, in place.

M = L + Σ_k s_k u_k u_kᵀ, and of L only the lower triangle is stored. New terms are collected until there are `TERMS` of
them; then one pass over the triangle adds them all. The cost of such updates is memory traffic: this way a product
reads half of the matrix, and a term writes one thirty-second of it.
"""

from typing import NamedTuple

import numpy as np

from ..numba.lowering import compiled, inlined
from ..types import Array

TERMS = 16
STEP = 4  # rows and terms per iteration of a loop: each number loaded serves four products
LINE = 8  # numbers in a cache line


class Symmetric(NamedTuple):
    """Entries beyond the leading n × n block are zero; entries above the diagonal are undefined."""

    lower: np.ndarray  # (capacity, capacity + LINE): padded, so that a column does not map to a single cache set
    u: np.ndarray  # (TERMS, capacity)
    s: np.ndarray
    waiting: np.ndarray  # the number of collected terms,
    bordered: np.ndarray  # and whether the last of them added the last row and column
    x: np.ndarray  # scratch


def aligned(*shape: int) -> np.ndarray:
    """Zeros that begin at a cache line: no load of a vector register straddles two."""
    size = int(np.prod(shape))
    room = np.zeros(size + LINE)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + size].reshape(shape)


def symmetric(capacity: int) -> Symmetric:
    """Zero, with room for a multiple of STEP rows."""
    return Symmetric(
        aligned(capacity, capacity + LINE), aligned(TERMS, capacity), np.zeros(TERMS), np.zeros(1, np.int64),
        np.zeros(1, np.int64), aligned(capacity),
    )  # fmt: skip


@compiled
def half_product(lower: Array, row: Array, n: int, x: Array, out: Array) -> float:
    """out = L row, reading the triangle once; returns rowᵀ L row, and row as float64 in x."""
    for j in range(n):
        x[j] = row[j]
        out[j] = 0.0
    for j in range(n, -(-n // STEP) * STEP):
        x[j] = 0.0
        out[j] = 0.0
    for i in range(0, n, STEP):
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
        for p in range(i, i + STEP):
            for q in range(i, p):
                out[p] += lower[p, q] * x[q]
                out[q] += lower[p, q] * x[p]
            out[p] += lower[p, p] * x[p]
    inside = 0.0
    for j in range(n):
        inside += out[j] * x[j]
    return inside


@compiled
def multiply(M: Symmetric, row: Array, n: int, out: Array) -> float:
    """out = M row; returns rowᵀ M row."""
    u, x = M.u, M.x
    inside = half_product(M.lower, row, n, x, out)
    for k in range(M.waiting[0]):
        along = 0.0
        for j in range(n):
            along += u[k, j] * x[j]
        a = M.s[k] * along
        for j in range(n):
            out[j] += a * u[k, j]
        inside += a * along
    return inside


@compiled
def read_row(M: Symmetric, p: int, n: int, out: Array) -> None:
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
def read_diagonal(M: Symmetric, n: int, out: Array) -> None:
    """out = the diagonal of M."""
    lower, u = M.lower, M.u
    for j in range(n):
        out[j] = lower[j, j]
    for k in range(M.waiting[0]):
        s = M.s[k]
        for j in range(n):
            out[j] += s * u[k, j] * u[k, j]


@compiled
def add_term(M: Symmetric, v: Array, s: float, n: int) -> None:
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
def settle(lower: Array, u: Array, s: Array, n: int) -> None:
    """L += Σ_k s_k u_k u_kᵀ."""
    for i in range(0, n, STEP):
        for k in range(0, TERMS, STEP):
            a, b, c, d = scaled(u, s, k, i), scaled(u, s, k, i + 1), scaled(u, s, k, i + 2), scaled(u, s, k, i + 3)
            for j in range(i + STEP):
                u0, u1, u2, u3 = u[k, j], u[k + 1, j], u[k + 2, j], u[k + 3, j]
                lower[i, j] += a[0] * u0 + a[1] * u1 + a[2] * u2 + a[3] * u3
                lower[i + 1, j] += b[0] * u0 + b[1] * u1 + b[2] * u2 + b[3] * u3
                lower[i + 2, j] += c[0] * u0 + c[1] * u1 + c[2] * u2 + c[3] * u3
                lower[i + 3, j] += d[0] * u0 + d[1] * u1 + d[2] * u2 + d[3] * u3


@inlined
def scaled(u: Array, s: Array, k: int, i: int) -> tuple[float, float, float, float]:
    return s[k] * u[k, i], s[k + 1] * u[k + 1, i], s[k + 2] * u[k + 2, i], s[k + 3] * u[k + 3, i]
