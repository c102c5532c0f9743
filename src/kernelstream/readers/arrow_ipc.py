"""Arrow IPC: files (.arrow, .feather) and streams (.arrows). A file is a stream between two magic words."""

from collections.abc import Iterator
from typing import Any

from .arrow import import_pyarrow
from .arrow_tables import SAMPLE, ArrowTableReader, rows_at_once
from .byte_source import ByteSource
from .schema import Options

FILE, STREAM, OLD_FEATHER = b"ARROW1", b"\xff\xff\xff\xff", b"FEA1"
_READ = 1 << 16
_PADDED = 8  # bytes of the magic word and the zeros after it


class ArrowIpcReader(ArrowTableReader):
    """Reads batches in order, so that pipes and compressed files can be read too; a local file is memory-mapped, and a
    batch of any size in it is read in parts."""

    def __init__(self, source: ByteSource, options: Options):
        arrow = import_pyarrow("ipc")
        if arrow is None:
            raise ImportError('Arrow files are read with pyarrow: pip install "kernelstream[files]"')
        if source.head.startswith(OLD_FEATHER):
            raise ValueError(
                f'{source.name} is a Feather file of version 1. Convert it: python -c "import pandas; '
                "pandas.read_feather('OLD').to_feather('NEW')\""
            )
        self.source, self.options, self._arrow = source, options, arrow
        self._rows, self._constants = 0, dict[str, str]()
        self._is_file = source.head.startswith(FILE)
        path = None if source.compressed or source.live else source.location.path
        self._stream: Any = arrow.PythonFile(source.as_file(), "r") if path is None else arrow.memory_map(path)
        source.on_close(self._stream.close)
        try:
            if self._is_file:
                self._stream.read(_PADDED)
            self._batches = arrow.ipc.open_stream(self._stream)
        except (arrow.ArrowException, OSError) as error:
            raise ValueError(f"{source.name} is damaged or not an Arrow file: {error}") from None
        self._fields, self._inspected = self._batches.schema, list[Any]()

    def sample(self, columns: list[str]) -> Iterator[Any]:
        for whole in self._batches:
            self._inspected.append(whole)  # it may come from a pipe
            if whole.num_rows:
                first = whole.select(columns).slice(0, SAMPLE)
                first.validate(full=True)
                yield first
                return

    def _all(self) -> Iterator[Any]:
        while self._inspected:
            yield self._inspected.pop(0)
        yield from self._batches

    def batches(self, columns: list[str], start: int) -> Iterator[tuple[int, Any]]:
        row = 0
        for whole in self._all():
            if row + whole.num_rows > start:
                batch = whole.select(columns)
                batch.validate(full=True)  # a damaged or forged batch must not be computed with
                size = rows_at_once(len(columns))
                for first in range(0, whole.num_rows, size):
                    yield row + first, batch.slice(first, size)
            row += whole.num_rows
        if self._is_file and not self._ends_well():
            raise ValueError(f"{self.source.name} is damaged: it ends before its last batch. Get the file again.")

    def _ends_well(self) -> bool:
        """Whether the magic word is at the end, after the table of contents: a stream without an end has none."""
        last = b""
        while more := self._stream.read(_READ):
            last = (last + more)[-len(FILE) :]
        return last == FILE
