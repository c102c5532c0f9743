"""Text in pieces of whole lines, each with its place."""

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from .ahead import ahead
from .opening import Bytes
from .place import BadLine, Place

PIECE = 1 << 20  # bytes parsed at a time
LONGEST = 1 << 25  # bytes that one line may have
_DEPTH = 2  # pieces that wait
MARK = b"\xef\xbb\xbf"  # some programs begin UTF-8 with it


class Piece(NamedTuple):
    data: bytes
    offset: int
    line: int  #: the number of its first line
    share: float  #: of the source that has been read

    def place(self, file: int) -> tuple[Place, Place]:
        """Where it begins and ends."""
        return Place(file, self.offset, self.line), Place(file, self.offset + len(self.data), self.line + self.lines)

    @property
    def lines(self) -> int:
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))


def whole_lines(data: bytes) -> int:
    """How much of the data is whole lines."""
    return data.rfind(b"\n") + 1


def whole_records(data: bytes) -> int:
    """The same where a quoted field may contain line breaks: a row ends where quotes are closed.

    >>> whole_records(b'1,"a\\nb"\\n2,"c\\n')
    8
    """
    if b'"' not in data:
        return whole_lines(data)
    codes = np.frombuffer(data, np.uint8)
    breaks = np.flatnonzero(codes == ord("\n"))
    closed = breaks[np.searchsorted(np.flatnonzero(codes == ord('"')), breaks) % 2 == 0]
    return int(closed[-1]) + 1 if len(closed) else 0


def first_piece(source: Bytes, whole: Callable[[bytes], int] = whole_lines) -> Piece:
    """The lines at the head of a source, to look at."""
    head = source.head.removeprefix(MARK)
    return Piece(head[: whole(head)] or head, len(source.head) - len(head), 1, 0.0)


def pieces(source: Bytes, start: Place, whole: Callable[[bytes], int] = whole_lines) -> Generator[Piece]:
    """The text from a place on; what is compressed is decompressed in a thread of its own."""
    found = _pieces(source, start, whole)
    return ahead(found, _DEPTH) if source.compressed else found


def _pieces(source: Bytes, start: Place, whole: Callable[[bytes], int]) -> Generator[Piece]:
    # the last line need not end in a line break
    offset, line, data = start.offset, start.line, b""
    if offset == 0 and source.head.startswith(MARK):
        offset = len(MARK)
    source.skip(offset)
    # as much as makes the piece whole, so that where pieces end depends on where the first begins alone
    while more := source.read(PIECE - len(data) if len(data) < PIECE else PIECE):
        data += more
        if len(data) < PIECE and source.seekable:
            continue  # a file may give less than was asked for; what comes from a pipe is used at once
        size = whole(data)
        if size:
            piece = Piece(data[:size], offset, line, source.share)
            yield piece
            offset, line, data = offset + size, line + piece.lines, data[size:]
        elif len(data) > LONGEST:
            raise BadLine(
                source.name,
                line,
                f"it does not end within {LONGEST >> 20} MB. Is this text, in lines? If a quote is opened and never "
                "closed, read without quotes (--no-quotes).",
            )
    if data:
        yield Piece(data, offset, line, source.share)
