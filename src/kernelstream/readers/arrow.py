"""Columns of pyarrow as rows of ours."""

import importlib
from typing import Any

import numpy as np

from .blocks import Block, Column, Words
from .place import Place
from .schema import Schema


def import_pyarrow(module: str) -> Any:
    """pyarrow with one of its modules, or None if it is not installed."""
    try:
        importlib.import_module(f"pyarrow.{module}")
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def block_of(columns: dict[str, Any], schema: Schema, start: Place, end: Place, share: float) -> Block:
    """The rows of columns by name, one row a line; NaN and −1 where a value is missing."""
    rows = len(next(iter(columns.values()))) if columns else 0
    numbers = np.empty((rows, len(schema.numbers)))
    for i, name in enumerate(schema.numbers):
        numbers[:, i] = columns[name].to_numpy()
    target: Column | None = None
    if schema.wanted_target is not None:
        found = columns[schema.wanted_target]
        target = _words(found) if schema.target_words else np.array(found.to_numpy(), np.float64)
    return Block(
        numbers,
        tuple(_words(columns[name]) for name in schema.words),
        target,
        np.arange(start.line, start.line + rows),
        np.full(rows, start.file, np.int32),
        start,
        end,
        share,
    )


def is_usual(block: Block, columns: dict[str, Any], schema: Schema) -> bool:
    """Whether all numbers of a block are finite, but for those that pyarrow took for missing."""
    assert isinstance(block.numbers, np.ndarray)
    missing = sum(columns[name].null_count for name in schema.numbers)
    usual = np.count_nonzero(np.isfinite(block.numbers)) + missing == block.numbers.size
    if usual and isinstance(block.target, np.ndarray) and schema.target is not None:
        usual = np.count_nonzero(np.isfinite(block.target)) + columns[schema.target].null_count == len(block)
    return bool(usual)


def _words(column: Any) -> Words:
    """Text, without the blanks around it; empty text is missing."""
    from pyarrow import types

    whole = (column if types.is_dictionary(column.type) else column.dictionary_encode()).combine_chunks()
    whole = whole.chunk(0) if hasattr(whole, "chunks") else whole
    values = [str(value).strip() for value in whole.dictionary.to_pylist()]
    codes = np.asarray(whole.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    empty = [i for i, value in enumerate(values) if not value]
    return Words(np.where(np.isin(codes, empty), -1, codes) if empty else codes, values)
