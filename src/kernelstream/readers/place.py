"""Where a row stands in the input, and what is said of a row that cannot be used."""

from typing import NamedTuple


class Place(NamedTuple):
    """Where reading goes on. A block begins at the offset; its lines up to `after` have been taken already."""

    file: int = 0  #: index among the files
    offset: int = 0  #: bytes after decompression, or rows where a format is made of rows
    line: int = 1  #: the number of the line, or row, at the offset
    after: int = 0


class BadLine(ValueError):
    """A line that cannot be used: which, and why.

    >>> print(BadLine("data.csv", 17, "'abc' is not a number.", "column 3 ('age')"))
    data.csv, line 17, column 3 ('age'): 'abc' is not a number.
    """

    def __init__(self, file: str, line: int, reason: str, where: str = "", noun: str = "line"):
        super().__init__(file, line, reason, where, noun)
        self.file, self.line, self.reason, self.where, self.noun = file, line, reason, where, noun

    def __str__(self) -> str:
        where = f", {self.where}" if self.where else ""
        return f"{self.file}, {self.noun} {self.line:,}{where}: {self.reason}"


def shown(text: str) -> str:
    """Text as an error quotes it: not too much of it.

    >>> shown("no number"), len(shown("x" * 50))
    ("'no number'", 42)
    """
    return repr(text if len(text) <= 40 else text[:39] + "…")
