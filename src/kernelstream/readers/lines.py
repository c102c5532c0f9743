"""Text in chunks of whole lines, each with its position."""

import hashlib
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

import numpy as np

from .bad_lines import BadLine
from .blocks import FilePosition
from .byte_source import MAX_LINE, ByteSource
from .digests import changed
from .read_ahead import read_ahead

CHUNK = 1 << 20  # bytes parsed at a time,
LONG_LINE = 1 << 15  # or, if the first line has more bytes,
TOGETHER = 64  # that many lines: a parser spends time on each column of a chunk
LARGEST_CHUNK = 1 << 26
_DEPTH = 2  # chunks decompressed in advance
BOM = b"\xef\xbb\xbf"  # byte order mark of UTF-8
_SNIFFED = 20  # lines


class TextChunk(NamedTuple):
    """Some whole lines."""

    data: bytes
    offset: int
    line: int  #: number of its first line
    fraction: float  #: of the source that has been read
    before: Any = None  #: the SHA-256 of all bytes before it, if digests are wanted

    def positions(self, file: int) -> tuple[FilePosition, FilePosition]:
        """Of its start and its end."""
        end = self.offset + len(self.data), self.line + self.lines
        return FilePosition(file, self.offset, self.line), FilePosition(file, *end)

    @property
    def lines(self) -> int:
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))

    def digest(self, line: int | None = None) -> str | None:
        """Of everything up to the end of this chunk, or of a line of it, without the line break."""
        if self.before is None:
            return None
        end = len(self.data)
        if line is not None:
            breaks = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
            end = int(breaks[line - self.line]) if line - self.line < len(breaks) else end
        found = self.before.copy()
        found.update(memoryview(self.data)[:end])
        return str(found.hexdigest())


def whole_lines(data: bytes) -> int:
    """How many of the bytes are whole lines."""
    return data.rfind(b"\n") + 1


def whole_records(data: bytes) -> int:
    """The same where quoted fields may contain line breaks: only a line break outside quotes ends a row.

    >>> whole_records(b'1,"a\\nb"\\n2,"c\\n')
    8
    """
    if b'"' not in data:
        return whole_lines(data)
    codes = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(codes == ord("\n"))
    closed = breaks[np.searchsorted(np.flatnonzero(codes == ord('"')), breaks) % 2 == 0]
    return int(closed[-1]) + 1 if len(closed) else 0


def first_chunk(source: ByteSource, whole: Callable[[bytes], int] = whole_lines) -> TextChunk:
    """The lines at the head of a source, for inspection: at least one, however long it is."""
    while not whole(source.head) and source.look_further():
        pass  # line breaks inside quotes
    head = source.head.removeprefix(BOM)
    lines = head[: whole(head)]
    return TextChunk(lines if lines.strip() else head, len(source.head) - len(head), 1, 0.0)


def chunks(
    source: ByteSource, start: FilePosition, whole: Callable[[bytes], int] = whole_lines
) -> Generator[TextChunk]:
    """The text from a position on; compressed data is decompressed in a separate thread."""
    found = _checked(_chunks(source, start, whole), source, start)
    return read_ahead(found, _DEPTH) if source.compressed else found


def _checked(found: Generator[TextChunk], source: ByteSource, start: FilePosition) -> Generator[TextChunk]:
    """The chunks, or an error if their lines up to `start.after` are not those that were read before."""
    unknown = start.digest is not None and start.after >= start.line
    for chunk in found:
        if unknown and chunk.line + chunk.lines > start.after:
            if chunk.digest(start.after) != start.digest:
                raise changed(source.name, f"its first {start.after:,} lines differ")
            unknown = False
        yield chunk
    if unknown:
        raise changed(source.name, f"it has fewer than the {start.after:,} lines that were read")


def _chunks(source: ByteSource, start: FilePosition, whole: Callable[[bytes], int]) -> Generator[TextChunk]:
    # the last line need not end in a line break
    offset, line, data = start.offset, start.line, b""
    if offset == 0 and source.head.startswith(BOM):
        offset = len(BOM)
    seen = hashlib.sha256()
    source.skip(offset, seen.update)
    if start.digest is not None and start.after < start.line and seen.hexdigest() != start.digest:
        raise changed(source.name, f"its first {offset:,} bytes differ")
    known = source.digests or start.digest is not None
    first = source.head.find(b"\n")
    full = CHUNK if first < LONG_LINE else min(TOGETHER * first, LARGEST_CHUNK)
    # up to a full chunk, so that the ends of chunks depend only on where the first one starts
    while more := source.read(full - len(data) if len(data) < full else full):
        data += more
        if len(data) < full and not source.live:
            continue  # a file may return less than requested; data from a pipe is used at once
        size = whole(data)
        if size:
            chunk = TextChunk(data[:size], offset, line, source.fraction, seen.copy() if known else None)
            yield chunk
            if known:
                seen.update(chunk.data)
            offset, line, data = offset + size, line + chunk.lines, data[size:]
        elif len(data) > MAX_LINE:
            raise BadLine(
                source.name,
                line,
                f"the line is longer than {MAX_LINE >> 20} MB. Is this a text file? If a quote is opened and never "
                "closed, use --no-quotes.",
            )
    if data:
        yield TextChunk(data, offset, line, source.fraction, seen if known else None)


def first_lines(head: bytes) -> list[bytes]:
    """The first 20 lines that are not blank. The last line may be incomplete, and counts only if it is the only one."""
    *lines, last = [line.strip(b"\r") for line in head.split(b"\n")]
    return [line for line in lines if line.strip()][:_SNIFFED] or [last]
