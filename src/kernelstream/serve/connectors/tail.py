"""Files that grow: CSV and JSON lines, one file or those of a folder. Rows count when their line has ended."""

import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...readers import Options
from ...readers.dict_rows import TEXT, DictParser
from ...readers.formats import SUFFIXES
from ...readers.lines import BOM, TextChunk
from .source import SourceBatch

log = logging.getLogger(__name__)
BYTES = 32 << 10  # read together: fewer rows than a batch may have
MOST = 32 << 20  # of one line
SECONDS = 0.2  # between two looks at what has grown


class GrowingFile:
    """One file, and how far it was read: its bytes and lines."""

    def __init__(self, path: Path, options: Options, position: str | None):
        self.path, self.part, self.options = path, part_of(path), options
        offset, line = (position or "0 1").split()
        self.offset, self.line = int(offset), int(line)
        self._parser: DictParser | None = None

    def next(self) -> SourceBatch | None:
        """The rows of the next whole lines; None if there are none yet."""
        size = self.path.stat().st_size
        if size < self.offset:
            raise ValueError(
                f"{self.path} has {size:,} bytes, but {self.offset:,} were read before: it was replaced or cut off. "
                "Files may only grow; for log rotation, consume a folder and begin a new file each time."
            )
        if size == self.offset:
            return None
        with self.path.open("rb") as file:
            parser = self._parser or self._begin(file.read(BYTES))
            file.seek(self.offset)
            want, data, whole = BYTES, b"", 0
            while parser is not None and not whole and len(data) < min(want, size - self.offset):
                data += file.read(want - len(data))
                whole, want = parser.whole(data), 2 * want
                if want > 2 * MOST and not whole:
                    raise ValueError(f"{self.path}, line {self.line:,}: the line is longer than {MOST >> 20} MB.")
        if parser is None or not whole:
            return None
        return self._parsed(parser, data[:whole])

    def _parsed(self, parser: DictParser, data: bytes) -> SourceBatch:
        skipped = len(BOM) if self.offset == 0 and data.startswith(BOM) else 0
        chunk = TextChunk(data[skipped:], self.offset, self.line, 0.0)
        found = parser.parse(chunk)
        self.offset, self.line = self.offset + len(data), self.line + data.count(b"\n")
        places = [f"{self.path}, line {line:,}" for line in found.lines]
        return SourceBatch(found.rows, places, {self.part: f"{self.offset} {self.line}"}, list(map(str, found.bad)))

    def _begin(self, head: bytes) -> DictParser | None:
        """The parser, when the first line is there; it has read the header if we continue behind it."""
        if b"\n" not in head:
            return None
        head = head.removeprefix(BOM)
        parser = DictParser(str(self.path), head, self.options)
        if parser.kind not in TEXT:
            raise ValueError(f"{self.path}: only CSV and JSON lines can be read while they grow.")
        if self.offset:
            parser.parse(TextChunk(head[: parser.whole(head)], 0, 1, 0.0))
        self._parser = parser
        return parser


class TailSource:
    """A file, or all files of a folder with a suffix of CSV or JSON lines, by name; new ones are found as they come.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "log.jsonl"
    >>> _ = path.write_text('{"x": 1}\\n{"x": 2}\\n{"x"')
    >>> source = TailSource(path, until_end=True)
    >>> source.seek({part_of(path): "9 2"})
    >>> [(batch.rows, list(batch.positions.values())) for batch in source.batches()]
    [([{'x': 2}], ['18 3'])]
    """

    def __init__(self, path: Path, options: Options = Options(), *, until_end: bool = False):
        if not path.exists():
            raise FileNotFoundError(f"File {str(path)!r} not found.")
        self.path, self.options, self._until_end = path.resolve(), options, until_end
        self._files, self._stored = dict[Path, GrowingFile](), dict[str, str]()

    def seek(self, positions: Mapping[str, str]) -> None:
        self._stored = dict(positions)

    def batches(self) -> Iterator[SourceBatch]:
        while True:
            some = False
            for path in self._paths():
                file = self._files.get(path) or GrowingFile(path, self.options, self._stored.get(part_of(path)))
                self._files[path] = file
                while (batch := file.next()) is not None:
                    some = True
                    yield batch
            if not some and self._until_end:
                self._report_rest()
                return
            if not some:
                yield SourceBatch()
                time.sleep(SECONDS)

    def close(self) -> None:
        """Files are open only while they are read."""

    def _paths(self) -> list[Path]:
        if not self.path.is_dir():
            return [self.path]
        known = [path for path in sorted(self.path.rglob("*")) if SUFFIXES.get(path.suffix.lower()) in TEXT]
        hidden = (".", "_")
        return [p for p in known if not any(x.startswith(hidden) for x in p.relative_to(self.path).parts)]

    def _report_rest(self) -> None:
        for file in self._files.values():
            rest = file.path.stat().st_size - file.offset
            if rest:
                log.warning("%s: its last %d bytes are no whole line, and were not learned", file.path, rest)


def part_of(path: Path) -> str:
    """The name under which the position of a file is stored."""
    return f"tail:{path.resolve()}"
