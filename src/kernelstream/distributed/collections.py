"""Dask collections as parts, and predictions over them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .parts import Block
from .workers import MISSING


def is_dask(X: Any) -> bool:
    """Whether X is a collection of Dask, told without importing it."""
    return hasattr(X, "__dask_graph__")


def parts_of(X: Any, y: Any) -> list[Any]:
    """Delayed blocks of rows with their targets."""
    try:
        from dask import delayed
    except ImportError as error:
        raise ImportError(MISSING) from error
    for name, value in (("X", X), ("y", y)):
        if not is_dask(value):
            raise ValueError(
                f"{name} is a {type(value).__name__}, and a collection of Dask is needed: for data in memory "
                "dask.array.from_array(data, chunks=…), or KernelClassifier and KernelRegressor without Dask."
            )
    blocks, targets = _delayed(X, "X"), _delayed(y, "y")
    sizes, counts = _sizes(X), _sizes(y)
    if len(blocks) != len(targets) or (sizes is not None and counts is not None and sizes != counts):
        raise ValueError(
            f"X has {len(blocks)} partitions and y has {len(targets)}, or they differ in length. Let both be cut at "
            "the same rows: rechunk arrays, or take both from one data frame."
        )
    return [delayed(Block, pure=False)(block, target) for block, target in zip(blocks, targets, strict=True)]


def _delayed(data: Any, name: str) -> list[Any]:
    """The partitions of an array, cut along rows only, or of a data frame."""
    found = data.to_delayed()
    if not isinstance(found, np.ndarray):
        return list(found)
    if data.ndim == 2 and data.numblocks[1] > 1:
        raise ValueError(f"{name} is cut along its columns. Make its rows whole: {name}.rechunk({{1: -1}}).")
    return list(found.ravel())


def _sizes(data: Any) -> tuple[int, ...] | None:
    """Rows of each block of an array, if they are known."""
    if not hasattr(data, "chunks") or np.isnan(data.chunks[0]).any():
        return None
    return tuple(data.chunks[0])


def mapped(method: Callable[[Any], np.ndarray], X: Any, example: np.ndarray) -> Any:
    """A method of an estimator over every partition, lazily; `example` has the dtype and width of its results."""
    if not is_dask(X):
        return method(X)
    if hasattr(X, "map_partitions"):
        # lengths of partitions are not known: an array whose chunks are of unknown length
        return X.map_partitions(method, meta=example, enforce_metadata=False)
    if example.ndim == 1:
        return X.map_blocks(method, drop_axis=1, dtype=example.dtype, meta=example)
    return X.map_blocks(method, chunks=(X.chunks[0], (example.shape[1],)), dtype=example.dtype, meta=example)
