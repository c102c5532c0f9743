"""Where the files of data sets are on this machine."""

import os
from pathlib import Path

from .cache import cache_folder
from .errors import DataUnavailable
from .known import Origin, Part


def in_folder(part: Part) -> Path | None:
    """A file in the folder that KERNELSTREAM_DATA names, if it has it."""
    named = os.environ.get("KERNELSTREAM_DATA")
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise DataUnavailable(f"KERNELSTREAM_DATA={named} is not a folder: let it name one, or unset it.")
    path = folder / part.file
    return path if path.is_file() else None


def in_cache(origin: Origin) -> Path:
    """Where a file is kept once it was downloaded."""
    return cache_folder() / "files" / origin.file


def where(part: Part) -> str:
    """Where the rows would come from: "folder", "cache" or "download"."""
    if in_folder(part):
        return "folder"
    return "cache" if any(in_cache(origin).is_file() for origin in part.origins) else "download"
