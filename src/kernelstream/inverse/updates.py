"""Rank-one updates of an inverse matrix, in place."""

from .._lowering import compiled


@compiled
def multiply(Q, row, n, out):
    """out = Q row for the leading n × n block; returns rowᵀ Q row."""
    inside = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += Q[i, j] * row[j]
        out[i] = total
        inside += total * row[i]
    return inside


@compiled
def border(Q, v, n, pivot):
    """Extend an n × n inverse by a point with v = Q k and Schur complement `pivot`."""
    q = 1.0 / pivot
    for i in range(n):
        a = v[i] * q
        for k in range(n):
            Q[i, k] += a * v[k]
        Q[i, n] = -a
        Q[n, i] = -a
    Q[n, n] = q


@compiled
def shrink(Q, v, j, n):
    """Take point j out of an n × n inverse; the last one takes its place. v is scratch."""
    last, q = n - 1, 1.0 / Q[j, j]
    for i in range(n):
        v[i] = Q[j, i]
    for i in range(n):
        a = v[i] * q
        for k in range(n):
            Q[i, k] -= a * v[k]
    if j != last:
        for i in range(n):
            Q[i, j] = Q[i, last]
        for i in range(n):
            Q[j, i] = Q[last, i]
        Q[j, j] = Q[last, last]
