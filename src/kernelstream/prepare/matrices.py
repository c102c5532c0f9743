"""Rows as arrays or CSR matrices: index:value pairs, and numeric columns with one-hot columns after them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from ..readers import Pairs, RowBlock
from .missing import Missing
from .scaling import Scaling

# a block, its rows that cannot be used, ascending, and (where, why) of each → the block without them
RefuseRows = Callable[[RowBlock, np.ndarray, list[tuple[str, str]]], RowBlock]
# The number of features may grow at once by this factor, or in any case to this number if rows are dense, or sparse.
_GROWTH, _DENSE, _SPARSE = 16, 1 << 10, 1 << 16


def without_outlying_indices(
    block: RowBlock, pairs: Pairs, known: int, sparse: bool, refuse: RefuseRows
) -> tuple[RowBlock, int]:
    """The rows without those that have an index far beyond the `known` features, and the number of features of the
    others: one wrong index must not create a model with millions of features."""
    if pairs.width <= known:
        return block, known
    far = np.flatnonzero(pairs.indices >= max(_GROWTH * known, _SPARSE if sparse else _DENSE))
    if len(far):
        rows, first = np.unique(np.searchsorted(pairs.ends, far, side="right"), return_index=True)
        why = f"its index is far beyond the {known:,} features so far. If it is correct, use more first rows (--first)."
        block = refuse(block, rows, [(f"feature {i + 1}", why) for i in pairs.indices[far[first]].tolist()])
        assert isinstance(block.numeric, Pairs)
        pairs = block.numeric
    return block, max(known, pairs.width)


def prepare_pairs(
    block: RowBlock,
    pairs: Pairs,
    width: int,
    missing: Missing,
    scaling: Scaling,
    sparse: bool,
    dtype: str,
    refuse: RefuseRows,
) -> tuple[RowBlock, Any]:
    """The rows whose values are finite, as a block and as a matrix: CSR if `sparse`, otherwise dense."""
    values = missing.fill_pairs(pairs)
    with np.errstate(over="ignore", invalid="ignore"):
        if sparse:
            scaled = scaling.apply_sparse(pairs.indices, values).astype(dtype)
            X = pairs_matrix(pairs, scaled, width)
            bad = np.flatnonzero(~np.isfinite(X.data))
            rows, columns = np.searchsorted(X.indptr, bad, side="right") - 1, X.indices[bad]
        else:
            X = scaling.apply(pairs_matrix(pairs, values, width).toarray()).astype(dtype)
            rows, columns = np.nonzero(~np.isfinite(X))
    if len(rows):
        rows, first = np.unique(rows, return_index=True)
        cells = list(zip(rows.tolist(), columns[first].tolist(), strict=True))
        block = refuse(block, rows, [(f"feature {j + 1}", too_large(pairs.at(i, j), dtype)) for i, j in cells])
        X = X[np.setdiff1d(np.arange(X.shape[0]), rows)]
    return block, X


def too_large(value: float, dtype: str) -> str:
    return f"{value:g} is too large for {dtype}, or not finite."


def pairs_matrix(pairs: Pairs, values: np.ndarray, width: int) -> csr_matrix:
    """A CSR matrix of index:value pairs with these values; indices from `width` on are ignored."""
    ends, indices = pairs.ends, pairs.indices
    if indices.max(initial=-1) >= width:
        known = indices < width
        ends = np.concatenate([[0], np.cumsum(known)])[ends]
        indices, values = indices[known], values[known]
    return csr_matrix((values, indices, np.concatenate([[0], ends])), shape=(len(ends), width))


def with_one_hot(numeric: np.ndarray, ones: np.ndarray, width: int) -> np.ndarray:
    """Numeric columns, and after them `width` one-hot columns, which are 1 at the indices `ones` (−1: nowhere).

    >>> with_one_hot(np.array([[5.0], [6.0]]), np.array([[1], [-1]]), 2).tolist()
    [[5.0, 0.0, 1.0], [6.0, 0.0, 0.0]]
    """
    rows, columns = numeric.shape
    X = np.zeros((rows, columns + width), numeric.dtype)
    X[:, :columns] = numeric
    row, which = np.nonzero(ones >= 0)
    np.add.at(X, (row, columns + ones[row, which]), 1.0)  # hashes of two categories may be equal
    return X


def with_one_hot_sparse(numeric: np.ndarray, ones: np.ndarray, width: int) -> csr_matrix:
    """The same as a CSR matrix.

    >>> with_one_hot_sparse(np.array([[5.0], [6.0]]), np.array([[1], [-1]]), 2).toarray().tolist()
    [[5.0, 0.0, 1.0], [6.0, 0.0, 0.0]]
    """
    rows, columns = numeric.shape
    nowhere = columns + width
    ones = np.sort(np.where(ones >= 0, columns + ones, nowhere), axis=1)
    indices = np.concatenate([np.broadcast_to(np.arange(columns), (rows, columns)), ones], axis=1)
    values = np.concatenate([numeric, np.ones(ones.shape, numeric.dtype)], axis=1)
    kept = indices < nowhere
    ends = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    return csr_matrix((values[kept], indices[kept], ends), shape=(rows, nowhere))
