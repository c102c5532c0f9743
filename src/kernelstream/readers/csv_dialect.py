"""The dialect of a table as text: column separator, header, and its records of cells."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .lines import TextChunk, first_lines
from .text_numbers import BOOLEAN, CATEGORY, NUMBER, TEXT_KINDS, kind_of

_SEPARATORS = b",\t;|"
_DECIMAL_COMMAS = re.compile(rb"(?:[^,;]*(?:[0-9],[0-9]+)?[^,;0-9]*;)*[^,;]*(?:[0-9],[0-9]+)?[^,;0-9]*")  # between ;


def detect_separator(head: bytes) -> str | None:
    """The column separator: the character that occurs equally often in every line, outside quotes.

    >>> detect_separator(b'a;b;c\\n1,5;2;"x,;y"\\n')
    ';'
    """
    lines = [re.sub(rb'"[^"]*"', b"", line) for line in first_lines(head)]
    counts = {chr(mark): [line.count(mark) for line in lines] for mark in _SEPARATORS}
    steady = {mark: found[0] for mark, found in counts.items() if found[0] > 0 and len(set(found)) == 1}
    if not steady:  # a line or two may be bad: use the first line
        steady = {mark: found[0] for mark, found in counts.items() if found[0] > 0}
    if steady.keys() >= {",", ";"} and all(_DECIMAL_COMMAS.fullmatch(line) for line in lines):
        return ";"
    return max(steady, key=lambda mark: steady[mark]) if steady else None


class CsvRecord(NamedTuple):
    """One record with its first and last line; `fault` says why it cannot be split into cells."""

    line: int
    last: int
    cells: list[str]
    fault: str = ""


def records(chunk: TextChunk, separator: str, quotes: bool, encoding: str) -> Iterator[CsvRecord]:
    """The records of a chunk, without blank lines. Bytes that are no characters become lone surrogates.

    >>> [record.cells for record in records(TextChunk(b'1,"a\\n,b"\\n\\n2,c\\n', 0, 1, 0.0), ",", True, "utf-8")]
    [['1', 'a\\n,b'], ['2', 'c']]
    """
    text = chunk.data.decode(encoding, errors="surrogateescape")
    lines = io.StringIO(text, newline="\n")
    reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
    before = 0
    while True:
        fault, cells = "", []
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fault = f"{error}."
        if fault or len(cells) > 1 or (cells and cells[0].strip()):
            yield CsvRecord(chunk.line + before, chunk.line + reader.line_num - 1, cells, fault)
        before = reader.line_num


def has_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether the first record names the columns: none of its cells is a number or date, and either some column below
    is, or none of its cells occurs again in its column.

    >>> has_header(["age", "job"], [["31", "cook"]]), has_header(["cook", "yes"], [["cook", "no"]])
    (True, False)
    """
    columns = list(zip(*others, strict=True))
    kinds = [kind_of(column) for column in columns] or [NUMBER] * len(first)
    for cell, kind in zip(first, kinds, strict=False):
        if TEXT_KINDS[NUMBER].parse(cell) is not None:
            return False
        if kind not in (BOOLEAN, CATEGORY) and TEXT_KINDS[kind].parse(cell) is not None:
            return False
    if any(kind not in (BOOLEAN, CATEGORY) for kind in kinds if columns):
        return True
    return all(name not in column for name, column in zip(first, columns, strict=False))
