"""Text into records of cells, by the standard library; and whether the first of them is a header."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .cells import is_words, number
from .lines import Piece


class Record(NamedTuple):
    """One record and the lines that it takes up; what is wrong if it cannot be split into cells."""

    line: int
    last: int
    cells: list[str]
    fault: str = ""


def records(piece: Piece, delimiter: str, quotes: bool, encoding: str) -> Iterator[Record]:
    """Every record of a piece but blank lines. Bytes that are no characters become halves of surrogates.

    >>> [record.cells for record in records(Piece(b'1,"a\\n,b"\\n\\n2,c\\n', 0, 1, 0.0), ",", True, "utf-8")]
    [['1', 'a\\n,b'], ['2', 'c']]
    """
    text = piece.data.decode(encoding, errors="surrogateescape")
    lines = io.StringIO(text, newline="\n")
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
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
            yield Record(piece.line + before, piece.line + reader.line_num - 1, cells, fault)
        before = reader.line_num


def has_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether the first record names the columns: it has no number, and either there is a column of numbers below, or
    no name of it is found again among the cells below.

    >>> has_header(["age", "job"], [["31", "cook"]]), has_header(["cook", "yes"], [["cook", "no"]])
    (True, False)
    """
    if any(number(cell) is not None for cell in first):
        return False
    columns = list(zip(*others, strict=True))
    if any(not is_words(column) for column in columns):
        return True
    return all(name not in column for name, column in zip(first, columns, strict=False))
