"""Compiled code on disk, where no accident to a file or its folder is fatal.

numba's own cache raises when one of its files is empty or cut short, in every process until somebody deletes the file,
and when its folder is full or cannot be written. It also numbers its data files by an index that it writes first, so
that two processes compiling at once can leave the code of one under the signature of the other. Here a file contains
one compiled function, is named after its signature, and begins with a checksum. What cannot be read counts as absent
and is compiled again; what cannot be written is not kept.
"""

import hashlib
import logging
import os
import pickle
import uuid
from pathlib import Path

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

logger = logging.getLogger(__name__)
_DIGEST = hashlib.sha256().digest_size
_told: set[str] = set()


def _tell_once(what: str, *details) -> None:
    """A warning in the log, the first time in a process: every function would repeat it."""
    if what not in _told:
        _told.add(what)
        logger.warning(what, *details)


def _not_kept(error: Exception) -> None:
    _tell_once(
        "compiled code cannot be kept on disk (%s): other processes compile it again. Set NUMBA_CACHE_DIR to a folder "
        "that can be written and has space.",
        error,
    )


class CodeFiles:
    """The files of one function, one for each signature it is compiled for."""

    def __init__(self, folder: str, base: str, stamp):
        self.folder, self.base = Path(folder), base
        self.made_of = numba.__version__, stamp

    def path(self, key) -> Path:
        return self.folder / f"{self.base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def load(self, key):
        """What was saved under this key; None if nothing was, or by another numba or of another source."""
        path = self.path(key)
        try:
            content = path.read_bytes()
        except OSError:  # the folder is gone, or not ours to read; if it cannot be written either, that will be told
            return None
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            raise ValueError(f"{path} is damaged")
        made_of, saved_key, data = pickle.loads(body)
        return data if made_of == self.made_of and saved_key == key else None

    def save(self, key, data) -> None:
        """Write through a file of another name: readers see all of it or nothing."""
        path, body = self.path(key), dumps((self.made_of, key, data))
        written = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
        try:
            with written.open("xb") as file:
                file.write(hashlib.sha256(body).digest())
                file.write(body)
            os.replace(written, path)
        except BaseException:
            written.unlink(missing_ok=True)
            raise

    def flush(self) -> None:
        for path in self.folder.iterdir():
            if path.name.startswith(f"{self.base}.") and path.suffix == ".nbc":
                path.unlink(missing_ok=True)


class DiskCache(FunctionCache):
    """numba's cache of one function, with files that may be damaged and a folder that may fail."""

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = CodeFiles(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # a pickle can fail with any
            _tell_once("compiled code on disk cannot be read (%s): it is compiled again", error)
            return None

    def save_overload(self, sig, data) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:  # the code is there and runs, whatever became of its file
            _not_kept(error)


def keep_on_disk(entry) -> bool:
    """Let a compiled function be read from disk and kept there; whether it will be."""
    if os.environ.get("KERNELSTREAM_NO_CACHE"):
        return False
    try:
        entry._cache = DiskCache(entry.py_func)
    except (RuntimeError, OSError) as error:  # numba has found no folder that it can write to
        _not_kept(error)
        return False
    return True
