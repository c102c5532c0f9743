"""Which files are meant by the names that a user gives."""

import glob
from collections.abc import Iterable
from pathlib import Path

from .opening import STANDARD_INPUT
from .sniffing import SUFFIXES, bare_suffix


def expand(names: Iterable[str]) -> list[str]:
    """The files meant, in order: patterns and folders stand for their files, sorted by name; "-" is standard input.

    >>> expand(["-"])
    ['-']
    >>> expand(["no-such-file.csv"])
    Traceback (most recent call last):
        ...
    FileNotFoundError: There is no file 'no-such-file.csv'.
    """
    found = [file for name in names for file in _files(name)]
    if not found:
        raise ValueError("No data was named: give files, patterns, folders, or - for standard input.")
    if found.count(STANDARD_INPUT) > 1:
        raise ValueError("Standard input can be read once, and - was named twice.")
    return found


def _files(name: str) -> list[str]:
    path = Path(name)
    if name == STANDARD_INPUT or path.is_file():
        return [name]
    if path.is_dir():
        return _inside(path)
    if not glob.has_magic(name):
        if path.exists():  # a named pipe, or /dev/stdin
            return [name]
        raise FileNotFoundError(f"There is no file {name!r}.")
    found = sorted(glob.glob(name, recursive=True))
    if not found:
        raise FileNotFoundError(f"No file has a name like {name!r}.")
    return [file for match in found for file in _files(match)]


def _inside(folder: Path) -> list[str]:
    """The data files of a folder and its folders."""
    found = []
    for path in sorted(folder.rglob("*")):
        # programs that write folders leave notes there, such as _SUCCESS
        hidden = any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and bare_suffix(path.name) in SUFFIXES:
            found.append(str(path))
    if not found:
        raise FileNotFoundError(f"The folder {str(folder)!r} has no file that ends in {', '.join(SUFFIXES)}.")
    return found
