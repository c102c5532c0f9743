"""The bytes of a source, decompressed, and the first of them for inspection."""

import io
from collections.abc import Callable
from functools import cached_property
from typing import Any, BinaryIO

from .compression import DAMAGED, LONGEST_MAGIC, decompressed
from .digests import changed
from .locations import Location, Prefixed

HEAD = 1 << 16  # bytes inspected to detect the format and the columns; more where lines are long:
LINES = 21  # of text are inspected at least, a header and 20 rows,
MAX_LINE = 1 << 25  # but not more bytes than this
_PIECE = 1 << 20  # bytes that are rewritten at a time


class ByteSource:
    """One file or pipe, read from start to end; `head` holds its first bytes, which `read` returns again.

    A pipe is read as data arrives, even a single line. With `soon`, `head` waits for its first line only.

    >>> import gzip, tempfile, pathlib
    >>> from kernelstream.readers.locations import LocalFile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv.gz"
    >>> _ = path.write_bytes(gzip.compress(b"x,y\\n1,2\\n"))
    >>> source = ByteSource(LocalFile(str(path)))
    >>> source.head, source.read(3), source.close()
    (b'x,y\\n1,2\\n', b'x,y', None)

    Parameters
    ----------
    location : Location
        The file or pipe.
    soon : bool, default False
        Whether `head` waits for the first line of a pipe only.
    """

    digests = False  #: whether everything that is read is to have a digest

    def __init__(self, location: Location, *, soon: bool = False):
        self.location, self.name = location, location.name
        self.live = not location.repeatable  #: whether data may still be arriving, and is used as soon as it has
        self._size = 0 if self.live else location.size
        self._raw = location.open()
        self._taken, self.compressed = 0, False
        self._closed_with: list[Callable[[], None]] = []
        self._rewriting: Callable[[bytes], bytes] | None = None
        try:
            magic = self._first(LONGEST_MAGIC)
            whole: Any = Prefixed(magic, self._raw)
            if not self.live and self._raw.seekable():
                self._raw.seek(0)
                whole = self._raw
            unpacked = decompressed(whole, magic, self.name)
            self.compressed = unpacked is not None
            self._stream = whole if unpacked is None else unpacked
            self.head = self._look(soon and self.live)
        except BaseException:
            self.close()
            raise
        self._before = self.head  # inspected, not read yet

    def _first(self, size: int) -> bytes:
        found = b""
        while len(found) < size and (more := self._undamaged(self._raw, size - len(found))):
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

    def rewrite(self, rewriting: Callable[[bytes], bytes]) -> None:
        """Pass all bytes, before any is read, through a function that keeps their number; it gets b"" at the end."""
        self._rewriting = rewriting
        pieces = (self.head[i : i + _PIECE] for i in range(0, len(self.head), _PIECE))
        self.head = self._before = b"".join(map(rewriting, pieces))

    def as_file(self) -> BinaryIO:
        """The bytes that are not read yet as a file, to be read from start to end; closing it closes nothing."""
        return io.BufferedReader(_AsFile(self))

    def random_access(self, what: str) -> Any:
        """The path of a local file, or an open remote one, for a format that is read at several positions."""
        if not self.compressed and not self.live and self.location.seekable:
            if self.location.path is not None:
                return self.location.path
            file = self.location.open(random=True)
            if file.seekable():
                return file
        raise ValueError(
            f"{self.name}: {what} is read at several positions, which needs a file that is neither compressed nor in "
            "an archive. Save or unpack it, and name the file."
        )

    def local_path(self, what: str) -> str:
        """The path of a local file, for a format that needs one."""
        found = self.random_access(what)
        if not isinstance(found, str):
            raise ValueError(f"{self.name}: {what} is read from local files only. Download it, and name the file.")
        return found

    @cached_property
    def file_digest(self) -> str | None:
        """A digest of the whole file, not decompressed, by which a run that is resumed recognises it."""
        return self.location.digest() or None

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end."""
        if self._before:
            found, self._before = self._before[:size], self._before[size:]
        else:
            found = self._read(size)
        self._taken += len(found)
        return found

    def _read(self, size: int) -> bytes:
        found = self._undamaged(self._stream, size)
        return found if self._rewriting is None else self._rewriting(found)

    def _undamaged(self, stream: Any, size: int) -> bytes:
        try:
            return stream.read(size)
        except DAMAGED as error:
            if isinstance(error, OSError) and not self.compressed and self.location.seekable:
                raise  # of a device or a server, not of an archive
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
        if not self._size:
            return 0.0
        return min((self._raw.tell() if self.compressed else self._taken) / self._size, 1.0)

    def on_close(self, close: Callable[[], None]) -> None:
        """Close something else together with this."""
        self._closed_with.append(close)

    def close(self) -> None:
        """Standard input stays open."""
        for close in self._closed_with:
            close()
        if self.compressed:
            self._stream.close()
        self._raw.close()


class _AsFile(io.RawIOBase):
    def __init__(self, source: ByteSource):
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._source.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)
