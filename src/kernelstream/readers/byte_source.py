"""The bytes of a file or of standard input, decompressed."""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from .digests import changed

STANDARD_INPUT = "-"
HEAD = 1 << 16  # bytes inspected to detect the format and the columns; more where lines are long:
LINES = 21  # of text are inspected at least, a header and 20 rows,
MAX_LINE = 1 << 25  # but not more bytes than this
_MAGIC: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


def _standard_input() -> Any:
    """Unbuffered: Python's buffer would wait until it is full, and a thread must not read it when Python exits."""
    return getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)


class Prefixed(io.RawIOBase):
    """A stream with the bytes that were already read from it put back in front."""

    def __init__(self, prefix: bytes, rest: BinaryIO):
        self._prefix, self._rest = prefix, rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._prefix:
            return self._rest.read(size)
        taken, self._prefix = (self._prefix, b"") if size < 0 else (self._prefix[:size], self._prefix[size:])
        return taken


class ByteSource:
    """One file or pipe, read from start to end; `head` holds its first bytes, which `read` returns again.

    A pipe is read as data arrives, even a single line. With `soon`, `head` waits for its first line only.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv.gz"
    >>> _ = path.write_bytes(gzip.compress(b"x,y\\n1,2\\n"))
    >>> source = ByteSource(str(path))
    >>> source.head, source.read(3), source.close()
    (b'x,y\\n1,2\\n', b'x,y', None)
    """

    digests = False  #: whether everything that is read is to have a digest

    def __init__(self, name: str, *, soon: bool = False):
        self._own = name != STANDARD_INPUT
        self.name = name if self._own else "standard input"
        self._raw = Path(name).open("rb", buffering=0) if self._own else _standard_input()  # noqa: SIM115, see close
        self.seekable = self._own and self._raw.seekable()
        self._size = Path(name).stat().st_size if self.seekable else 0
        self._taken = 0
        try:
            magic = self._first(6)
            kind = next((kind for start, kind in _MAGIC.items() if magic.startswith(start)), None)
            if self.seekable:
                self._raw.seek(0)
            whole: Any = self._raw if self.seekable else Prefixed(magic, self._raw)
            self.compressed = kind is not None
            self._stream = whole if kind is None else kind(whole)
            self.head = self._look(soon and not self.seekable)
        except BaseException:
            self.close()
            raise
        self._before = self.head  # inspected, not read yet

    def _first(self, size: int) -> bytes:
        found = b""
        while len(found) < size and (more := self._raw.read(size - len(found))):
            found += more
        return found

    def _look(self, soon: bool) -> bytes:
        found, lines = bytearray(), 0
        while len(found) < MAX_LINE and not (lines > 0 if soon else len(found) >= HEAD and lines >= LINES):
            if len(found) >= HEAD and b"\x00" in found[:1024]:
                break  # binary, so it has no lines
            more = self._read(HEAD - len(found) if len(found) < HEAD else HEAD)
            if not more:
                break
            found += more
            lines += more.count(b"\n")
        return bytes(found)

    def look_further(self) -> bool:
        """Extend `head`, up to twice its length, before anything is read; False if there is no more to inspect."""
        more = self._read(max(len(self.head), 1)) if len(self.head) < MAX_LINE else b""
        self.head += more
        self._before = self.head
        return bool(more)

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end."""
        if self._before:
            found, self._before = self._before[:size], self._before[size:]
        else:
            found = self._read(size)
        self._taken += len(found)
        return found

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except _DAMAGED as error:
            if not self.compressed:
                raise
            raise ValueError(
                f"{self.name} is damaged or truncated: its compressed data ends after {self._taken:,} uncompressed "
                f"bytes ({error}). Get the file again."
            ) from None

    def skip(self, offset: int, seen: Callable[[bytes], None]) -> None:
        """Go to an offset in the decompressed bytes, before anything has been read; `seen` gets those before it."""
        while self._taken < offset:
            found = self.read(min(offset - self._taken, 1 << 20))
            if not found:
                raise changed(self.name, f"it ends after {self._taken:,} bytes, and {offset:,} were read")
            seen(found)

    @property
    def fraction(self) -> float:
        """Fraction of the file that has been read; 0 for a pipe, whose size is unknown."""
        read = self._raw.tell() if self.compressed else self._taken
        return min(read / self._size, 1.0) if self._size else 0.0

    def close(self) -> None:
        """Standard input stays open."""
        if getattr(self, "compressed", False):
            self._stream.close()
        if self._own:
            self._raw.close()
