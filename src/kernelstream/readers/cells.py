"""Values of text cells (a number, a missing value, a category), and a block built from rows of them."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from .bad_lines import BadLine
from .blocks import Column, RowBlock, categorical_column
from .lines import TextChunk
from .schema import Schema

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # a missing number, in any case
MAX_BAD_FRACTION = 0.1  # of a numeric column's cells: those are bad lines, and the column stays numeric


def number(text: str) -> float | None:
    """A finite decimal, or None. (Python also accepts 1_000, １ and infinity.)

    >>> number(" -2.5e3 "), number("1_000"), number("1e999"), number("x")
    (-2500.0, None, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text and text.isascii() else None


def number_or_missing(text: str) -> float | None:
    """The same, and NaN for a missing value: an empty cell, or one of `MISSING`."""
    value = number(text)
    return math.nan if value is None and text.strip().lower() in MISSING else value


def is_categorical(texts: Iterable[str]) -> bool:
    """Whether a column with these cells is categorical.

    >>> is_categorical(["1", "", "2"]), is_categorical(["1", "a"]), is_categorical(["1"] * 30 + ["a"])
    (False, True, False)
    """
    numbers = [number_or_missing(text) for text in texts]
    return numbers.count(None) > MAX_BAD_FRACTION * sum(value is None or not math.isnan(value) for value in numbers)


def is_text(text: str) -> bool:
    """Whether all of it was decoded: a byte that is no character was decoded to a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def category(text: str) -> str | None:
    """Text without surrounding blanks; None for an empty cell, which is missing."""
    return text.strip() or None


class BlockBuilder:
    """Collects the rows of a chunk of text one by one; values are in the order of the schema's columns."""

    def __init__(self, schema: Schema, chunk: TextChunk, file: int):
        self.schema, self.chunk, self.file = schema, chunk, file
        self.lines: list[int] = []
        self.numeric: list[Sequence[float]] = []
        self.categorical: list[Sequence[str | None]] = []
        self.targets: list[float | str | None] = []
        self.bad: list[BadLine] = []

    def add(
        self, line: int, numeric: Sequence[float], categorical: Sequence[str | None], target: float | str | None
    ) -> None:
        self.lines.append(line)
        self.numeric.append(numeric)
        self.categorical.append(categorical)
        self.targets.append(target)

    def block(self) -> RowBlock:
        rows = len(self.lines)
        return RowBlock(
            np.array(self.numeric, np.float64).reshape(rows, len(self.schema.numeric)),
            tuple(categorical_column(row[i] for row in self.categorical) for i in range(len(self.schema.categorical))),
            self._target(),
            np.array(self.lines, np.int64),
            np.full(rows, self.file, np.int32),
            *self.chunk.positions(self.file),
            self.chunk.fraction,
            tuple(self.bad),
        )

    def _target(self) -> Column | None:
        if self.schema.wanted_target is None:
            return None
        if self.schema.target_categorical:
            return categorical_column(text if text is None else str(text) for text in self.targets)
        return np.array(self.targets, np.float64)
