"""Rows of a table gathered one by one."""

from collections.abc import Sequence

import numpy as np

from .blocks import Block, Column, words_of
from .lines import Piece
from .place import BadLine
from .schema import Schema


class Table:
    """The rows of one piece of text, each added as the values of the columns that the schema wants, in its order."""

    def __init__(self, schema: Schema, piece: Piece, file: int):
        self.schema, self.piece, self.file = schema, piece, file
        self.lines: list[int] = []
        self.numbers: list[Sequence[float]] = []
        self.words: list[Sequence[str | None]] = []
        self.targets: list[float | str | None] = []
        self.bad: list[BadLine] = []

    def add(self, line: int, numbers: Sequence[float], words: Sequence[str | None], target: float | str | None) -> None:
        self.lines.append(line)
        self.numbers.append(numbers)
        self.words.append(words)
        self.targets.append(target)

    def block(self) -> Block:
        rows = len(self.lines)
        return Block(
            np.array(self.numbers, np.float64).reshape(rows, len(self.schema.numbers)),
            tuple(words_of(row[i] for row in self.words) for i in range(len(self.schema.words))),
            self._target(),
            np.array(self.lines, np.int64),
            np.full(rows, self.file, np.int32),
            *self.piece.place(self.file),
            self.piece.share,
            tuple(self.bad),
        )

    def _target(self) -> Column | None:
        if self.schema.wanted_target is None:
            return None
        if self.schema.target_words:
            return words_of(text if text is None else str(text) for text in self.targets)
        return np.array(self.targets, np.float64)
