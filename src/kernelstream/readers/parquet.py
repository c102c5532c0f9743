"""Parquet files. Folders named `column=value` on the path to a file are columns (Hive partitioning)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from .arrow import block_of, import_pyarrow, numbers_read, seconds_or_numbers
from .bad_lines import BadLine, shown
from .blocks import FilePosition, RowBlock
from .byte_source import ByteSource
from .cells import number
from .digests import changed, file_digest
from .kept_columns import kept_values
from .schema import Options, Schema, choose, chosen_column, column_indices, listed
from .text_dates import ISO, TIME
from .text_numbers import CATEGORY, TEXT_KINDS, kind_of, read_number

_BLOCK = 1 << 19  # values read at a time
_SAMPLE = 1000  # rows of columns of text that are inspected


def _rows(columns: int) -> int:
    return max(_BLOCK // max(columns, 1), 1)


class ParquetReader:
    noun = "row"

    def __init__(self, source: ByteSource, options: Options):
        arrow = import_pyarrow("parquet")
        if arrow is None:
            raise ImportError('Parquet files are read with pyarrow: pip install "kernelstream[files]"')
        if not source.seekable:
            raise ValueError(
                "Parquet cannot be read from standard input, because its metadata is at the end of the file."
            )
        from pyarrow.parquet import ParquetFile

        self.source, self.options, self._arrow = source, options, arrow
        try:
            # buffered, so that a large row group is not read at once
            self._file = ParquetFile(source.name, buffer_size=1 << 20, pre_buffer=False)
        except (arrow.ArrowInvalid, OSError) as error:
            raise ValueError(f"{source.name} is damaged or not Parquet: {error}") from None
        folders = (part.partition("=") for part in PurePath(source.name).parts[:-1] if "=" in part)
        self._constants = {name: value for name, _, value in folders}

    def infer(self) -> Schema:
        """Types decide, and the first cells of columns of text."""
        kinds = {field.name: self._kind(field) for field in self._file.schema_arrow}
        texts = [name for name, kind in kinds.items() if kind == CATEGORY]
        if texts and self._file.metadata.num_rows:
            sample = next(self._file.iter_batches(_SAMPLE, columns=texts, use_threads=False))
            cells = {name: sample.column(name).drop_null().to_pylist() for name in texts}
            kinds |= {name: kind_of(found, self.options.na) for name, found in cells.items() if found}
        kinds |= {name: CATEGORY if number(value) is None else "" for name, value in self._constants.items()}
        options = self.options._replace(ignore=self._without_unusable(kinds))
        return choose({name: kind or "" for name, kind in kinds.items()}, options, self.source.name)

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
        numeric = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal, types.is_null)
        return "" if any(test(kind) for test in (*numeric, types.is_duration)) else None

    def _without_unusable(self, kinds: dict[str, str | None]) -> tuple[str, ...]:
        unusable = [name for name, kind in kinds.items() if kind is None and name not in self.options.ignore]
        if unusable:
            type_ = self._file.schema_arrow.field(unusable[0]).type
            raise ValueError(
                f"{self.source.name}: column {unusable[0]!r} is of type {type_}, neither numeric nor text. Exclude "
                f"{listed(unusable)} (--ignore), or convert."
            )
        return self.options.ignore

    def blocks(self, schema: Schema, start: FilePosition) -> Iterator[RowBlock]:
        stored = [field.name for field in self._file.schema_arrow]
        names = [*stored, *(name for name in self._constants if name not in stored)]
        wanted = column_indices(schema, names, self.source.name)
        if start.digest is not None and start.digest != file_digest(self.source.name):
            raise changed(self.source.name, "the file differs")
        meta, row, first = self._file.metadata, 0, 0
        while first < meta.num_row_groups and row + meta.row_group(first).num_rows <= start.offset:
            row, first = row + meta.row_group(first).num_rows, first + 1
        groups = list(range(first, meta.num_row_groups))
        keep = [chosen_column(name, names, self.source.name) for name in self.options.keep]
        columns = [name for name in dict.fromkeys([*wanted, *keep]) if name in stored]
        batches = self._file.iter_batches(_rows(len(columns)), row_groups=groups, columns=columns, use_threads=False)
        while (batch := self._next(batches)) is not None:
            found = {name: self._column(batch, name, schema, name in columns) for name in wanted}
            found = self._numbers(found, schema, row)
            begin = FilePosition(start.file, row, row + 1)
            row += batch.num_rows
            block = block_of(found, schema, begin, FilePosition(start.file, row, row + 1), row / meta.num_rows)
            kept = tuple(kept_values(self._kept(batch, name, name in stored)) for name in keep)
            yield replace(block, digest=lambda line: file_digest(self.source.name), kept=kept)

    def _kept(self, batch: Any, name: str, stored: bool) -> list[Any]:
        found: list[Any] = batch.column(name).to_pylist() if stored else [self._constants[name]] * batch.num_rows
        return found

    def _next(self, batches: Iterator[Any]) -> Any:
        try:
            return next(batches, None)
        except (self._arrow.ArrowException, OSError) as error:
            raise ValueError(f"{self.source.name} is damaged: {error}") from None

    def _numbers(self, columns: dict[str, Any], schema: Schema, row: int) -> dict[str, Any]:
        """With text and dates as numbers."""
        for name in columns.keys() & schema.kinds.keys():
            found = numbers_read({name: columns[name]}, schema)
            if found is None:
                kind = schema.kinds[name]
                cells = zip(columns[name].to_pylist(), range(row + 1, row + 1 + len(columns[name])), strict=True)
                text, line = next((t, i) for t, i in cells if t is not None and read_number(t, kind, schema.na) is None)
                why = f"{shown(text)} is not {TEXT_KINDS[kind].wanted}, as the first cells of the column are."
                raise BadLine(self.source.name, line, why, f"column {name!r}", self.noun)
            columns |= found
        return columns

    def _column(self, batch: Any, name: str, schema: Schema, stored: bool) -> Any:
        categorical = name in schema.categorical or (name == schema.target and schema.target_categorical)
        kind = self._arrow.string() if categorical else self._arrow.float64()
        if stored and name in schema.kinds:
            return self._arrow.chunked_array([batch.column(name)])
        if not stored:
            value = self._constants[name] if categorical else number(self._constants[name])
            return self._arrow.chunked_array([self._arrow.array([value] * batch.num_rows, kind)])
        column = batch.column(name)
        if categorical and self._arrow.types.is_dictionary(column.type):
            return self._arrow.chunked_array([column])
        try:
            duration = not categorical and self._arrow.types.is_duration(column.type)
            read = seconds_or_numbers(column) if duration else column.cast(kind, safe=False)
            return self._arrow.chunked_array([read])
        except self._arrow.ArrowException:
            wanted = "text" if categorical else "numbers"
            raise ValueError(
                f"{self.source.name}: column {name!r} is of type {column.type}, which cannot be read as {wanted}. "
                "Convert it."
            ) from None
