"""Tables with Arrow's types of columns as blocks of rows: what Parquet and Arrow files have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .arrow import block_of
from .arrow_numbers import numbers_read, seconds_or_numbers
from .bad_lines import BadLine, shown
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import number
from .digests import changed
from .kept_columns import kept_values
from .schema import Options, Schema, choose, chosen_column, column_indices
from .text_dates import ISO, TIME
from .text_numbers import CATEGORY, TEXT_KINDS, TRUTH, kind_of, read_number

_BLOCK = 1 << 19  # values read at a time
SAMPLE = 1000  # rows of columns of text that are inspected


def rows_at_once(columns: int) -> int:
    return max(_BLOCK // max(columns, 1), 1)


class ArrowTableReader(ABC):
    """Columns of Arrow's types as blocks of rows."""

    noun = "row"
    source: ByteSource
    options: Options
    _arrow: Any
    _fields: Any  # an Arrow schema
    _rows: int  # 0 if unknown
    _constants: dict[str, str]

    @abstractmethod
    def sample(self, columns: list[str]) -> Iterator[Any]:
        """A record batch of the first rows, for inspection; none if there are no rows."""

    @abstractmethod
    def batches(self, columns: list[str], start: int) -> Iterator[tuple[int, Any]]:
        """Record batches with their first rows' indices, from the one with row `start` on, or earlier."""

    def infer(self) -> Schema:
        """Types decide, and the first cells of columns of text."""
        kinds = {name: self._kind(self._fields.field(name)) for name in self._stored()}
        texts = [name for name, kind in kinds.items() if kind == CATEGORY]
        cells = dict[str, list[str]]()
        for first in self._undamaged(self.sample(texts)) if texts else ():
            cells = {name: first.column(name).drop_null().to_pylist() for name in texts}
            kinds |= {name: kind_of(found, self.options.na) for name, found in cells.items() if found}
        kinds |= {name: CATEGORY if number(value) is None else "" for name, value in self._constants.items()}
        return choose(
            kinds, self.options, self.source.name, texts=cells,
            unusable=lambda name: f"is of type {self._fields.field(name).type}",
        )  # fmt: skip

    def _stored(self) -> list[str]:
        names: list[str] = self._fields.names
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ValueError(f"{self.source.name}: two columns are named {twice[0]!r}. Rename one.")
        return names

    def _kind(self, field: Any) -> str | None:
        """The kind of a column; None if its type is none that can be read."""
        types, kind = self._arrow.types, field.type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_string(kind) or types.is_large_string(kind):
            return CATEGORY
        if types.is_timestamp(kind) or types.is_date(kind):
            return ISO
        if types.is_time(kind):
            return TIME
        if types.is_boolean(kind):
            return TRUTH
        numeric = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
        return "" if any(test(kind) for test in (*numeric, types.is_duration)) else None

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        stored = self._stored()
        names = [*stored, *(name for name in self._constants if name not in stored)]
        wanted = column_indices(schema, names, self.source.name)
        keep = [chosen_column(name, names, self.source.name) for name in self.options.keep]
        if start.digest is not None and start.digest != self.source.file_digest:
            raise changed(self.source.name, "the file differs")
        columns = [name for name in dict.fromkeys([*wanted, *keep]) if name in stored]
        for row, batch in self._undamaged(self.batches(columns, start.offset)):
            begin, end = (FilePosition(start.file, i, i + 1) for i in (row, row + batch.num_rows))
            bad = dict[int, BadLine]()
            found = {name: self._column(batch, name, schema, name in columns) for name in wanted}
            found |= {
                name: self._numbers(found[name], name, schema, row, bad) for name in found if name in schema.kinds
            }
            block = block_of(found, schema, begin, end, end.offset / self._rows if self._rows else self.source.fraction)
            kept = tuple(kept_values(self._kept(batch, name, name in columns)) for name in keep)
            block = replace(block, digest=lambda line: self.source.file_digest, kept=kept)
            if bad:
                block = replace(block.take(~np.isin(block.lines, list(bad))), bad=tuple(bad[i] for i in sorted(bad)))
            yield block

    def _kept(self, batch: Any, name: str, stored: bool) -> list[Any]:
        if not stored:
            return [self._constants[name]] * batch.num_rows
        try:
            found: list[Any] = batch.column(name).to_pylist()
        except (ValueError, OverflowError):  # a time that Python's types cannot hold
            found = batch.column(name).cast(self._arrow.string()).to_pylist()
        return found

    def _undamaged(self, batches: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from batches
        except (self._arrow.ArrowException, OSError) as error:
            raise ValueError(f"{self.source.name} is damaged: {error}") from None

    def _numbers(self, column: Any, name: str, schema: Schema, row: int, bad: dict[int, BadLine]) -> Any:
        """A column of text or dates as numbers; a cell that cannot be read is missing, and its row is bad."""
        kind = schema.kinds[name]
        try:
            found = numbers_read({name: column}, schema)
        except self._arrow.ArrowException:
            raise self._unreadable(column, name, "numbers") from None
        if found is None:
            cells = column.to_pylist()
            wrong = [i for i, t in enumerate(cells) if t is not None and read_number(t, kind, schema.na) is None]
            for i in wrong:
                why = f"{shown(cells[i])} is not {TEXT_KINDS[kind].wanted}, as the first cells of the column are."
                line = row + 1 + i
                bad.setdefault(line, BadLine(self.source.name, line, why, f"column {name!r}", self.noun))
                cells[i] = None
            found = numbers_read({name: self._arrow.chunked_array([self._arrow.array(cells)])}, schema)
            assert found is not None
        return found[name]

    def _column(self, batch: Any, name: str, schema: Schema, stored: bool) -> Any:
        """As the file has it if its kind is known; otherwise text or numbers."""
        categorical = name in schema.categorical or (name == schema.target and schema.target_categorical)
        kind = self._arrow.string() if categorical else self._arrow.float64()
        if not stored:
            value = self._constants[name] if categorical else number(self._constants[name])
            return self._arrow.chunked_array([self._arrow.array([value] * batch.num_rows, kind)])
        column = batch.column(name)
        if name in schema.kinds or (categorical and self._arrow.types.is_dictionary(column.type)):
            return self._arrow.chunked_array([column])
        try:
            duration = not categorical and self._arrow.types.is_duration(column.type)
            read = seconds_or_numbers(column) if duration else column.cast(kind, safe=False)
            return self._arrow.chunked_array([read])
        except self._arrow.ArrowException:
            raise self._unreadable(column, name, "text" if categorical else "numbers") from None

    def _unreadable(self, column: Any, name: str, wanted: str) -> ValueError:
        return ValueError(
            f"{self.source.name}: column {name!r} is of type {column.type}, which cannot be read as {wanted}. "
            "Convert it."
        )
