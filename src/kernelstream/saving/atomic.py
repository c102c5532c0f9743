"""Writing a file so that there is always a whole one: the old or the new."""

import os
import secrets
import shutil
from pathlib import Path


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Put `data` where `path` is. Whatever goes wrong on the way, a file that was there stays as it was.

    The data goes to a temporary file beside it, to the disk, and then under its name, which is one step for the
    file system; a link stays a link.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise ValueError(f"{os.fspath(path)} is not a file, so nothing can be saved there. Name a file.")
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
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
    """Bring the new name to the disk too, where folders can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
