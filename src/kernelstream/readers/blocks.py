"""Blocks of rows: numeric columns, categorical columns and targets, each row with its position in the input."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .bad_lines import BadLine
from .schema import Schema

RowSelection = slice | np.ndarray  # consecutive rows, a boolean mask, or indices


class FilePosition(NamedTuple):
    """Where reading continues: the block that begins at `offset`, of which lines up to `after` were read already."""

    file: int = 0  #: index among the files
    offset: int = 0  #: in bytes after decompression; in rows for formats that are not text
    line: int = 1  #: number of the line, or row, at the offset
    after: int = 0
    digest: str | None = None  #: of all that was read, where it must be the same again


class CategoricalColumn(NamedTuple):
    """A categorical column: the index of each row's category, −1 for a missing value."""

    codes: np.ndarray
    categories: list[str]

    def take(self, rows: RowSelection) -> "CategoricalColumn":
        return CategoricalColumn(self.codes[rows], self.categories)


class Pairs(NamedTuple):
    """Sparse rows as index:value pairs: a CSR matrix whose width is not yet known."""

    ends: np.ndarray  #: end of each row's pairs
    indices: np.ndarray
    values: np.ndarray

    def take(self, rows: RowSelection) -> "Pairs":
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self.ends))
            first, last = (int(self.ends[i - 1]) if i > 0 else 0 for i in (start, stop))
            return Pairs(self.ends[start:stop] - first, self.indices[first:last], self.values[first:last])
        starts = np.concatenate([[0], self.ends])[:-1][rows]
        counts = self.ends[rows] - starts
        ends = np.cumsum(counts)
        # the index of each kept pair: its row's start plus its index within the row
        kept = np.repeat(starts - (ends - counts), counts) + np.arange(ends[-1] if len(ends) else 0)
        return Pairs(ends, self.indices[kept], self.values[kept])

    def at(self, row: int, column: int) -> float:
        """A stored value."""
        found = self.take(slice(row, row + 1))
        return float(found.values[found.indices == column][0])

    @property
    def width(self) -> int:
        return int(self.indices.max(initial=-1)) + 1


NumericColumns = np.ndarray | Pairs
Column = np.ndarray | CategoricalColumn


@dataclass(frozen=True)
class RowBlock:
    """Rows that were read together."""

    numeric: NumericColumns  #: (n, columns) float64, NaN for a missing value
    categorical: tuple[CategoricalColumn, ...]
    target: Column | None  #: (n, targets) if there are several
    lines: np.ndarray  #: line number of each row
    files: np.ndarray  #: file index of each row
    start: FilePosition
    end: FilePosition  #: where the next block begins
    fraction: float  #: of the file that has been read
    bad: tuple[BadLine, ...] = ()
    #: the digest of its file up to the end of a line, or of this block if the line is None
    digest: Callable[[int | None], str | None] | None = None
    schema: Schema | None = None  #: its columns; None if they are those that were asked for
    kept: tuple[np.ndarray, ...] = ()  #: the text of the columns `Options.keep`; see `kept_columns.py`
    weight: np.ndarray | None = None  #: of each row; None if all are 1

    def __len__(self) -> int:
        return len(self.lines)

    def with_columns(self, schema: Schema) -> "RowBlock":
        """With the features of a schema only, all of which it has."""
        if self.schema is None or self.schema.features == schema.features or not isinstance(self.numeric, np.ndarray):
            return self
        numeric = [self.schema.numeric.index(name) for name in schema.numeric]
        categorical = tuple(self.categorical[self.schema.categorical.index(name)] for name in schema.categorical)
        return replace(self, numeric=self.numeric[:, numeric], categorical=categorical, schema=schema)

    def take(self, rows: RowSelection) -> "RowBlock":
        """Some of the rows."""
        return replace(
            self,
            numeric=_take(self.numeric, rows),
            categorical=tuple(column.take(rows) for column in self.categorical),
            target=None if self.target is None else _take(self.target, rows),
            lines=self.lines[rows],
            files=self.files[rows],
            kept=tuple(column[rows] for column in self.kept),
            weight=None if self.weight is None else self.weight[rows],
        )

    def split(self, schema: Schema) -> "RowBlock":
        """With the columns of a schema, after it was read with those of `schema.as_read`."""
        count = len(schema.numeric)
        if not isinstance(self.numeric, np.ndarray) or self.numeric.shape[1] == count:
            return self
        target, weight = self.target, None
        if schema.weight is not None:
            weight = self.numeric[:, -1]
        if schema.target_needed and schema.more_targets:
            assert isinstance(target, np.ndarray)
            target = np.column_stack([target, self.numeric[:, count : count + len(schema.more_targets)]])
        return replace(self, numeric=self.numeric[:, :count], target=target, weight=weight)


def _take(values: Any, rows: RowSelection) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else values.take(rows)


def categorical_column(texts: Iterable[str | None]) -> CategoricalColumn:
    """The column with these texts, None for a missing value.

    >>> categorical_column(["a", "b", None, "a"])
    CategoricalColumn(codes=array([ 0,  1, -1,  0]), categories=['a', 'b'])
    """
    known: dict[str, int] = {}
    codes = [-1 if text is None else known.setdefault(text, len(known)) for text in texts]
    return CategoricalColumn(np.array(codes, np.int64), list(known))


def concatenate(blocks: Sequence[RowBlock]) -> RowBlock:
    """The rows of several blocks; position and fraction are those of the last."""
    if len(blocks) == 1:
        return blocks[0]
    first, last = blocks[0], blocks[-1]
    categorical = tuple(
        _concatenate_categorical([block.categorical[i] for block in blocks]) for i in range(len(first.categorical))
    )
    return replace(
        last,
        numeric=_concatenate_numeric([block.numeric for block in blocks]),
        categorical=categorical,
        target=None if first.target is None else _concatenate_column([block.target for block in blocks]),
        lines=np.concatenate([block.lines for block in blocks]),
        files=np.concatenate([block.files for block in blocks]),
        kept=tuple(np.concatenate([block.kept[i] for block in blocks]) for i in range(len(first.kept))),
        weight=None
        if first.weight is None
        else np.concatenate([block.weight for block in blocks if block.weight is not None]),
    )


def _concatenate_column(columns: Sequence[Any]) -> Column:
    return _concatenate_categorical(columns) if isinstance(columns[0], CategoricalColumn) else np.concatenate(columns)


def _concatenate_categorical(columns: Sequence[CategoricalColumn]) -> CategoricalColumn:
    if all(column.categories is columns[0].categories for column in columns):
        return CategoricalColumn(np.concatenate([column.codes for column in columns]), columns[0].categories)
    shifts = np.cumsum([0] + [len(column.categories) for column in columns[:-1]])
    codes = [np.where(c.codes < 0, -1, c.codes + shift) for c, shift in zip(columns, shifts, strict=True)]
    return CategoricalColumn(np.concatenate(codes), [text for column in columns for text in column.categories])


def _concatenate_numeric(parts: Sequence[Any]) -> NumericColumns:
    if not isinstance(parts[0], Pairs):
        return np.concatenate(parts)
    shifts = np.cumsum([0] + [len(part.values) for part in parts[:-1]])
    ends = np.concatenate([part.ends + shift for part, shift in zip(parts, shifts, strict=True)])
    return Pairs(ends, np.concatenate([p.indices for p in parts]), np.concatenate([p.values for p in parts]))
