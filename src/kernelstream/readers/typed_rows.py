"""Rows of Python values, from databases and Avro files: named columns whose kinds the first rows show."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np

from .bad_lines import BadLine
from .blocks import CategoricalColumn, FilePosition, RowBlock, categorical_column
from .byte_source import ByteSource
from .cells import MAX_BAD_FRACTION, number_or_missing
from .digests import changed
from .schema import Options, Schema, choose, column_indices, listed
from .values import BadValue, category_of, number_of

Row = Sequence[Any]
_SAMPLE = 1000  # rows inspected
_BLOCK = 1 << 16  # values read at a time
_PLAIN = {int, float, bool, type(None)}


class TypedRowReader(ABC):
    """A position is a number of rows. Its digest is that of all values before it that were used, so that a run that
    is resumed knows whether it gets the same rows in the same order."""

    noun = "row"
    numbers_in_text = False  #: whether text that is a number is one, as in databases made from CSV files

    def __init__(self, source: ByteSource, options: Options, names: list[str]):
        self.source, self.options, self.names = source, options, names
        self._rows, self._sample = self.rows(), list[Row]()
        source.on_close(self._rows.close)

    @abstractmethod
    def rows(self) -> Generator[Row]:
        """All rows from the first on, each with a value for every name."""

    def infer(self) -> Schema:
        """Columns with text are categorical."""
        self._sample = list(islice(self._rows, _SAMPLE))
        columns = zip(*self._sample, strict=True) if self._sample else [()] * len(self.names)
        kinds = {name: self._kind(values) for name, values in zip(self.names, columns, strict=True)}
        unusable = [name for name, kind in kinds.items() if kind is None and name not in self.options.ignore]
        if unusable:
            raise ValueError(
                f"{self.source.name}: column {unusable[0]!r} has arrays, objects or binary values, which are neither "
                f"numeric nor text. Exclude {listed(unusable)} (--ignore), or convert."
            )
        return choose({name: bool(kind) for name, kind in kinds.items()}, self.options, self.source.name)

    def _kind(self, values: Iterable[Any]) -> bool | None:
        """Whether a column is categorical; None if it is neither text nor numeric."""
        present = [value for value in values if value is not None]
        if sum(isinstance(value, (list, dict, bytes)) for value in present) > MAX_BAD_FRACTION * len(present):
            return None
        text = [value for value in present if not isinstance(value, (int, float)) and self._number(value) is None]
        return len(text) > MAX_BAD_FRACTION * len(present)

    def _number(self, value: Any) -> float | None:
        if self.numbers_in_text and isinstance(value, str):
            return number_or_missing(value)
        try:
            return number_of(value)
        except BadValue:
            return None

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        indices = column_indices(schema, self.names, self.source.name)
        size, done, seen = max(_BLOCK // len(self.names), 1), 0, hashlib.sha256()
        rows, known = chain(self._sample, self._rows), self.source.digests or start.digest is not None
        while batch := list(islice(rows, size)):
            begin, done = FilePosition(start.file, done, done + 1), done + len(batch)
            if done <= start.offset and not known:
                continue
            block = self._block(batch, schema, indices, begin)
            digest = partial(_digest, seen.copy(), block) if known else None
            if digest is not None and start.digest is not None and begin.offset < start.after <= done:
                self._compare(start, digest(start.after))
            if known:
                seen.update(_content(block, len(block)))
            if done > start.offset:
                wrong = [bad.line - begin.line for bad in block.bad]
                good = block.take(~np.isin(np.arange(len(block)), wrong)) if wrong else block
                yield replace(good, digest=digest)
        if done < start.after and start.digest is not None:
            raise changed(self.source.name, f"it has {done:,} rows, and {start.after:,} were read")

    def _compare(self, start: FilePosition, digest: str) -> None:
        if digest != start.digest:
            raise changed(self.source.name, f"its first {start.after:,} rows differ")

    def _block(self, rows: list[Row], schema: Schema, indices: dict[str, int], begin: FilePosition) -> RowBlock:
        """All rows; those with a bad value have a missing one in its place."""
        columns, bad = list(zip(*rows, strict=True)), dict[int, BadLine]()

        def converted(name: str, categorical: bool) -> Any:
            values = columns[indices[name]]
            if not categorical and (plain := _plain_numbers(values)) is not None:
                return plain
            found: list[Any] = []
            for i, value in enumerate(values):
                try:
                    found.append(category_of(value) if categorical else self._checked_number(value))
                except BadValue as error:
                    where = f"column {name!r}"
                    bad.setdefault(i, BadLine(self.source.name, begin.line + i, str(error), where, self.noun))
                    found.append(None)
            return categorical_column(found) if categorical else np.array(found, np.float64)

        numeric, target = [converted(name, False) for name in schema.numeric], schema.wanted_target
        return RowBlock(
            np.array(numeric, np.float64).T.reshape(len(rows), len(numeric)),
            tuple(converted(name, True) for name in schema.categorical),
            None if target is None else converted(target, schema.target_categorical),
            np.arange(begin.line, begin.line + len(rows)),
            np.full(len(rows), begin.file, np.int32),
            begin,
            FilePosition(begin.file, begin.offset + len(rows), begin.line + len(rows)),
            self.source.fraction,
            tuple(bad[i] for i in sorted(bad)),
        )

    def _checked_number(self, value: Any) -> float:
        found = self._number(value)
        if found is None:
            raise BadValue(value, "a finite number")
        return found


def _plain_numbers(values: Sequence[Any]) -> np.ndarray | None:
    """Values that all are finite numbers or missing; None if they are not."""
    if not set(map(type, values)) <= _PLAIN:
        return None
    try:
        found = np.array(values, np.float64)
    except OverflowError:
        return None
    return None if np.isinf(found).any() else found


def _digest(seen: Any, block: RowBlock, row: int | None) -> str:
    """Of all rows up to one of a block, or to its end."""
    found = seen.copy()
    found.update(_content(block, len(block) if row is None else row + 1 - int(block.lines[0])))
    return str(found.hexdigest())


def _content(block: RowBlock, rows: int) -> bytes:
    """The values of a block's first rows, independent of those after them."""
    parts: list[bytes] = []
    for column in (block.numeric, *block.categorical, block.target):
        if isinstance(column, np.ndarray):
            parts.append(column[:rows].tobytes())
        elif isinstance(column, CategoricalColumn):
            codes = column.codes[:rows]  # categories are in order of appearance
            parts += [codes.tobytes(), repr(column.categories[: codes.max(initial=-1) + 1]).encode()]
    return b"".join(parts)
