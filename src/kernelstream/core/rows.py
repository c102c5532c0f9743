"""Rows of data, dense (a 1-d array) or sparse: products, distances and copies.

The support vectors are stored feature-major, `sv[k, j]` = feature k of SV j, so the inner loop runs over SVs and
vectorises, and a sparse row touches only the features it has.
"""

from typing import Any, NamedTuple

import numpy as np

from .numba.lowering import by_row, compiled
from .numba.math import cast
from .types import Array


class SparseRow(NamedTuple):
    indices: np.ndarray
    values: np.ndarray


class Csr(NamedTuple):
    """A compressed sparse row matrix for compiled code."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray


def _take(X: Array, i: int) -> Array:
    return X[i]


def _take_sparse(X: Csr, i: int) -> SparseRow:
    a, b = X.indptr[i], X.indptr[i + 1]
    return SparseRow(X.indices[a:b], X.values[a:b])


take = by_row(_take, _take_sparse)


def _length(X: Array) -> int:
    return X.shape[0]


def _length_sparse(X: Csr) -> int:
    return X.indptr.shape[0] - 1


length = by_row(_length, _length_sparse)


def _sqnorm(x: Array) -> float:
    """‖x‖², in float64 so that a large float32 row does not overflow."""
    total = 0.0
    for k in range(x.shape[0]):
        total += np.float64(x[k]) * np.float64(x[k])
    return total


def _sqnorm_sparse(x: SparseRow) -> float:
    values = x.values
    total = 0.0
    for i in range(values.shape[0]):
        total += np.float64(values[i]) * np.float64(values[i])
    return total


sqnorm = by_row(_sqnorm, _sqnorm_sparse)


def _sqdist(sv: Array, sq: Array, x: Array, xx: float, n: int, out: Array, wide: Array) -> None:
    """out[j] = ‖x − x_j‖². Differences, not ‖x‖² + ‖z‖² − 2x·z, which cancels in float32 far from the origin."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            u = sv[k, j] - xk
            out[j] += u * u


@compiled
def add_products(sv: Array, x: SparseRow, factor: float, n: int, out: Array) -> None:
    """out[j] += factor · x · x_j for a sparse x; four features at a time, because the sums cost as much as the rest."""
    indices, values = x.indices, x.values
    whole = indices.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        k0, k1, k2, k3 = indices[i], indices[i + 1], indices[i + 2], indices[i + 3]
        v0, v1 = cast(factor * values[i], out), cast(factor * values[i + 1], out)
        v2, v3 = cast(factor * values[i + 2], out), cast(factor * values[i + 3], out)
        for j in range(n):
            out[j] += (v0 * sv[k0, j] + v1 * sv[k1, j]) + (v2 * sv[k2, j] + v3 * sv[k3, j])
    for i in range(whole, indices.shape[0]):
        k, v = indices[i], cast(factor * values[i], out)
        for j in range(n):
            out[j] += v * sv[k, j]


def _sqdist_sparse(sv: Array, sq: Array, x: SparseRow, xx: float, n: int, out: Array, wide: Array) -> None:
    # only the features of x are visited, so here it must be the product form: summed in float64 against cancellation
    for j in range(n):
        wide[j] = sq[j] + xx
    add_products(sv, x, -2.0, n, wide)
    for j in range(n):
        out[j] = cast(max(wide[j], 0.0), out)


sqdist = by_row(_sqdist, _sqdist_sparse)


def _dots(sv: Array, x: Array, n: int, out: Array) -> None:
    """out[j] = x · x_j."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            out[j] += sv[k, j] * xk


def _dots_sparse(sv: Array, x: SparseRow, n: int, out: Array) -> None:
    for j in range(n):
        out[j] = cast(0.0, out)
    add_products(sv, x, 1.0, n, out)


dots = by_row(_dots, _dots_sparse)


def _dense(x: Array, buffer: Array) -> Array:
    """x as a 1-d array; a sparse row is written into the buffer."""
    return x


def _dense_sparse(x: SparseRow, buffer: Array) -> Array:
    indices, values = x.indices, x.values
    for k in range(buffer.shape[0]):
        buffer[k] = cast(0.0, buffer)
    for i in range(indices.shape[0]):
        buffer[indices[i]] = values[i]
    return buffer


dense = by_row(_dense, _dense_sparse)


@compiled
def few_features(x: Array, scratch: Any) -> int:
    """The number of non-zero features of a dense x, listed in the scratch; −1 if they are more than a quarter."""
    count = 0
    for k in range(x.shape[0]):
        if x[k] != 0.0:
            if count == scratch.indices.shape[0]:
                return -1
            scratch.indices[count], scratch.values[count] = k, x[k]
            count += 1
    return count


def _copy(x: Array, out: Array) -> None:
    """Write x into a 1-d array."""
    for k in range(out.shape[0]):
        out[k] = x[k]


def _copy_sparse(x: SparseRow, out: Array) -> None:
    indices, values = x.indices, x.values
    for k in range(out.shape[0]):
        out[k] = cast(0.0, out)
    for i in range(indices.shape[0]):
        out[indices[i]] = values[i]


copy_row = by_row(_copy, _copy_sparse)


def narrow(wide: Array, out: Array, limit: float) -> bool:
    """Entry point: copy a row into the precision of `out`; False, with some of it copied, if a value is too large."""
    for k in range(wide.shape[0]):
        if not abs(wide[k]) <= limit:
            return False
        out[k] = wide[k]
    return True


@compiled
def manhattan(sv: Array, x: Array, n: int, out: Array) -> None:
    """out[j] = Σ_k |x_k − x_jk| for a dense x."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            out[j] += abs(sv[k, j] - xk)
