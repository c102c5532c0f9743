"""Rows of Python values, from databases and Avro files: named columns whose kinds the first rows show."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np

from .bad_lines import BadLine
from .blocks import FilePosition, RowBlock, categorical_column
from .byte_source import ByteSource
from .digests import changed
from .kept_columns import kept_values
from .schema import Options, Schema, choose, chosen_column, column_indices
from .text_numbers import NUMBER
from .values import BadValue, category_of, kind_of_values, number_of, texts_in

Row = Sequence[Any]
_SAMPLE = 1000  # rows inspected
_BLOCK = 1 << 16  # values read at a time
_PLAIN = {int, float, bool, type(None)}


class TypedRowReader(ABC):
    """A position is a number of rows. Its digest is that of all values before it, used or not, so that a run that is
    resumed knows whether it gets the same rows in the same order."""

    noun = "row"
    numbers_in_text = False  #: whether text beside numbers is read too, as in databases made from CSV files

    def __init__(self, source: ByteSource, options: Options, names: list[str]):
        self.source, self.options, self.names = source, options, names
        self._rows, self._sample = self.rows(), list[Row]()
        source.on_close(self._rows.close)

    @abstractmethod
    def rows(self) -> Generator[Row]:
        """All rows from the first on, each with a value for every name."""

    def infer(self) -> Schema:
        """The first values of a column decide what it is."""
        self._sample = list(islice(self._rows, _SAMPLE))
        columns = zip(*self._sample, strict=True) if self._sample else [()] * len(self.names)
        found, na = dict(zip(self.names, columns, strict=True)), self.options.na
        kinds = {name: kind_of_values(values, na) for name, values in found.items()}
        has = "has arrays, objects or binary values"
        return choose(kinds, self.options, self.source.name, unusable=lambda name: has, texts=texts_in(found))

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        indices = column_indices(schema, self.names, self.source.name)
        keep = [chosen_column(name, self.names, self.source.name) for name in self.options.keep]
        self._kept = [self.names.index(name) for name in keep]
        size, done, seen = max(_BLOCK // len(self.names), 1), 0, hashlib.sha256()
        rows, known = chain(self._sample, self._rows), self.source.digests or start.digest is not None
        while batch := list(islice(rows, size)):
            begin, done = FilePosition(start.file, done, done + 1), done + len(batch)
            columns = list(zip(*batch, strict=True))
            digest = partial(_digest, seen.copy(), columns, begin.line) if known else None
            if digest is not None and start.digest is not None and begin.offset < start.after <= done:
                self._compare(start, digest(start.after))
            if known:
                seen.update(_content(columns))
            if done > start.offset:
                block = self._block(columns, schema, indices, begin)
                wrong = [bad.line for bad in block.bad]
                yield replace(block.take(~np.isin(block.lines, wrong)) if wrong else block, digest=digest)
        if done < start.after and start.digest is not None:
            raise changed(self.source.name, f"it has {done:,} rows, and {start.after:,} were read")

    def _compare(self, start: FilePosition, digest: str) -> None:
        if digest != start.digest:
            raise changed(self.source.name, f"its first {start.after:,} rows differ")

    def _block(self, columns: Sequence[Row], schema: Schema, indices: dict[str, int], begin: FilePosition) -> RowBlock:
        """All rows; those with a bad value have a missing one in its place."""
        rows, bad = len(columns[0]), dict[int, BadLine]()

        def converted(name: str, categorical: bool) -> Any:
            values = columns[indices[name]]
            if not categorical and (plain := _plain_numbers(values)) is not None:
                return plain
            kind = schema.kinds.get(name, NUMBER if self.numbers_in_text else None)
            found: list[Any] = []
            for i, value in enumerate(values):
                try:
                    found.append(category_of(value, schema.na) if categorical else number_of(value, kind, schema.na))
                except BadValue as error:
                    where = f"column {name!r}"
                    bad.setdefault(i, BadLine(self.source.name, begin.line + i, str(error), where, self.noun))
                    found.append(None)
            return categorical_column(found) if categorical else np.array(found, np.float64)

        numeric, target = [converted(name, False) for name in schema.numeric], schema.wanted_target
        return RowBlock(
            np.array(numeric, np.float64).T.reshape(rows, len(numeric)),
            tuple(converted(name, True) for name in schema.categorical),
            None if target is None else converted(target, schema.target_categorical),
            np.arange(begin.line, begin.line + rows),
            np.full(rows, begin.file, np.int32),
            begin,
            FilePosition(begin.file, begin.offset + rows, begin.line + rows),
            self.source.fraction,
            tuple(bad[i] for i in sorted(bad)),
            kept=tuple(kept_values(columns[i]) for i in self._kept),
        )


def _plain_numbers(values: Sequence[Any]) -> np.ndarray | None:
    """Values that all are finite numbers or missing; None if they are not."""
    if not set(map(type, values)) <= _PLAIN:
        return None
    try:
        found = np.array(values, np.float64)
    except OverflowError:
        return None
    return None if np.isinf(found).any() else found


def _digest(seen: Any, columns: Sequence[Row], first: int, row: int | None) -> str:
    """Of all rows up to one of a block, or to its end; `first` is the number of its first row."""
    found = seen.copy()
    found.update(_content(columns if row is None else [values[: row + 1 - first] for values in columns]))
    return str(found.hexdigest())


def _content(columns: Sequence[Row]) -> bytes:
    """The values of some rows."""
    plain = ((_plain_numbers(values), values) for values in columns)
    return b"".join(
        repr(values).encode(errors="surrogateescape") if found is None else found.tobytes() for found, values in plain
    )
