"""Sparse matrices from outside, checked before compiled code, or SciPy's own, follows their indices.

SciPy builds a matrix without a look at its indices, and so do assignments to `X.indices` or `X.indptr`. Anything that
follows a wrong index reads or writes memory that is not the matrix's. What SciPy allows is allowed: unsorted indices,
duplicates (which are summed), indices of any integer type, explicit zeros, room at the end.
"""

from typing import Any

import numpy as np

WAY_OUT = "Build the matrix again, with a shape that holds all its indices; the model is unchanged."


def as_csr(X: Any) -> Any:
    """A sparse matrix or array of any format as CSR, or a ValueError that says what is wrong with it."""
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and features, not {X.ndim}.")
    if X.format in ("dia", "dok"):
        X = X.tocoo()  # in NumPy, which follows no index
    checks = {"csr": _check_csr, "csc": _check_csc, "bsr": _check_bsr, "coo": _check_coo, "lil": _check_lil}
    if X.format not in checks:
        raise ValueError(f"X is a sparse matrix of the unknown format {X.format!r}. Convert it with X.tocsr().")
    checks[X.format](X)
    if X.dtype.kind not in "fiub" or X.dtype == np.float16:  # SciPy computes with neither objects nor float16
        X = X.astype(np.float64)
    return X.tocsr()


def rows_between(X: Any, start: int, stop: int) -> Any:
    """Rows of a checked CSR matrix, without what SciPy may have noted of it: notes on its order may be out of date."""
    first, last = X.indptr[start], X.indptr[stop]
    entries = X.data[first:last], X.indices[first:last], X.indptr[start : stop + 1] - first
    return type(X)(entries, shape=(stop - start, X.shape[1]))


def _check_csr(X: Any) -> None:
    rows, columns = X.shape
    entries = _check_pointers(X, rows)
    _check_indices(X.indices[:entries], columns, "column", lambda i: f"row {_owner(X.indptr, i)}")


def _check_csc(X: Any) -> None:
    rows, columns = X.shape
    entries = _check_pointers(X, columns)
    _check_indices(X.indices[:entries], rows, "row", lambda i: f"column {_owner(X.indptr, i)}")


def _check_bsr(X: Any) -> None:
    (rows, columns), shape = X.shape, X.data.shape
    if len(shape) != 3 or 0 in shape[1:] or rows % shape[1] or columns % shape[2]:
        raise _refusal(f"its blocks have the shape {shape[1:]}, which does not divide {X.shape}")
    entries = _check_pointers(X, rows // shape[1])
    _check_indices(X.indices[:entries], columns // shape[2], "block column", lambda i: f"block {i}")


def _check_coo(X: Any) -> None:
    lengths = {"data": len(X.data), "row": len(X.row), "col": len(X.col)}
    if len(set(lengths.values())) > 1:
        raise _refusal("its arrays differ in length: " + ", ".join(f"{n} has {k}" for n, k in lengths.items()))
    _check_indices(X.row, X.shape[0], "row", lambda i: f"entry {i}")
    _check_indices(X.col, X.shape[1], "column", lambda i: f"entry {i}")


def _check_lil(X: Any) -> None:
    rows, columns = X.shape
    if len(X.rows) != rows or len(X.data) != rows:
        raise _refusal(f"it has {len(X.rows)} lists of indices and {len(X.data)} of values for {rows} rows")
    for row, (indices, values) in enumerate(zip(X.rows, X.data, strict=True)):
        if len(indices) != len(values):
            raise _refusal(f"row {row} has {len(indices)} indices and {len(values)} values")
        _check_indices(np.asarray(indices or [0]), max(columns, 1), "column", lambda i, row=row: f"row {row}")


def _check_pointers(X: Any, lines: int) -> int:
    """The number of entries, if `indptr` leads to no others."""
    indptr, entries = X.indptr, min(len(X.indices), len(X.data))
    if X.data.ndim != 1 and X.format != "bsr":
        raise _refusal(f"its values must be in one dimension, and are {X.data.shape}")
    if indptr.ndim != 1 or indptr.dtype.kind not in "iu" or len(indptr) != lines + 1:
        raise _refusal(f"indptr must be {lines + 1} integers, and is {indptr.shape} of {indptr.dtype}")
    if indptr[0] != 0 or indptr[-1] > entries:
        raise _refusal(f"indptr leads from {indptr[0]} to {indptr[-1]}, and there are {entries} entries, from 0")
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        raise _refusal(f"indptr falls from {indptr[falls[0]]} to {indptr[falls[0] + 1]} at {falls[0] + 1}")
    return int(indptr[-1])


def _check_indices(indices: np.ndarray, size: int, what: str, where: Any) -> None:
    if indices.ndim != 1 or (indices.dtype.kind not in "iu" and len(indices)):
        raise _refusal(f"its indices must be integers in one dimension, and are {indices.shape} of {indices.dtype}")
    if len(indices) == 0:
        return
    plain = indices if indices.dtype.isnative else indices.astype(np.int64)
    # as unsigned numbers, negative ones are large: one pass over the indices
    if plain.view(f"u{plain.itemsize}").max() < size:
        return
    bad = np.flatnonzero((plain < 0) | (plain >= size))[0]
    allowed = f"from 0 to {size - 1}" if size else "none, as there are no features"
    raise _refusal(f"it has the {what} index {plain[bad]} at {where(bad)}, and the shape allows {allowed}")


def _owner(indptr: np.ndarray, entry: int) -> int:
    return int(np.searchsorted(indptr, entry, side="right") - 1)


def _refusal(why: str) -> ValueError:
    return ValueError(f"The sparse matrix X is not valid: {why}. {WAY_OUT}")
