"""Files in zip archives: `archive.zip` if it has one data file, otherwise `archive.zip::member` or a pattern."""

import errno
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any

from .locations import Location

SUFFIX, SEPARATOR, NUMPY = ".zip", "::", ".npy"
_LISTED = 10
# what a damaged table of contents, an unknown compression method and a missing password raise
_UNREADABLE = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, struct.error)


def split_member(name: str) -> tuple[str, str]:
    """The names of an archive and of a member, "" if none is given; ("", "") if this is not the name of an archive.

    >>> split_member("a/B.ZIP::c/d.csv"), split_member("b.zip"), split_member("b.csv")
    (('a/B.ZIP', 'c/d.csv'), ('b.zip', ''), ('', ''))
    """
    end = name.lower().find(SUFFIX + SEPARATOR)
    if end >= 0:
        end += len(SUFFIX)
        return name[:end], name[end + len(SEPARATOR) :]
    return (name, "") if name.lower().endswith(SUFFIX) else ("", "")


class ZipMember(Location):
    """A file in an archive, decompressed while it is read."""

    seekable = False

    def __init__(self, archive: Location, member: str):
        self.name = f"{archive.name}{SEPARATOR}{member}"
        self.on_disk = archive.on_disk
        self._archive, self._member = archive, member
        with _opened(archive) as found:
            self._size = found.getinfo(member).file_size

    @property
    def size(self) -> int:
        return self._size

    def open(self, *, random: bool = False) -> Any:
        with _opened(self._archive) as found:
            return found.open(self._member)  # keeps the archive's file open until it is closed itself


@contextmanager
def _opened(archive: Location) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive.path or archive.open(random=True)) as found:
            yield found
    except KeyError as error:
        raise FileNotFoundError(f"{archive.name}: {error.args[0]}") from None
    except (*_UNREADABLE, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # of an impossible position in a damaged file
            raise
        raise ValueError(f"{archive.name} is damaged, encrypted or not a zip archive: {error}.") from None


def members(archive: Location, wanted: str, is_data: Callable[[str], bool]) -> list[str]:
    """The members that a name or pattern stands for; without one, the archive's only data file, or NumPy's arrays."""
    with _opened(archive) as found:
        names = [info.filename for info in found.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
    if wanted:
        matching = [wanted] if wanted in names else sorted(name for name in names if fnmatchcase(name, wanted))
        if not matching:
            raise FileNotFoundError(f"{archive.name} has no file {wanted!r}. Its files: {_listed(names)}.")
        return matching
    data = [name for name in names if is_data(name)] or names
    if len(data) != 1 and not (data and all(name.endswith(NUMPY) for name in data)):
        which = f"Name one, or a pattern: '{archive.name}{SEPARATOR}{data[0]}'. " if data else ""
        raise ValueError(f"{archive.name} has {len(data)} data files. {which}Its files: {_listed(names) or 'none'}.")
    return data


def _is_hidden(name: str) -> bool:
    """Whether a member belongs to a file system, not to the data: `__MACOSX/`, `.DS_Store`."""
    return any(part.startswith(("__", ".")) for part in name.split("/"))


def _listed(names: list[str]) -> str:
    more = f", … ({len(names)} in total)" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more
