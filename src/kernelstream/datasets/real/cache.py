"""Arrays kept on disk, so that a file is parsed once."""

import hashlib
import os
import secrets
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._types import Floats

# Part of the name of what is kept: raise it when a parser changes.
VERSION = 1


def cache_folder() -> Path:
    """Where KERNELSTREAM_CACHE says, else where this system keeps caches (and where pooch would look)."""
    named = os.environ.get("KERNELSTREAM_CACHE")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(home) / "kernelstream" / "kernelstream" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kernelstream"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kernelstream"


def arrays_of(path: Path) -> Path:
    """The file for the arrays of a data file; a changed data file has another."""
    state = path.stat()
    key = f"{VERSION} {path.resolve()} {state.st_size} {state.st_mtime_ns}"
    return cache_folder() / "arrays" / f"{path.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.npz"


def kept(path: Path) -> tuple[Floats, NDArray] | None:
    """The arrays of a data file, if they were kept."""
    try:
        # opened here, because numpy leaves a damaged file open
        with open(arrays_of(path), "rb") as file, np.load(file) as arrays:
            return arrays["X"].astype(np.float64), arrays["y"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # none, or damaged: the data file is there to be parsed again


def keep(path: Path, X: Floats, y: NDArray) -> None:
    """Keep the arrays of a data file, and drop those of what it was before."""
    # a cache that cannot be written costs time, nothing else
    with suppress(OSError):
        target = arrays_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        old = [other for other in target.parent.glob(f"{path.name}-*.npz") if other != target]
        _write(target, _compact(X), y)
        for other in old:
            other.unlink(missing_ok=True)


def _write(target: Path, X: NDArray, y: NDArray) -> None:
    """Written aside and renamed, so that whoever looks finds all of it or nothing."""
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            np.savez(file, X=X, y=y)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _compact(X: Floats) -> NDArray:
    """X in the smallest type that holds all its values exactly: covtype needs 60 MB instead of 250."""
    for kind in (np.min_scalar_type(int(X.min())), np.min_scalar_type(int(X.max())), np.dtype(np.float32)):
        with np.errstate(invalid="ignore", over="ignore"):  # what does not fit is found different
            smaller = X.astype(kind)
        if np.array_equal(smaller, X):
            return smaller
    return X
