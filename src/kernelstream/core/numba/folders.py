"""Folders of compiled code: where they are, and which of them are trusted.

A file of compiled code is a program: loading it runs it. So a folder is read only if nobody but its reader and root can
have written to it. Folders, in the order in which they are read and tried for writing:

1. `NUMBA_CACHE_DIR`, if set; it replaces the user's cache.
2. `KERNELSTREAM_CACHE`, if set: a folder that several users may read and one of them writes.
3. The user's cache, as the platform has it: `XDG_CACHE_HOME`, `~/Library/Caches` or `LOCALAPPDATA`.
"""

import os
import stat
import sys
import uuid
from contextlib import suppress
from pathlib import Path

import numba
from numba import config

from ..cache_folder import cache_folder, platform_cache

# A numba, a Python: their files are of no use to others, and can be deleted together.
TAG = f"{sys.implementation.cache_tag}-numba-{numba.__version__}"


def distrust(status: os.stat_result) -> str:
    """Why a file or folder might have been written by somebody else; empty if it was not."""
    if os.name != "posix":
        return ""
    if status.st_uid not in (0, os.geteuid()):
        return f"it belongs to user {status.st_uid}"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "users other than its owner can write to it"
    return ""


class Distrusted(Exception):
    """A folder or file that somebody else could have written."""

    def __init__(self, path: Path, why: str):
        super().__init__(f"{path}: {why}")


class Folder:
    """One folder of compiled code: a root, and two levels below that are ours."""

    magic = None  # code for this machine's CPU

    def __init__(self, root: Path, room: str, shared: bool = False):
        self.root, self.path, self.shared = root, root / room / TAG, shared

    @property
    def _levels(self) -> tuple[Path, Path]:
        return self.path.parent, self.path

    def _check(self) -> None:
        for level in self._levels:
            status = level.lstat()
            why = "it is a link" if stat.S_ISLNK(status.st_mode) else distrust(status)
            if why:
                raise Distrusted(level, why)

    def read(self, name: str) -> bytes | None:
        """The content of a file, None if there is none; `Distrusted` if somebody else could have written it."""
        try:
            with (self.path / name).open("rb") as file:
                self._check()
                why = distrust(os.fstat(file.fileno()))  # of the file that is open, whatever its name means by now
                if why:
                    raise Distrusted(self.path / name, why)
                return file.read()
        except OSError:  # absent, or not ours to read
            return None

    def write(self, name: str, content: bytes) -> None:
        """Write through a file of another name: readers see all of it or nothing."""
        self.root.parent.mkdir(parents=True, exist_ok=True)
        for level in (self.root, *self._levels):
            with suppress(FileExistsError):
                level.mkdir(mode=0o755)
                if self.shared:
                    level.chmod(0o755)
        self._check()
        written = self.path / f"{name}.tmp.{uuid.uuid4().hex[:16]}"
        try:
            with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644), "wb") as file:
                file.write(content)
            if self.shared:
                written.chmod(0o644)
            os.replace(written, self.path / name)
        except BaseException:
            with suppress(OSError):
                written.unlink()
            raise

    def forget(self, prefix: str) -> None:
        """Delete the files whose names start so."""
        with suppress(OSError):
            for path in self.path.iterdir():
                if path.name.startswith(prefix) and path.suffix == ".nbc":
                    path.unlink(missing_ok=True)


_BINARY = getattr(os, "O_BINARY", 0)


def folders() -> list[Folder]:
    """The folders of this process."""
    found = []
    if config.CACHE_DIR:
        found.append(Folder(Path(config.CACHE_DIR), "kernelstream"))
    if os.environ.get("KERNELSTREAM_CACHE"):
        found.append(Folder(cache_folder(), "compiled", shared=True))
    if not config.CACHE_DIR:
        with suppress(RuntimeError):  # a user without a home
            found.append(Folder(platform_cache(), "compiled"))
    return found
