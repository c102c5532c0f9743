"""Rows put together as arrays or CSR matrices."""

import numpy as np
from scipy.sparse import csr_matrix

from ..readers import Pairs


def pairs_matrix(pairs: Pairs, values: np.ndarray, width: int) -> csr_matrix:
    """Sparse rows with these values; features from `width` on are left out."""
    ends, indices = pairs.ends, pairs.indices
    if indices.max(initial=-1) >= width:
        known = indices < width
        ends = np.concatenate([[0], np.cumsum(known)])[ends]
        indices, values = indices[known], values[known]
    return csr_matrix((values, indices, np.concatenate([[0], ends])), shape=(len(ends), width))


def with_places(numbers: np.ndarray, places: np.ndarray, width: int) -> np.ndarray:
    """Columns of numbers, and after them `width` columns that are 1 at the places.

    >>> with_places(np.array([[5.0], [6.0]]), np.array([[1], [-1]]), 2).tolist()
    [[5.0, 0.0, 1.0], [6.0, 0.0, 0.0]]
    """
    rows, columns = numbers.shape
    X = np.zeros((rows, columns + width), numbers.dtype)
    X[:, :columns] = numbers
    row, which = np.nonzero(places >= 0)
    np.add.at(X, (row, columns + places[row, which]), 1.0)  # two words may share a place
    return X


def with_places_sparse(numbers: np.ndarray, places: np.ndarray, width: int) -> csr_matrix:
    """The same as a CSR matrix.

    >>> with_places_sparse(np.array([[5.0], [6.0]]), np.array([[1], [-1]]), 2).toarray().tolist()
    [[5.0, 0.0, 1.0], [6.0, 0.0, 0.0]]
    """
    rows, columns = numbers.shape
    nowhere = columns + width
    ones = np.sort(np.where(places >= 0, columns + places, nowhere), axis=1)
    indices = np.concatenate([np.broadcast_to(np.arange(columns), (rows, columns)), ones], axis=1)
    values = np.concatenate([numbers, np.ones(ones.shape, numbers.dtype)], axis=1)
    kept = indices < nowhere
    ends = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    return csr_matrix((values[kept], indices[kept], ends), shape=(rows, nowhere))
