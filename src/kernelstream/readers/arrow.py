"""pyarrow, if it is installed, and its columns as blocks of rows."""

import importlib
from typing import Any

import numpy as np

from .blocks import CategoricalColumn, Column, FilePosition, RowBlock
from .schema import Schema


def import_pyarrow(module: str) -> Any:
    """pyarrow with one of its modules, or None if it is not installed."""
    try:
        importlib.import_module(f"pyarrow.{module}")
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def block_of(
    columns: dict[str, Any], schema: Schema, start: FilePosition, end: FilePosition, fraction: float
) -> RowBlock:
    """The rows of named columns of numbers and text, one row per line; NaN and −1 for a missing value."""
    rows = len(next(iter(columns.values()))) if columns else 0
    numeric = np.empty((rows, len(schema.numeric)))
    for i, name in enumerate(schema.numeric):
        numeric[:, i] = columns[name].to_numpy()
    target: Column | None = None
    if schema.wanted_target is not None:
        found = columns[schema.wanted_target]
        target = _categorical(found, schema) if schema.target_categorical else np.array(found.to_numpy(), np.float64)
    return RowBlock(
        numeric,
        tuple(_categorical(columns[name], schema) for name in schema.categorical),
        target,
        np.arange(start.line, start.line + rows),
        np.full(rows, start.file, np.int32),
        start,
        end,
        fraction,
    )


def all_finite(block: RowBlock, columns: dict[str, Any], schema: Schema) -> bool:
    """Whether all numbers of a block are finite, except missing values."""
    assert isinstance(block.numeric, np.ndarray)
    missing = sum(columns[name].null_count for name in schema.numeric)
    finite = np.count_nonzero(np.isfinite(block.numeric)) + missing == block.numeric.size
    if finite and isinstance(block.target, np.ndarray) and schema.target is not None:
        finite = np.count_nonzero(np.isfinite(block.target)) + columns[schema.target].null_count == len(block)
    return bool(finite)


def _categorical(column: Any, schema: Schema) -> CategoricalColumn:
    """Text without surrounding blanks; empty text is missing, and what the schema says."""
    from pyarrow import types

    whole = (column if types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    whole = whole.chunk(0) if hasattr(whole, "chunks") else whole
    categories = [str(value).strip() for value in whole.dictionary.to_pylist()]
    codes = np.asarray(whole.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    empty = [i for i, category in enumerate(categories) if not category or category in schema.na]
    return CategoricalColumn(np.where(np.isin(codes, empty), -1, codes) if empty else codes, categories)
