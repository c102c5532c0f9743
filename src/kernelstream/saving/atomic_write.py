"""Atomic writes: the path always holds a complete file, the old or the new one."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` atomically. If anything goes wrong, an existing file stays unchanged."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write; at the end of the block it replaces `path`, unless an exception was raised there.

    It is a temporary file in the same folder, synced to disk and renamed, which the file system does in one step. A
    symbolic link stays one, whether or not the file that it names exists.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # one that leads back to itself: renaming would replace the link
        raise ValueError(f"{os.fspath(path)} is a symbolic link that leads to no file. Give the path of a file.")
    if target.exists() and not target.is_file():
        raise ValueError(f"{os.fspath(path)} is not a file, so nothing can be saved there. Give the path of a file.")
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Sync the rename to disk too, on systems where folders can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
