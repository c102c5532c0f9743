"""Rows in memory for a `RowReader`: text is read by the same code as a CSV file, numbers are taken as they are."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .bad_lines import BadLine
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .csv_dialect import records
from .csv_files import CsvReader
from .lines import TextChunk
from .locations import MemoryLocation
from .missing_numbers import without_marks
from .schema import Options, Schema


class RowPart(NamedTuple):
    """Some rows: CSV with a header, and the columns that are numbers already, NaN for a missing value.

    The first column of the text is in no schema and never empty: a row must not be a blank line.
    """

    text: bytes
    numbers: Mapping[str, np.ndarray]
    rows: int


class TextRows:
    """A stream of rows in memory. The `lines` of its blocks are the numbers of rows, from 1.

    Parameters
    ----------
    parts : iterable of RowPart
        The rows.
    schema : Schema
        The columns.
    numbers : iterable of str, default ()
        Columns that are numbers already.
    name : str, default "The data"
        What messages call it.

    Examples
    --------
    >>> part = RowPart(b"row,y\\n0,a\\n1,b\\n", {"x": np.array([1.0, 2.0])}, 2)
    >>> rows = TextRows([part], Schema(("x",), target="y", target_categorical=True), ["x"])
    >>> [(block.numeric.tolist(), block.target.categories) for block in rows.blocks()]
    [([[1.0], [2.0]], ['a', 'b'])]
    """

    def __init__(self, parts: Iterable[RowPart], schema: Schema, numbers: Iterable[str] = (), name: str = "The data"):
        self.parts, self.names, self.nouns, self.locations = parts, [name], ["row"], [MemoryLocation(name)]
        self._wanted, self.schema, known = schema, schema.as_read, set(numbers)
        self._read = self.schema._replace(
            numeric=tuple(name for name in self.schema.numeric if name not in known),
            target_needed=schema.target_needed and schema.target not in known,
            header=True,
        )
        self._options = Options("csv", delimiter=",", header=True, na=schema.na)

    def blocks(self, start: FilePosition = FilePosition()) -> Generator[RowBlock]:
        before = 0
        for part in self.parts:
            if self._read.features == () and self._read.wanted_target is None:  # nothing to read
                yield self._whole(_empty(part.rows, before), part, before)
                before += part.rows
                continue
            rows = _row_numbers(part) + before
            reader = CsvReader(ByteSource(MemoryLocation(self.names[0], part.text)), self._options)
            for block in reader.blocks(self._read, FilePosition()):
                yield self._whole(_numbered(block, rows), part, before)
            before += part.rows

    def _whole(self, block: RowBlock, part: RowPart, before: int) -> RowBlock:
        """With the columns that are numbers already."""
        at, schema = block.lines - before - 1, self.schema
        assert isinstance(block.numeric, np.ndarray)
        numeric = np.empty((len(block), len(schema.numeric)))
        for i, name in enumerate(schema.numeric):
            known = part.numbers.get(name)
            numeric[:, i] = block.numeric[:, self._read.numeric.index(name)] if known is None else known[at]
        target = block.target
        if target is None and schema.wanted_target is not None:
            target = part.numbers[schema.wanted_target][at]
        return without_marks(replace(block, numeric=numeric, target=target), schema).split(self._wanted)

    def close(self) -> None:
        """Nothing is open."""


def _empty(rows: int, before: int) -> RowBlock:
    """A block of rows without columns."""
    first, last = FilePosition(line=before + 1), FilePosition(line=before + rows + 1)
    lines = np.arange(first.line, last.line)
    return RowBlock(np.empty((rows, 0)), (), None, lines, np.zeros(rows, np.int32), first, last, 1.0)


def _row_numbers(part: RowPart) -> np.ndarray:
    """The number, from 1, of the row that begins at each line; line numbers begin at 1."""
    breaks = part.text.count(b"\n")
    rows = np.zeros(breaks + 2, np.int64)
    starts = np.arange(part.rows) + 2
    if breaks != part.rows + 1:  # some of them in cells
        found = records(TextChunk(part.text, 0, 1, 0.0), ",", True, "utf-8")
        starts = np.array([record.line for record in found][1:], np.intp)
    rows[starts] = np.arange(1, len(starts) + 1)
    numbers: np.ndarray = np.maximum.accumulate(rows)
    return numbers


def _numbered(block: RowBlock, rows: np.ndarray) -> RowBlock:
    """The block with numbers of rows in place of those of lines."""
    end = int(rows[min(block.end.line, len(rows)) - 1]) + 1
    return replace(
        block,
        lines=rows[block.lines],
        start=block.start._replace(line=max(int(rows[block.start.line]), 1)),
        end=block.end._replace(line=end),
        bad=tuple(BadLine(bad.file, int(rows[bad.line]), bad.reason, bad.where, "row") for bad in block.bad),
    )
