"""Input data in the layout that compiled code expects: C-contiguous, one dtype, writable.

With any other layout numba would silently compile again.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from .precision import HEAVIEST, largest
from .rows import Csr
from .sparse_input import as_csr, rows_between

CHUNK = 8192  # rows converted at a time, so that a large array is never copied whole
REAL = "fiub"  # kinds of dtypes that are real numbers


def canonical(X: Any, dtype: Any) -> np.ndarray | Csr:
    """A 2-d array or sparse matrix as an array or `Csr` for compiled code; copied only if necessary."""
    return _csr(rows_between(as_csr(X), 0, X.shape[0]), dtype) if issparse(X) else _array(X, dtype)


def _csr(X: Any, dtype: Any) -> Csr:
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return Csr(_array(X.indptr, np.int64), _array(X.indices, np.int32), _array(X.data, dtype))


def _array(a: Any, dtype: Any) -> np.ndarray:
    with np.errstate(over="ignore"):  # a float64 too large for float32 becomes inf, which is rejected with its position
        a = np.ascontiguousarray(a, dtype)
    return a if a.flags.writeable else a.copy()


def chunks(X: Any, dtype: Any) -> Iterator[tuple[int, int, Any]]:
    """(start, stop, canonical rows) for all of X, from `as_rows`; in one piece if nothing has to be converted."""
    rows = X.shape[0]
    ready = not issparse(X) and X.dtype == dtype and X.flags.c_contiguous and X.flags.writeable
    size = max(rows, 1) if ready else CHUNK
    for start in range(0, rows, size):
        stop = min(start + size, rows)
        if issparse(X):
            yield start, stop, _csr(rows_between(X, start, stop), dtype)
        else:
            yield start, stop, _array(X[start:stop], dtype)


def check_finite(X: Any, dtype: Any, names: Any = None) -> None:
    """A ValueError that names row and column of the first value that is not finite in `dtype`."""
    if X.dtype.kind not in REAL:
        raise _not_real(X.dtype)
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
    """A 2-d array of numbers, or a CSR matrix whose indices are all within its shape."""
    if issparse(X):
        if X.dtype.kind in "cmM":
            raise _not_real(X.dtype)
        return as_csr(X)
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and features, not {X.ndim}. For one row use X[None, :].")
    return X if X.dtype.kind in REAL else as_numbers(X, "Input X")


def as_numbers(given: np.ndarray, name: str) -> np.ndarray:
    """An array of another kind as float64, or a ValueError that names the first cell that is no number."""
    if given.dtype.kind in "cmM":
        raise _not_real(given.dtype, name)
    try:
        return given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        for place in np.ndindex(given.shape):
            what = _not_a_number(given[place])
            if what:
                where = ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), place, strict=False))
                raise ValueError(f"{name} contains {what} at {where}; the model is unchanged.") from None
        raise ValueError(f"{name} cannot be read as numbers; the model is unchanged.") from None


def _not_a_number(value: Any) -> str:
    try:
        float(value)
    except OverflowError:
        return "an integer too large for float64"
    except (TypeError, ValueError):
        return f"{value!r}, which is not a number,"
    return ""


def _not_real(dtype: Any, name: str = "Input X") -> ValueError:
    kind = "complex numbers" if dtype.kind == "c" else "dates or times" if dtype.kind in "mM" else str(dtype)
    return ValueError(f"{name} contains {kind}. Convert them to real numbers first; the model is unchanged.")


def as_weights(weight: Any, rows: int) -> np.ndarray:
    """Example weights, one per row, at least 0 and at most `HEAVIEST`."""
    if weight is None:
        return np.ones(rows)
    given = np.asarray(weight)
    if given.shape not in ((), (1,), (rows,)):
        raise ValueError(f"The weights have the shape {given.shape}; with {rows} rows it must be ({rows},).")
    given = given if given.dtype.kind in REAL else as_numbers(given, "The array of weights")
    weight = _array(np.broadcast_to(given, (rows,)), np.float64)
    bad = np.flatnonzero(~((weight >= 0) & (weight <= HEAVIEST)))
    if len(bad):
        raise ValueError(
            f"The weight of row {bad[0]} is {weight[bad[0]]}; weights must be from 0 to {HEAVIEST:g}. Divide "
            "all of them by their mean; the model is unchanged."
        )
    return weight
