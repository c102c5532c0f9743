"""Files behind a URL (https, s3, gs and others), read in blocks through fsspec."""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from .locations import Location

MARK = "://"
_BLOCK = 1 << 22  # bytes fetched ahead of a file that is read from start to end,
_RANDOM_BLOCK = 1 << 16  # or at any position
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}


def without_secrets(url: str) -> str:
    """A URL as messages and model files have it: signatures and passwords are left out.

    >>> without_secrets("https://me:secret@host/a.csv?signature=1"), without_secrets("s3://bucket/a.csv")
    ('https://host/a.csv', 's3://bucket/a.csv')
    """
    if MARK not in url:
        return url
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ValueError(f"{url.partition(MARK)[0]}{MARK}… is not a URL: {error}.") from None
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


@contextmanager
def _errors_of(name: str) -> Iterator[None]:
    """Every file system, and every library below one, has errors of its own: an OSError that names the file."""
    try:
        yield
    except (ImportError, MemoryError):
        raise
    except Exception as error:
        # fsspec says of any answer of a server but a good one that the file was not found
        cause = error.__cause__ or error
        if isinstance(cause, FileNotFoundError) or getattr(cause, "status", None) == 404:
            raise FileNotFoundError(f"{name} not found.") from None
        raise OSError(f"{name} cannot be read: {_reason(cause)}.") from None


def _reason(error: BaseException) -> str:
    """The message of an error; that of an HTTP client has the whole URL, with its secrets."""
    if hasattr(error, "status") and hasattr(error, "message"):
        return f"the server answers {error.status} {error.message}".rstrip()
    return re.sub(r"\?[^\s'\"]*", "", str(error)).rstrip(".") or type(error).__name__


def _file_system(url: str) -> tuple[Any, str]:
    name, protocol = without_secrets(url), url.partition(MARK)[0]
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError(f'{name} is read with fsspec: pip install "kernelstream[remote]"') from None
    with _errors_of(name):
        try:
            found: tuple[Any, str] = url_to_fs(url)
            return found
        except ImportError as error:
            more = _PACKAGES.get(protocol)
            why = f"{protocol}{MARK} is read with {more}" if more else str(error).rstrip(".")
            raise ImportError(f'{name}: {why}: pip install "kernelstream[remote]" {more or ""}'.rstrip()) from None


class RemoteFile(Location):
    """A file of an fsspec file system."""

    def __init__(self, url: str):
        self.name = without_secrets(url)
        self._http = url.startswith("http")
        self._system, self._file = _file_system(url)

    @cached_property
    def size(self) -> int:
        with _errors_of(self.name):
            return int(self._system.info(self._file).get("size") or 0)

    def open(self, *, random: bool = False) -> Any:
        # with blocks of 0 bytes HTTP is a single request, which every server answers
        block = _RANDOM_BLOCK if random else 0 if self._http else _BLOCK
        with _errors_of(self.name):
            file = self._system.open(self._file, "rb", block_size=block)
            if isinstance(file, io.BytesIO):  # fsspec's memory:// has one position for all that read a file
                file = io.BytesIO(file.getvalue())
            return _RemoteStream(file, self.name, block > 0)


class _RemoteStream:
    """An open remote file, whose errors name it."""

    def __init__(self, file: Any, name: str, seekable: bool):
        self._file, self._name, self._seekable, self._at, self.closed = file, name, seekable, 0, False

    def read(self, size: int = -1) -> bytes:
        with _errors_of(self._name):
            found = bytes(self._file.read(size))
        self._at += len(found)
        return found

    def seek(self, offset: int, whence: int = 0) -> int:
        with _errors_of(self._name):
            self._at = int(self._file.seek(offset, whence))
        return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seekable and bool(self._file.seekable())

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._file.close()

    def __enter__(self) -> "_RemoteStream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def expand_url(url: str, is_data: Callable[[str], bool]) -> list[str]:
    """The files of a URL: a pattern (`s3://bucket/part-*.csv`) and a folder (ending in /) stand for several."""
    if url.startswith("http") or not ("*" in url or url.endswith("/")):
        return [url]
    name = without_secrets(url)
    system, path = _file_system(url)
    with _errors_of(name):
        found = sorted(system.glob(path) if "*" in url else filter(is_data, system.find(path)))
        if not found:
            raise FileNotFoundError
        return [str(system.unstrip_protocol(file)) for file in found]
