"""Rows in the order of their keys, within a memory budget: those with the smallest keys are kept."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .blocks import CategoricalColumn, Pairs, RowBlock, concatenate

PART = 1 << 14  # rows sorted together when they come
PORTION = 1 << 16  # rows given out together
LARGEST = 2**63 - 1
_STRING = 64  # bytes of a short Python string


class Part(NamedTuple):
    """Rows in the order of their keys."""

    rows: RowBlock
    keys: np.ndarray

    def take(self, rows: Any) -> "Part":
        return Part(self.rows.take(rows), self.keys[rows])


class SortedRows:
    """Rows of many blocks. When they take more memory than `memory`, the half with the larger keys is dropped, and rows
    with keys above `top` are not taken any more; `least` rows are kept in any case.

    >>> from kernelstream.readers.blocks import FilePosition
    >>> block = RowBlock(np.arange(4.0)[:, None], (), None, np.arange(4), np.zeros(4, int), *[FilePosition()] * 2, 0.0)
    >>> rows = SortedRows(memory=1 << 20)
    >>> rows.add(block, np.array([30, 10, 40, 20]))
    >>> [part.rows.numeric.ravel().tolist() for part in rows.portions()]
    [[1.0, 3.0, 0.0, 2.0]]
    """

    def __init__(self, memory: int, least: int = 2):
        self.memory, self.least, self.top = memory, least, LARGEST
        self.nbytes = self.count = 0
        self._parts: list[Part] = []
        self._new: list[Part] = []  # not sorted yet
        self._words: list[dict[str, int]] = []  # the categories of each categorical column, shared by all parts
        self._lists: list[list[str]] = []

    def add(self, block: RowBlock, keys: np.ndarray) -> None:
        """Add rows, those with a key above `top` excepted."""
        part = Part(block, keys)
        if self.top < LARGEST:
            part = part.take(np.flatnonzero(keys <= self.top))
        if not len(part.keys):
            return
        self._new.append(self._shared(part))
        self.nbytes, self.count = self.nbytes + _nbytes(part), self.count + len(part.keys)
        if sum(len(part.keys) for part in self._new) >= PART:
            self._sort_new()
        if self.nbytes > self.memory and self.count >= 2 * self.least:
            self._drop_half()

    def _shared(self, part: Part) -> Part:
        """The same rows with the common lists of categories, so that many blocks can be joined quickly."""
        rows = part.rows
        columns = [*rows.categorical, *([rows.target] if isinstance(rows.target, CategoricalColumn) else [])]
        if columns and not self._words:
            self._words, self._lists = [{} for _ in columns], [[] for _ in columns]
        shared = [self._recoded(column, i) for i, column in enumerate(columns)]
        if len(shared) > len(rows.categorical):
            rows = replace(rows, target=shared.pop())
        return part._replace(rows=replace(rows, categorical=tuple(shared)) if shared else rows)

    def _recoded(self, column: CategoricalColumn, which: int) -> CategoricalColumn:
        known, listed = self._words[which], self._lists[which]
        code = np.full(len(column.categories) + 1, -1, np.int64)  # the last is for −1
        for i in np.unique(column.codes).tolist():
            if i >= 0:
                text = column.categories[i]
                if text not in known:
                    known[text] = len(listed)
                    listed.append(text)
                    self.nbytes += _STRING + len(text)
                code[i] = known[text]
        return CategoricalColumn(code[column.codes], listed)

    def _sort_new(self) -> None:
        if self._new:
            self._parts.append(_sorted(self._new))
            self._new = []

    def _drop_half(self) -> None:
        self._sort_new()
        half = self.count // 2
        keys = np.concatenate([part.keys for part in self._parts])
        self.top = int(np.partition(keys, half - 1)[half - 1])
        parts, self._parts, self._words, self._lists = self._parts, [], [], []
        self.nbytes = self.count = 0
        for part in parts:
            # indices, because a slice would keep the memory of all
            self.add(*part.take(np.arange(np.searchsorted(part.keys, self.top, "right"))))

    def portions(self) -> Iterator[Part]:
        """All rows in order, some ten thousand at a time."""
        self._sort_new()
        if not self.count:
            return
        cuts = max(self.count // PORTION, 1)
        keys = np.sort(np.concatenate([part.keys for part in self._parts]))
        tops = keys[(np.arange(1, cuts + 1) * self.count) // cuts - 1]
        del keys
        ends = [np.searchsorted(part.keys, tops, "right") for part in self._parts]
        for i in range(cuts):
            slices = [slice(int(end[i - 1]) if i else 0, int(end[i])) for end in ends]
            some = [part.take(rows) for part, rows in zip(self._parts, slices, strict=True) if rows.start < rows.stop]
            yield _sorted(some)


def _sorted(parts: list[Part]) -> Part:
    keys = np.concatenate([part.keys for part in parts])
    order = np.argsort(keys)
    return Part(concatenate([part.rows for part in parts]).take(order), keys[order])


def _nbytes(part: Part) -> int:
    rows = part.rows
    numeric = sum(array.nbytes for array in rows.numeric) if isinstance(rows.numeric, Pairs) else rows.numeric.nbytes
    # target, line, key and 4 bytes of the file, and a code of each categorical column
    return int(numeric) + len(rows) * (28 + 8 * len(rows.categorical))
