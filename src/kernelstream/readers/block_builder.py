"""A block of rows that are read one by one."""

from collections.abc import Sequence

import numpy as np

from .bad_lines import BadLine
from .blocks import Column, RowBlock, categorical_column
from .lines import TextChunk
from .schema import Schema


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
