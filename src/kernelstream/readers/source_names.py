"""Names of sources, as a user gives them: files, patterns, folders, archives, URLs, and "-" for standard input."""

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .formats import SUFFIXES, bare_suffix
from .locations import STANDARD_INPUT, LocalFile, Location, StandardInput
from .remote import MARK, RemoteFile, expand_url, without_secrets
from .zip_archives import NUMPY, SEPARATOR, ZipMember, members, split_member
from .zip_archives import SUFFIX as ZIP

_DATABASE = re.compile(r"(?:sqlite|duckdb):///(?=.)")  # the rest is the path, so an absolute one begins with a slash


def expand_names(names: Iterable[str]) -> list[str]:
    """The names of single sources, in order: patterns, folders and archives are replaced by their files, sorted.

    >>> expand_names(["-"])
    ['-']
    >>> expand_names(["no-such-file.csv"])
    Traceback (most recent call last):
        ...
    FileNotFoundError: File 'no-such-file.csv' not found.
    """
    found = [file for name in names for file in _expanded(_without_scheme(name))]
    if not found:
        raise ValueError("No data given: name files, patterns, folders, or - for standard input.")
    if found.count(STANDARD_INPUT) > 1:
        raise ValueError("Standard input can be read only once, but - was given twice.")
    return found


def locate(name: str) -> Location:
    """Where the bytes of a single source are."""
    if name == STANDARD_INPUT:
        return StandardInput()
    archive, member = split_member(name)
    if member and not Path(name).is_file():
        return ZipMember(locate(archive), member)
    return RemoteFile(name) if MARK in name else LocalFile(name)


def local_files(names: Iterable[str]) -> list[str]:
    """The local files among sources, which no output may replace; "-" for standard input."""
    return [file for name in expand_names(names) if (file := locate(name).on_disk) is not None]


def check_reopened(names: Iterable[str]) -> None:
    """A ValueError if one of the names is a URL: a model file must not make this program connect to a server."""
    remote = [name for name in names if MARK in name]
    if remote:
        raise ValueError(
            f"The run to resume read {without_secrets(remote[0])}. A model file alone does not make kernelstream open "
            "a URL: name the data again, as in the first command, after --resume MODEL."
        )


def _without_scheme(name: str) -> str:
    """Local files may be given as URLs.

    >>> _without_scheme("sqlite:///data/a.db"), _without_scheme("sqlite:////data/a.db"), _without_scheme("file:///a.csv")
    ('data/a.db', '/data/a.db', '/a.csv')
    """
    if name.startswith("file://"):
        return url2pathname(urlsplit(name).path)
    return _DATABASE.sub("", name, count=1) if _DATABASE.match(name) else name


def _expanded(name: str) -> list[str]:
    archive, member = split_member(name)
    files = _expanded_files(archive if member and not Path(name).is_file() else name)
    return [found for file in files for found in _members(file, member)]


def _members(archive: str, wanted: str) -> list[str]:
    """The files that a name stands for inside an archive; any other file stands for itself."""
    if not archive.lower().endswith(ZIP):
        return [archive]
    found = members(locate(archive), wanted, _is_data)
    if not wanted and found[0].endswith(NUMPY):
        return [archive]  # as NumPy's savez writes them
    return [f"{archive}{SEPARATOR}{member}" for member in found]


def _expanded_files(name: str) -> list[str]:
    if MARK in name:
        return expand_url(name, _is_data)
    path = Path(name)
    if name == STANDARD_INPUT or path.is_file():
        return [name]
    if path.is_dir():
        return _inside(path)
    if not glob.has_magic(name):
        if path.exists():  # a named pipe, or /dev/stdin
            return [name]
        raise FileNotFoundError(f"File {name!r} not found.")
    found = sorted(glob.glob(name, recursive=True))
    if not found:
        raise FileNotFoundError(f"No file matches {name!r}.")
    return [file for match in found for file in _expanded_files(match)]


def _is_data(name: str) -> bool:
    return bare_suffix(name) in SUFFIXES


def _inside(folder: Path) -> list[str]:
    """The data files of a folder and its subfolders."""
    found = []
    for path in sorted(folder.rglob("*")):
        # programs that write folders leave markers there, such as _SUCCESS
        hidden = any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and _is_data(path.name):
            found.append(str(path))
    if not found:
        raise FileNotFoundError(f"The folder {str(folder)!r} has no file with a suffix among {', '.join(SUFFIXES)}.")
    return found
