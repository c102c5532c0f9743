"""Rows of data, dense (a 1-d array) or sparse, and what kernels need of them.

The support vectors are stored feature-major, `sv[k, j]` = feature k of SV j, so the inner loop runs over SVs and
vectorises, and a sparse row touches only the features it has.
"""

from typing import NamedTuple

import numpy as np

from ._lowering import by_row, compiled
from ._math import cast


class SparseRow(NamedTuple):
    indices: np.ndarray
    values: np.ndarray


class Csr(NamedTuple):
    """A compressed sparse matrix as compiled code takes it."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray


def _take(X, i):
    return X[i]


def _take_sparse(X, i):
    a, b = X.indptr[i], X.indptr[i + 1]
    return SparseRow(X.indices[a:b], X.values[a:b])


take = by_row(_take, _take_sparse)


def _length(X):
    return X.shape[0]


def _length_sparse(X):
    return X.indptr.shape[0] - 1


length = by_row(_length, _length_sparse)


def _sqnorm(x):
    """‖x‖², in float64 so that a large float32 row does not overflow."""
    total = 0.0
    for k in range(x.shape[0]):
        total += np.float64(x[k]) * np.float64(x[k])
    return total


def _sqnorm_sparse(x):
    values = x.values
    total = 0.0
    for i in range(values.shape[0]):
        total += np.float64(values[i]) * np.float64(values[i])
    return total


sqnorm = by_row(_sqnorm, _sqnorm_sparse)


def _sqdist(sv, sq, x, xx, n, out, wide):
    """out[j] = ‖x − x_j‖². Differences, not ‖x‖² + ‖z‖² − 2x·z, which cancels in float32 far from the origin."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            u = sv[k, j] - xk
            out[j] += u * u


def _sqdist_sparse(sv, sq, x, xx, n, out, wide):
    # only the features of x are visited, so here it must be the product form: summed in float64 against cancellation
    indices, values = x.indices, x.values
    for j in range(n):
        wide[j] = sq[j] + xx
    for i in range(indices.shape[0]):
        k = indices[i]
        twice = 2.0 * np.float64(values[i])
        for j in range(n):
            wide[j] -= np.float64(sv[k, j]) * twice
    for j in range(n):
        out[j] = cast(max(wide[j], 0.0), out)


sqdist = by_row(_sqdist, _sqdist_sparse)


def _dots(sv, x, n, out):
    """out[j] = x · x_j."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            out[j] += sv[k, j] * xk


def _dots_sparse(sv, x, n, out):
    indices, values = x.indices, x.values
    for j in range(n):
        out[j] = cast(0.0, out)
    for i in range(indices.shape[0]):
        k, xk = indices[i], values[i]
        for j in range(n):
            out[j] += sv[k, j] * xk


dots = by_row(_dots, _dots_sparse)


def _dense(x, buffer):
    """x as a 1-d array; a sparse row is written into the buffer."""
    return x


def _dense_sparse(x, buffer):
    indices, values = x.indices, x.values
    for k in range(buffer.shape[0]):
        buffer[k] = cast(0.0, buffer)
    for i in range(indices.shape[0]):
        buffer[indices[i]] = values[i]
    return buffer


dense = by_row(_dense, _dense_sparse)


def _copy(x, out):
    """Write x into a 1-d array."""
    for k in range(out.shape[0]):
        out[k] = x[k]


def _copy_sparse(x, out):
    indices, values = x.indices, x.values
    for k in range(out.shape[0]):
        out[k] = cast(0.0, out)
    for i in range(indices.shape[0]):
        out[indices[i]] = values[i]


copy_row = by_row(_copy, _copy_sparse)


@compiled
def manhattan(sv, x, n, out):
    """out[j] = Σ_k |x_k − x_jk| for a dense x."""
    for j in range(n):
        out[j] = cast(0.0, out)
    for k in range(x.shape[0]):
        xk = x[k]
        for j in range(n):
            out[j] += abs(sv[k, j] - xk)
