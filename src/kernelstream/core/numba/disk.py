"""Compiled code on disk, where no accident to a file or its folder is fatal.

numba's own cache raises when one of its files is empty or cut short, in every process until somebody deletes the file,
and when its folder is full or cannot be written. It also numbers its data files by an index that it writes first, so
that two processes compiling at once can leave the code of one under the signature of the other, and it marks files by
the path and owner of the source. Here a file contains one compiled function, is named after function, source and
signature, and begins with a checksum. What cannot be read counts as absent and is compiled again; what cannot be
written is not kept. Code is looked for among what came with the package (`shipped.py`), then in `folders.py`'s folders.
"""

import hashlib
import logging
import os
import pickle
from collections import Counter
from functools import lru_cache
from pathlib import Path

import numba
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from .folders import Distrusted, Folder, folders
from .host import settings
from .shipped import Shipped, shipped

logger = logging.getLogger(__name__)
_DIGEST = hashlib.sha256().digest_size
_told: set[str] = set()
# What became of the functions that were asked for in this process: `shipped`, `read`, `compiled`, `kept`.
tally: Counter[str] = Counter()


def _tell_once(what: str, *details) -> None:
    """A warning in the log, the first time in a process: every function would repeat it."""
    if what not in _told:
        _told.add(what)
        logger.warning(what, *details)


def _not_kept(error: object) -> None:
    _tell_once(
        "compiled code cannot be kept on disk (%s): other processes compile it again. Set KERNELSTREAM_CACHE or "
        "NUMBA_CACHE_DIR to a folder that can be written and has space.",
        error,
    )


@lru_cache(maxsize=256)
def _file_digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class CodeFiles:
    """The files of one function, one for each signature it is compiled for."""

    def __init__(self, function):
        code = function.__code__
        self.made_of = numba.__version__, _file_digest(code.co_filename)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-{code.co_firstlineno}"
        self.base = name.replace("<", "").replace(">", "")

    def name(self, key) -> str:
        return f"{self.base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def load(self, store: Folder | Shipped, key):
        """What was saved under this key; None if nothing was, or by another numba or of another source."""
        content = store.read(self.name(key))
        if content is None:
            return None
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            raise ValueError(f"{store.path / self.name(key)} is damaged")
        made_of, saved_key, data = pickle.loads(body)
        return data if made_of == self.made_of and saved_key == key else None

    def save(self, store: Folder, key, data) -> None:
        body = dumps((self.made_of, key, data))
        store.write(self.name(key), hashlib.sha256(body).digest() + body)


class DiskCache(FunctionCache):
    """numba's cache of one function, with files that may be damaged and folders that may fail."""

    def __init__(self, function):  # numba's own would look for a folder by the path of the source
        self._name, self._py_func, self._files = repr(function), function, CodeFiles(function)
        self._folders = folders()
        self.enable()

    @property
    def cache_path(self) -> str:
        return str(self._folders[0].path) if self._folders else ""

    def _key(self, sig, codegen, magic=None):
        sig, native, code = self._index_key(sig, codegen)
        return sig, magic or native, code, settings()

    def load_overload(self, sig, target_context):
        target_context.refresh()
        ours = shipped()
        for store in (*ours, *self._folders):
            key = self._key(sig, target_context.codegen(), store.magic)
            try:
                data = self._files.load(store, key)
                found = None if data is None else CompileResult._rebuild(target_context, *data)
            except Distrusted as refusal:
                _tell_once("compiled code is not read: %s. Correct its owner and mode, or delete it.", refusal)
            except Exception as error:  # a pickle can fail with any
                _tell_once("compiled code on disk cannot be read (%s): it is compiled again", error)
            else:
                if found is not None:
                    logger.debug("read %s from %s", self._files.base, store.path)
                    tally["shipped" if store in ours else "read"] += 1
                    return found
                if store in ours:
                    logger.debug("%s is not among the compiled code in %s", self._files.name(key), store.path)
        tally["compiled"] += 1
        return None

    def save_overload(self, sig, data) -> None:
        if any(not lifted.can_cache for lifted in data.lifted) or data.library.has_dynamic_globals:
            return
        problem: object = "no folder is known"
        for folder in self._folders:
            try:
                self._files.save(folder, self._key(sig, data.codegen), data._reduce())
            except Exception as error:  # the code is there and runs, whatever became of its file
                problem = error
            else:
                tally["kept"] += 1
                return
        _not_kept(problem)

    def flush(self) -> None:
        for folder in self._folders:
            folder.forget(f"{self._files.base}.")


def keep_on_disk(entry) -> bool:
    """Let a compiled function be read from disk and kept there; whether it may be."""
    if os.environ.get("KERNELSTREAM_NO_CACHE"):
        return False
    try:
        entry._cache = DiskCache(entry.py_func)
    except OSError as error:  # its source is not a file
        _not_kept(error)
        return False
    return True


def kept_in() -> Path | None:
    """The first folder that compiled code may be written to, whether or not it is there yet."""
    for folder in folders():
        there = next((path for path in (folder.path, *folder.path.parents) if path.exists()), None)
        if there is not None and there.is_dir() and os.access(there, os.W_OK):
            return folder.path
    return None
