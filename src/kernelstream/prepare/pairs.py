"""Sparse rows as models take them: kept sparse if they are wide, made dense if they are narrow."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..readers import Block, Pairs
from .matrix import pairs_matrix
from .missing import Missing
from .scaling import Scaling

# a block, rows of it that cannot be used, ascending, and where and why of each → the block without them
Refuse = Callable[[Block, np.ndarray, list[tuple[str, str]]], Block]
_LEAP, _DENSE, _SPARSE = 16, 1 << 10, 1 << 16  # features may become so many times as many, or so many in any case


def without_leaps(block: Block, pairs: Pairs, known: int, sparse: bool, refuse: Refuse) -> tuple[Block, int]:
    """The rows but for those with a feature far beyond the `known` ones, and how many features there are with the
    others: a wrong index must not make a model of millions of features."""
    if pairs.width <= known:
        return block, known
    far = np.flatnonzero(pairs.indices >= max(_LEAP * known, _SPARSE if sparse else _DENSE))
    if len(far):
        rows, first = np.unique(np.searchsorted(pairs.ends, far, side="right"), return_index=True)
        why = f"is far beyond the {known:,} features so far. Begin with more rows (--first) if it is right."
        block = refuse(block, rows, [(f"feature {i + 1}", why) for i in pairs.indices[far[first]].tolist()])
        assert isinstance(block.numbers, Pairs)
        pairs = block.numbers
    return block, max(known, pairs.width)


def prepared(
    block: Block, pairs: Pairs, width: int, missing: Missing, scaling: Scaling, sparse: bool, dtype: str, refuse: Refuse
) -> tuple[Block, Any]:
    """Rows that are finite, as they are and as a matrix."""
    values = missing.filled_pairs(pairs)
    with np.errstate(over="ignore"):
        if sparse:
            scaled = scaling.apply_sparse(pairs.indices, values).astype(dtype)
            X = pairs_matrix(pairs, scaled, width)
            places = np.flatnonzero(~np.isfinite(X.data))
            rows, columns = np.searchsorted(X.indptr, places, side="right") - 1, X.indices[places]
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
