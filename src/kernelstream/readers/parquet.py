"""Tables with Arrow's types of columns, and Parquet files.

Folders named `column=value` on the path to a Parquet file are columns (Hive partitioning).
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from .arrow import block_of, import_pyarrow
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import number
from .digests import changed
from .schema import Options, Schema, choose, column_indices, listed

_BLOCK = 1 << 19  # values read at a time


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
    def batches(self, columns: list[str], start: int) -> Iterator[tuple[int, Any]]:
        """Record batches with their first rows' indices, from the one with row `start` on, or earlier."""

    def infer(self) -> Schema:
        """Text columns are categorical."""
        kinds = {name: self._is_categorical(self._fields.field(name)) for name in self._stored()}
        kinds |= {name: number(value) is None for name, value in self._constants.items()}
        return choose(
            {name: bool(categorical) for name, categorical in kinds.items()},
            self.options._replace(ignore=self._without_unusable(kinds)),
            self.source.name,
        )

    def _stored(self) -> list[str]:
        names: list[str] = self._fields.names
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ValueError(f"{self.source.name}: two columns are named {twice[0]!r}. Rename one.")
        return names

    def _is_categorical(self, field: Any) -> bool | None:
        """Whether a column is categorical; None if it is neither text nor numeric."""
        types, kind = self._arrow.types, field.type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_string(kind) or types.is_large_string(kind):
            return True
        numeric = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal, types.is_null)
        return False if any(test(kind) for test in numeric) else None

    def _without_unusable(self, kinds: dict[str, bool | None]) -> tuple[str, ...]:
        unusable = [name for name, kind in kinds.items() if kind is None and name not in self.options.ignore]
        if unusable:
            type_ = self._fields.field(unusable[0]).type
            raise ValueError(
                f"{self.source.name}: column {unusable[0]!r} is of type {type_}, neither numeric nor text. Exclude "
                f"{listed(unusable)} (--ignore), or convert."
            )
        return self.options.ignore

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        stored = self._stored()
        names = [*stored, *(name for name in self._constants if name not in stored)]
        wanted = column_indices(schema, names, self.source.name)
        if start.digest is not None and start.digest != self.source.file_digest:
            raise changed(self.source.name, "the file differs")
        columns = [name for name in wanted if name in stored]
        for row, batch in self._undamaged(self.batches(columns, start.offset)):
            found = {name: self._column(batch, name, schema, name in columns) for name in wanted}
            begin, end = (FilePosition(start.file, i, i + 1) for i in (row, row + batch.num_rows))
            block = block_of(found, schema, begin, end, end.offset / self._rows if self._rows else self.source.fraction)
            yield replace(block, digest=lambda line: self.source.file_digest)

    def _undamaged(self, batches: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
        try:
            yield from batches
        except (self._arrow.ArrowException, OSError) as error:
            raise ValueError(f"{self.source.name} is damaged: {error}") from None

    def _column(self, batch: Any, name: str, schema: Schema, stored: bool) -> Any:
        categorical = name in schema.categorical or (name == schema.target and schema.target_categorical)
        kind = self._arrow.string() if categorical else self._arrow.float64()
        if not stored:
            value = self._constants[name] if categorical else number(self._constants[name])
            return self._arrow.chunked_array([self._arrow.array([value] * batch.num_rows, kind)])
        column = batch.column(name)
        if categorical and self._arrow.types.is_dictionary(column.type):
            return self._arrow.chunked_array([column])
        try:
            return self._arrow.chunked_array([column.cast(kind, safe=False)])
        except self._arrow.ArrowException:
            wanted = "text" if categorical else "numbers"
            raise ValueError(
                f"{self.source.name}: column {name!r} is of type {column.type}, which cannot be read as {wanted}. "
                "Convert it."
            ) from None


class ParquetReader(ArrowTableReader):
    def __init__(self, source: ByteSource, options: Options):
        arrow = import_pyarrow("parquet")
        if arrow is None:
            raise ImportError('Parquet files are read with pyarrow: pip install "kernelstream[files]"')
        from pyarrow.parquet import ParquetFile

        self.source, self.options, self._arrow = source, options, arrow
        try:
            # buffered, so that a large row group is not read at once
            self._file = ParquetFile(source.random_access("Parquet"), buffer_size=1 << 20, pre_buffer=False)
        except (arrow.ArrowException, OSError) as error:
            raise ValueError(f"{source.name} is damaged or not Parquet: {error}") from None
        self._fields, self._rows = self._file.schema_arrow, self._file.metadata.num_rows
        folders = (part.partition("=") for part in PurePath(source.name).parts[:-1] if "=" in part)
        self._constants = {name: value for name, _, value in folders}

    def batches(self, columns: list[str], start: int) -> Iterator[tuple[int, Any]]:
        meta, row, first = self._file.metadata, 0, 0
        while first < meta.num_row_groups and row + meta.row_group(first).num_rows <= start:
            row, first = row + meta.row_group(first).num_rows, first + 1
        groups = list(range(first, meta.num_row_groups))
        size = rows_at_once(len(columns))
        for batch in self._file.iter_batches(size, row_groups=groups, columns=columns, use_threads=False):
            yield row, batch
            row += batch.num_rows
