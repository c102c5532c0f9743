"""Parquet files. Folders named `column=value` on the path to one are columns (Hive partitioning)."""

from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath
from typing import Any

from .arrow import import_pyarrow
from .arrow_tables import SAMPLE, ArrowTableReader, rows_at_once
from .byte_source import ByteSource
from .schema import Options


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

    def sample(self, columns: list[str]) -> Iterator[Any]:
        yield from islice(self._file.iter_batches(SAMPLE, columns=columns, use_threads=False), 1)

    def batches(self, columns: list[str], start: int) -> Iterator[tuple[int, Any]]:
        meta, row, first = self._file.metadata, 0, 0
        while first < meta.num_row_groups and row + meta.row_group(first).num_rows <= start:
            row, first = row + meta.row_group(first).num_rows, first + 1
        groups = list(range(first, meta.num_row_groups))
        size = rows_at_once(len(columns))
        for batch in self._file.iter_batches(size, row_groups=groups, columns=columns, use_threads=False):
            yield row, batch
            row += batch.num_rows
