"""Cells that were read before, so that most rows need not be read as a file is.

Numbers are taken as they are. What the text of a cell means (a category, or a missing value) depends on the cell alone,
so what a column's cell meant once is remembered.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..readers import CategoricalColumn, RowBlock, Schema
from .block_bytes import block_of

MOST = 10_000  # cells remembered of a column
_NUMBERS = {int, float, bool, type(None)}


class KnownCells:
    """What the cells of categorical columns, and labels, were read as.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> schema, cells = Schema(("x",), ("c",)), KnownCells()
    >>> cells.block({"x": [1.5], "c": ["red"]}, schema) is None
    True
    >>> cells.note({"c": ["red"]}, schema, block_of(np.zeros((1, 1)), (categorical_column(["red"]),), None))
    >>> cells.block({"x": [1.5], "c": ["red"]}, schema).categorical[0].categories
    ['red']
    """

    def __init__(self) -> None:
        self._known = dict[str, dict[Any, str | None]]()

    def block(self, columns: Mapping[str, list[Any]], schema: Schema) -> RowBlock | None:
        """The rows, if all their cells are known or numbers; else None."""
        numeric = _table([columns[name] for name in schema.as_read.numeric], len(next(iter(columns.values()))))
        if numeric is None:
            return None
        found = list[CategoricalColumn]()
        target: Any = None
        for name in schema.categorical:
            column = self._column(name, columns[name])
            if column is None:
                return None
            found.append(column)
        if schema.wanted_target is not None:
            values = columns[schema.wanted_target]
            target = self._column(schema.wanted_target, values) if schema.target_categorical else _numbers(values)
            if target is None:
                return None
        return block_of(numeric, tuple(found), target).split(schema)

    def note(self, columns: Mapping[str, list[Any]], schema: Schema, block: RowBlock) -> None:
        """Remember what the cells of these rows were read as."""
        read = dict(zip(schema.categorical, block.categorical, strict=True))
        if schema.wanted_target is not None and isinstance(block.target, CategoricalColumn):
            read[schema.wanted_target] = block.target
        rows = (block.lines - 1).tolist()
        for name, column in read.items():
            known, values = self._known.setdefault(name, {}), columns[name]
            for row, code in zip(rows, column.codes.tolist(), strict=True):
                if len(known) < MOST:
                    known[type(values[row]), values[row]] = column.categories[code] if code >= 0 else None

    def _column(self, name: str, values: list[Any]) -> CategoricalColumn | None:
        known, texts = self._known.get(name), dict[str, int]()
        if known is None:
            return None
        codes = np.empty(len(values), np.int64)
        for i, value in enumerate(values):
            text = known.get((type(value), value), self)
            if text is self:
                return None
            codes[i] = -1 if text is None else texts.setdefault(str(text), len(texts))
        return CategoricalColumn(codes, list(texts))


def _table(columns: list[list[Any]], rows: int) -> np.ndarray | None:
    if not all(_NUMBERS.issuperset(map(type, values)) for values in columns):
        return None
    try:
        found = np.array(columns, np.float64).T
    except OverflowError:
        return None
    return np.ascontiguousarray(found) if columns else np.empty((rows, 0))


def _numbers(values: list[Any]) -> np.ndarray | None:
    found = _table([values], len(values))
    return None if found is None else found[:, 0]
