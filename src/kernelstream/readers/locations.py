"""Where the bytes of a source are: the one place that knows a source's size, and how it is opened."""

import io
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from .digests import sampled_digest

STANDARD_INPUT = "-"


class Location(ABC):
    """A local file, a member of an archive, a remote file, or standard input."""

    name: str  #: as messages and model files have it
    repeatable = True  #: whether it can be read again from its beginning, which a pipe cannot
    seekable = True  #: whether a part of it can be read without all that comes before
    path: str | None = None  #: of a local file with these bytes
    on_disk: str | None = None  #: the local file that holds these bytes, which no output may replace

    @property
    @abstractmethod
    def size(self) -> int:
        """In bytes; 0 if unknown."""

    @abstractmethod
    def open(self, *, random: bool = False) -> Any:
        """A binary file at its beginning, to be read from start to end, or, if `random`, at any position."""

    def digest(self, size: int | None = None) -> str:
        """A digest of the first `size` bytes, or of all; "" if they are not known or can be read only once."""
        size = self.size if size is None else size
        if not size or not self.repeatable:
            return ""
        with self.open(random=True) as file:
            return sampled_digest(file, size) if file.seekable() else ""


class StandardInput(Location):
    name = "standard input"
    repeatable = False
    size = 0
    on_disk = STANDARD_INPUT

    def open(self, *, random: bool = False) -> Any:
        """Unbuffered: Python's buffer would wait until it is full, and a thread must not read it when Python exits."""
        return Prefixed(b"", getattr(sys.stdin.buffer, "raw", sys.stdin.buffer))


class LocalFile(Location):
    """A file, or a named pipe or device, which can be read only once.

    >>> LocalFile("/dev/null").repeatable, LocalFile("/dev/null").size
    (False, 0)
    """

    def __init__(self, path: str):
        self.name = self.path = self.on_disk = path

    @property
    def repeatable(self) -> bool:  # type: ignore[override]
        return Path(self.name).is_file()

    @property
    def size(self) -> int:
        return Path(self.name).stat().st_size

    def open(self, *, random: bool = False) -> Any:
        return Path(self.name).open("rb", buffering=0)


class MemoryLocation(Location):
    """Bytes in memory."""

    def __init__(self, name: str, data: bytes = b""):
        self.name, self._data = name, data

    @property
    def size(self) -> int:
        return len(self._data)

    def open(self, *, random: bool = False) -> Any:
        return io.BytesIO(self._data)


class Prefixed(io.RawIOBase):
    """A stream with the bytes that were already read from it put back in front; closing it leaves the stream open."""

    def __init__(self, prefix: bytes, rest: Any):
        self._prefix, self._rest = prefix, rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._prefix:
            return self._rest.read(size)
        taken, self._prefix = (self._prefix, b"") if size < 0 else (self._prefix[:size], self._prefix[size:])
        return taken
