"""Rows as dicts, with the text of their cells: for a server, which reads them by the columns of its model."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

from .bad_lines import BadLine, shown
from .blocks import FilePosition
from .byte_source import ByteSource
from .cells import is_text
from .csv_dialect import detect_separator, records
from .formats import detect_format
from .lines import TextChunk, chunks, whole_lines, whole_records
from .schema import Options
from .source_names import locate

ROWS = 1000  # of a Parquet file that are converted together
TEXT = ("csv", "tsv", "jsonl")


class DictRows(NamedTuple):
    """Rows that were read together, the line of each, and the lines that are none."""

    rows: list[dict[str, Any]]
    lines: list[int]
    bad: list[BadLine]


class DictParser:
    """Reads the text of one file, whose format and column separator its first bytes show.

    >>> parser = DictParser("a.csv", b"x;colour\\n1,5;\\n", Options())
    >>> parser.parse(TextChunk(b"x;colour\\n1,5;\\n2\\n", 0, 1, 0.0))
    DictRows(rows=[{'x': '1,5', 'colour': None}], lines=[2], bad=[BadLine('a.csv', 3, 'expected 2 columns, ...
    """

    def __init__(self, name: str, head: bytes, options: Options):
        self.name, self.options = name, options
        self.kind = options.format or detect_format(name, head)
        if options.header is False or self.kind not in (*TEXT, "parquet"):
            raise ValueError(
                f"{name}: the rows need column names, so that the server can match them: use CSV with a header, JSON "
                "lines or Parquet."
            )
        self.separator = options.delimiter or ("\t" if self.kind == "tsv" else detect_separator(head) or ",")
        self.names: list[str] | None = None  #: of the columns, after the header of a CSV file was read
        self.whole = whole_lines if self.kind == "jsonl" or not options.quotes else whole_records

    def parse(self, chunk: TextChunk) -> DictRows:
        """The rows of some whole lines, from the first line of the file on."""
        found = DictRows([], [], [])
        for line, row in self._objects(chunk) if self.kind == "jsonl" else self._cells(chunk):
            if isinstance(row, str):
                found.bad.append(BadLine(self.name, line, row))
            else:
                found.rows.append(row)
                found.lines.append(line)
        return found

    def _objects(self, chunk: TextChunk) -> Iterator[tuple[int, dict[str, Any] | str]]:
        for line, text in enumerate(chunk.data.split(b"\n"), chunk.line):
            if text.strip():
                yield line, json_object(text)

    def _cells(self, chunk: TextChunk) -> Iterator[tuple[int, dict[str, Any] | str]]:
        for record in records(chunk, self.separator, self.options.quotes, self.options.encoding):
            cells = record.cells
            if self.names is None:
                self.names = [cell.strip() for cell in cells]
                if len(set(self.names)) < len(self.names) or not all(self.names):
                    first = shown(self.separator.join(cells))
                    raise ValueError(f"{self.name}: its first line must name every column once, not {first}.")
            elif record.fault:
                yield record.line, record.fault
            elif len(cells) != len(self.names):
                yield record.line, f"expected {len(self.names)} columns, found {len(cells)}."
            elif not all(map(is_text, cells)):
                yield record.line, f"it is not {self.options.encoding} text. Specify --encoding, for example latin-1."
            elif [cell.strip() for cell in cells] != self.names:  # repeated where files were concatenated
                yield record.line, {name: cell or None for name, cell in zip(self.names, cells, strict=True)}


def json_object(text: bytes) -> dict[str, Any] | str:
    """A JSON object, or what is wrong with it.

    >>> json_object(b'{"x": 1}'), json_object(b"[1]")
    ({'x': 1}, "'[1]' is not a JSON object.")
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # a UnicodeDecodeError is a ValueError
        return f"invalid JSON: {error}."
    return found if isinstance(found, dict) else f"{shown(text.decode(errors='replace'))} is not a JSON object."


def read_dicts(name: str, options: Options) -> Iterator[DictRows]:
    """The rows of a file or pipe, as they come."""
    source = ByteSource(locate(name), soon=True)
    with closing(source):
        parser = DictParser(source.name, source.head, options)
        if parser.kind == "parquet":
            yield from _parquet(name)
            return
        for chunk in chunks(source, FilePosition(), parser.whole):
            yield parser.parse(chunk)


def _parquet(name: str) -> Iterator[DictRows]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError('Parquet files need pyarrow: pip install "kernelstream[files]"') from None
    first = 1
    with pyarrow.parquet.ParquetFile(name) as file:
        for batch in file.iter_batches(ROWS):
            rows = batch.to_pylist()
            yield DictRows(rows, list(range(first, first + len(rows))), [])
            first += len(rows)
