"""Files on this machine: the folder of KERNELSTREAM_DATA, and the cache of downloads and of parsed arrays."""

import hashlib
import os
import secrets
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.cache_folder import cache_folder
from ..array_types import Floats
from .data_set import DataFile, DataSetInfo, DataUnavailable, Origin, Parser
from .file_formats import parse_and_check

# Part of the file name of cached arrays: increase it when a parser changes.
VERSION = 1


def _arrays_file(path: Path) -> Path:
    """The cache file for the arrays of a data file; it changes with the data file."""
    state = path.stat()
    key = f"{VERSION} {path.resolve()} {state.st_size} {state.st_mtime_ns}"
    return cache_folder() / "arrays" / f"{path.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.npz"


def _cached_arrays(path: Path) -> tuple[Floats, NDArray] | None:
    """The arrays of a data file, if they are in the cache."""
    try:
        # opened here, because NumPy does not close a damaged file
        with open(_arrays_file(path), "rb") as file, np.load(file) as arrays:
            return arrays["X"].astype(np.float64), arrays["y"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # absent or damaged: the data file is parsed again


def cache_arrays(path: Path, X: Floats, y: NDArray) -> None:
    """Cache the arrays of a data file, and delete those of its earlier versions."""
    # without a writable cache the file is parsed every time
    with suppress(OSError):
        target = _arrays_file(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        old = [other for other in target.parent.glob(f"{path.name}-*.npz") if other != target]
        _write(target, _compact(X), y)
        for other in old:
            other.unlink(missing_ok=True)


def _write(target: Path, X: NDArray, y: NDArray) -> None:
    """Write to a temporary file and rename it, so that readers find all of it or nothing."""
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            np.savez(file, X=X, y=y)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _compact(X: Floats) -> NDArray:
    """X in the smallest type that represents its values exactly: covtype takes 60 MB instead of 250."""
    for kind in (np.min_scalar_type(int(X.min())), np.min_scalar_type(int(X.max())), np.dtype(np.float32)):
        with np.errstate(invalid="ignore", over="ignore"):  # values that do not fit differ
            smaller = X.astype(kind)
        if np.array_equal(smaller, X):
            return smaller
    return X


def in_folder(file: DataFile) -> Path | None:
    """The path of a file in the folder of KERNELSTREAM_DATA, or None."""
    named = os.environ.get("KERNELSTREAM_DATA")
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise DataUnavailable(f"KERNELSTREAM_DATA={named} is not a folder. Set it to a folder, or unset it.")
    path = folder / file.file
    return path if path.is_file() else None


def in_cache(origin: Origin) -> Path:
    """The path of a downloaded file."""
    return cache_folder() / "files" / origin.file


def location(file: DataFile) -> str:
    """Where a file would come from: "folder", "cache" or "download"."""
    if in_folder(file):
        return "folder"
    return "cache" if any(in_cache(origin).is_file() for origin in file.origins) else "download"


def read_file(path: Path, parse: Parser, info: DataSetInfo, file: DataFile) -> tuple[Floats, NDArray]:
    """The arrays of a file: from the cache, or parsed, checked and cached."""
    found = _cached_arrays(path)
    if found is None:
        found = parse_and_check(path, parse, info, file)
        cache_arrays(path, *found)
    return found
