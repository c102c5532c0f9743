"""Rows of text in memory, read by the same code as a CSV file: what a cell means does not depend on where it is."""

import io
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .bad_lines import BadLine
from .blocks import FilePosition, RowBlock
from .byte_source import HEAD, ByteSource
from .csv_dialect import records
from .csv_files import CsvReader
from .lines import TextChunk
from .schema import Options, Schema


class MemorySource(ByteSource):
    """Bytes in memory, read like a file.

    >>> MemorySource(b"x,y\\n1,2\\n", "the data").read(3)
    b'x,y'
    """

    def __init__(self, data: bytes, name: str):
        self.name, self.seekable, self.compressed = name, True, False
        self._own, self._size, self._taken = True, len(data), 0
        self._raw = self._stream = io.BytesIO(data)
        self.head = self._look(False) if len(data) > HEAD else self._stream.read()
        self._before = self.head


class TextPart(NamedTuple):
    """Some rows as CSV with a header. The first column is in no schema and never empty: a row might be a blank line."""

    data: bytes
    rows: int


class TextRows:
    """A stream of rows in memory for a `RowReader`. The `lines` of its blocks are the numbers of rows, from 1.

    >>> part = TextPart(b"row,x,y\\n0,1,a\\n1,2,b\\n", 2)
    >>> [block.numeric.tolist() for block in TextRows([part], Schema(("x",), target="y", target_categorical=True))]
    [[[1.0], [2.0]]]
    """

    def __init__(self, parts: Iterable[TextPart], schema: Schema, options: Options = Options(), name: str = "The data"):
        self.parts, self.files, self.nouns = parts, [name], ["row"]
        self.schema = schema._replace(header=True)
        self.options = options._replace(format="csv", delimiter=",", quotes=True, encoding="utf-8", header=True)

    def __iter__(self) -> Generator[RowBlock]:
        return self.blocks()

    def blocks(self, start: FilePosition = FilePosition()) -> Generator[RowBlock]:
        before = 0
        for part in self.parts:
            source = MemorySource(part.data, self.files[0])
            reader = CsvReader(source, self.options)
            rows = _row_numbers(part) + before
            for block in reader.blocks(self.schema, FilePosition()):
                yield _numbered(block, rows)
            before += part.rows

    def close(self) -> None:
        """Nothing is open."""


def _row_numbers(part: TextPart) -> np.ndarray:
    """The number, from 1, of the row that begins at each line; line numbers begin at 1."""
    breaks = part.data.count(b"\n")
    rows = np.zeros(breaks + 2, np.int64)
    starts = np.arange(part.rows) + 2
    if breaks != part.rows + 1:  # some of them in cells
        found = records(TextChunk(part.data, 0, 1, 0.0), ",", True, "utf-8")
        starts = np.array([record.line for record in found][1:], np.intp)
    rows[starts] = np.arange(1, len(starts) + 1)
    found_rows: np.ndarray = np.maximum.accumulate(rows)
    return found_rows


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
