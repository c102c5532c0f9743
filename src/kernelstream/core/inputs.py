"""Input data in the layout that compiled code expects: C-contiguous, one dtype, writable.

With any other layout numba would silently compile again.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from .precision import largest
from .rows import Csr

CHUNK = 8192  # rows converted at a time, so that a large array is never copied whole


def canonical(X: Any, dtype: Any) -> np.ndarray | Csr:
    """A 2-d array or sparse matrix as an array or `Csr` for compiled code; copied only if necessary."""
    if not issparse(X):
        return _array(X, dtype)
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return Csr(_array(X.indptr, np.int64), _array(X.indices, np.int32), _array(X.data, dtype))


def _array(a: Any, dtype: Any) -> np.ndarray:
    with np.errstate(over="ignore"):  # a float64 too large for float32 becomes inf, which is rejected with its position
        a = np.ascontiguousarray(a, dtype)
    return a if a.flags.writeable else a.copy()


def chunks(X: Any, dtype: Any) -> Iterator[tuple[int, int, Any]]:
    """(start, stop, canonical rows) for all of X; in one piece if nothing has to be converted."""
    rows = X.shape[0]
    ready = not issparse(X) and X.dtype == dtype and X.flags.c_contiguous and X.flags.writeable
    size = max(rows, 1) if ready else CHUNK
    X = X.tocsr() if issparse(X) else X
    for start in range(0, rows, size):
        yield start, min(start + size, rows), canonical(X[start : start + size], dtype)


def check_finite(X: Any, dtype: Any, names: Any = None) -> None:
    """A ValueError that names row and column of the first value that is not finite in `dtype`."""
    for start, stop, rows in chunks(X, dtype):
        values = rows.values if isinstance(rows, Csr) else rows
        limit = largest(values.dtype)  # NaN is not below it either
        if values.size == 0 or (values.max() <= limit and values.min() >= -limit):
            continue
        bad = ~(np.abs(values) <= limit)
        if isinstance(rows, Csr):
            first = np.flatnonzero(bad)[0]
            row, column = int(np.searchsorted(rows.indptr, first, side="right") - 1), int(rows.indices[first])
        else:
            row, column = (int(i) for i in np.argwhere(bad)[0])
        raise refusal(X[start:stop][row, column], dtype, start + row, column, names)


def refusal(value: Any, dtype: Any, row: int, column: int, names: Any = None) -> ValueError:
    """The error for a value that is not finite."""
    if np.isnan(value):
        what = "NaN"
    else:
        what = "infinity" if np.isinf(value) else f"{value:g}, a value too large for {np.dtype(dtype).name},"
    place = f"column {column}" if names is None else f"column {column} ({names[column]!r})"
    return ValueError(
        f"Input X contains {what} at row {row}, {place}. Remove that row or impute the value; the model is unchanged."
    )


def as_rows(X: Any) -> Any:
    """A 2-d array or CSR matrix of numbers."""
    if issparse(X):
        return X.tocsr()
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and features, not {X.ndim}. For one row use X[None, :].")
    if X.dtype.kind not in "fiub":
        X = X.astype(np.float64)
    return X


def as_weights(weight: Any, rows: int) -> np.ndarray:
    """Example weights, one per row, finite and not negative."""
    if weight is None:
        return np.ones(rows)
    weight = _array(np.broadcast_to(weight, (rows,)), np.float64)
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(f"The weight of row {bad[0]} is {weight[bad[0]]}; weights must be finite and at least 0.")
    return weight
