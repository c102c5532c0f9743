"""Blocks of raw rows as bytes, and back, bit for bit: a line of JSON, then numbers (float64) and codes (int32)."""

import json
from typing import Any

import numpy as np

from ..readers import CategoricalColumn, FilePosition, RowBlock

_NUMBER, _CODE = np.dtype("<f8"), np.dtype("<i4")


def block_to_bytes(block: RowBlock) -> bytes:
    """The bytes of a block with named columns.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> block = block_of(np.array([[1.5]]), (categorical_column(["red"]),), np.array([2.0]))
    >>> back = block_from_bytes(block_to_bytes(block))
    >>> back.numeric.tolist(), back.categorical[0].categories, back.target.tolist()
    ([[1.5]], ['red'], [2.0])
    """
    assert isinstance(block.numeric, np.ndarray)
    columns = [column.categories for column in block.categorical]
    target = block.target
    labels = target.categories if isinstance(target, CategoricalColumn) else None
    about = {"rows": len(block), "numeric": block.numeric.shape[1], "categories": columns, "labels": labels}
    about |= {"target": target is not None, "weight": block.weight is not None}
    parts = [json.dumps(about, separators=(",", ":")).encode(), b"\n"]
    parts.append(np.ascontiguousarray(block.numeric, _NUMBER).tobytes())
    parts += [column.codes.astype(_CODE).tobytes() for column in block.categorical]
    if isinstance(target, CategoricalColumn):
        parts.append(target.codes.astype(_CODE).tobytes())
    elif target is not None:
        parts.append(np.ascontiguousarray(target, _NUMBER).tobytes())
    if block.weight is not None:
        parts.append(np.ascontiguousarray(block.weight, _NUMBER).tobytes())
    return b"".join(parts)


def block_from_bytes(data: bytes) -> RowBlock:
    """The block that `block_to_bytes` wrote."""
    end = data.index(b"\n")
    about, at = json.loads(data[:end]), end + 1
    rows, width = about["rows"], about["numeric"]

    def take(dtype: np.dtype[Any], count: int) -> np.ndarray:
        nonlocal at
        found: np.ndarray = np.frombuffer(data, dtype, count, at)
        at += found.nbytes
        return found

    numeric = take(_NUMBER, rows * width).reshape(rows, width)
    columns = tuple(CategoricalColumn(take(_CODE, rows).astype(np.int64), texts) for texts in about["categories"])
    target: Any = None
    if about["target"] and about["labels"] is not None:
        target = CategoricalColumn(take(_CODE, rows).astype(np.int64), about["labels"])
    elif about["target"]:
        target = take(_NUMBER, rows)
    return block_of(numeric, columns, target, take(_NUMBER, rows) if about["weight"] else None)


def block_of(
    numeric: np.ndarray, categorical: tuple[CategoricalColumn, ...], target: Any, weight: np.ndarray | None = None
) -> RowBlock:
    """A block with these columns; its rows are numbered from 1."""
    rows = len(numeric)
    first, last = FilePosition(line=1), FilePosition(line=rows + 1)
    lines, files = np.arange(1, rows + 1), np.zeros(rows, np.int32)
    return RowBlock(numeric, categorical, target, lines, files, first, last, 1.0, weight=weight)
