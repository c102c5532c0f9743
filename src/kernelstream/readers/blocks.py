"""Rows between a file and a model: numbers, words and targets, each row with its place in the input."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .place import BadLine, Place

Chosen = slice | np.ndarray  # rows one after the other, or those with True


class Words(NamedTuple):
    """A column of text: for every row the index of its value, −1 where it is missing."""

    codes: np.ndarray
    values: list[str]

    def take(self, rows: Chosen) -> "Words":
        return Words(self.codes[rows], self.values)


class Pairs(NamedTuple):
    """Sparse rows, as in a CSR matrix whose width is not yet known."""

    ends: np.ndarray  #: where the pairs of each row end
    indices: np.ndarray
    values: np.ndarray

    def take(self, rows: Chosen) -> "Pairs":
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self.ends))
            first, last = (int(self.ends[i - 1]) if i > 0 else 0 for i in (start, stop))
            return Pairs(self.ends[start:stop] - first, self.indices[first:last], self.values[first:last])
        starts = np.concatenate([[0], self.ends])[:-1][rows]
        counts = self.ends[rows] - starts
        ends = np.cumsum(counts)
        # where each pair kept stands now: its row's start, and its place within the row
        kept = np.repeat(starts - (ends - counts), counts) + np.arange(ends[-1] if len(ends) else 0)
        return Pairs(ends, self.indices[kept], self.values[kept])

    def at(self, row: int, column: int) -> float:
        """The value in a place that is not 0."""
        found = self.take(slice(row, row + 1))
        return float(found.values[found.indices == column][0])

    @property
    def width(self) -> int:
        return int(self.indices.max(initial=-1)) + 1


Numbers = np.ndarray | Pairs
Column = np.ndarray | Words


@dataclass(frozen=True)
class Block:
    """Rows that were read together."""

    numbers: Numbers  #: (n, columns) float64, NaN where a value is missing
    words: tuple[Words, ...]
    target: Column | None
    lines: np.ndarray
    files: np.ndarray  #: of every row, the index of its file
    start: Place
    end: Place  #: where the next block begins
    share: float  #: of the file that has been read
    bad: tuple[BadLine, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def take(self, rows: Chosen) -> "Block":
        """Some of the rows."""
        return replace(
            self,
            numbers=_taken(self.numbers, rows),
            words=tuple(column.take(rows) for column in self.words),
            target=None if self.target is None else _taken(self.target, rows),
            lines=self.lines[rows],
            files=self.files[rows],
        )


def _taken(values: Any, rows: Chosen) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else values.take(rows)


def words_of(texts: Iterable[str | None]) -> Words:
    """A column of the texts given, None where one is missing.

    >>> words_of(["a", "b", None, "a"])
    Words(codes=array([ 0,  1, -1,  0]), values=['a', 'b'])
    """
    known: dict[str, int] = {}
    codes = [-1 if text is None else known.setdefault(text, len(known)) for text in texts]
    return Words(np.array(codes, np.int64), list(known))


def joined(blocks: Sequence[Block]) -> Block:
    """The rows of several blocks after one another; place and share are those of the last."""
    if len(blocks) == 1:
        return blocks[0]
    first, last = blocks[0], blocks[-1]
    words = tuple(_joined_words([block.words[i] for block in blocks]) for i in range(len(first.words)))
    return replace(
        last,
        numbers=_joined_numbers([block.numbers for block in blocks]),
        words=words,
        target=None if first.target is None else _joined_column([block.target for block in blocks]),
        lines=np.concatenate([block.lines for block in blocks]),
        files=np.concatenate([block.files for block in blocks]),
    )


def _joined_column(columns: Sequence[Any]) -> Column:
    return _joined_words(columns) if isinstance(columns[0], Words) else np.concatenate(columns)


def _joined_words(columns: Sequence[Words]) -> Words:
    shifts = np.cumsum([0] + [len(column.values) for column in columns[:-1]])
    codes = [np.where(c.codes < 0, -1, c.codes + shift) for c, shift in zip(columns, shifts, strict=True)]
    return Words(np.concatenate(codes), [value for column in columns for value in column.values])


def _joined_numbers(parts: Sequence[Any]) -> Numbers:
    if not isinstance(parts[0], Pairs):
        return np.concatenate(parts)
    shifts = np.cumsum([0] + [len(part.values) for part in parts[:-1]])
    ends = np.concatenate([part.ends + shift for part, shift in zip(parts, shifts, strict=True)])
    return Pairs(ends, np.concatenate([p.indices for p in parts]), np.concatenate([p.values for p in parts]))
