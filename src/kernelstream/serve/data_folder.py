"""The folder with everything that a server keeps: models, archived models, tokens, and a lock."""

import json
import os
import re
import shutil
import time
from pathlib import Path
from typing import IO, Any

from ..saving.atomic_write import replace_file
from .refused_request import RefusedRequest

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class DataFolder:
    """One server at a time; names of models cannot lead out of it.

    >>> import tempfile
    >>> folder = DataFolder(Path(tempfile.mkdtemp()))
    >>> DataFolder(folder.path)
    Traceback (most recent call last):
    OSError: ... is in use by another server. Stop it, or choose another folder with --data.
    >>> folder.close()
    """

    def __init__(self, path: Path):
        self.path = path.resolve()
        self.models, self.archive = self.path / "models", self.path / "archive"
        for folder in (self.path, self.models, self.archive):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = _locked(self.path / "lock")
        for left in self.path.glob(".deleted-*"):
            shutil.rmtree(left, ignore_errors=True)
        for left in self.models.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)

    def names(self) -> list[str]:
        """The models."""
        return sorted(path.parent.name for path in self.models.glob("*/model.json") if NAME.fullmatch(path.parent.name))

    def create(self, name: str, plan: dict[str, Any] | None) -> Path:
        """A folder for a new model; it is there completely, or not at all."""
        check_name(name)
        made = self.models / f".new-{name}"
        made.mkdir()
        about = {"created": time.time(), "plan": plan}
        replace_file(made / "model.json", json.dumps(about, indent=1).encode())
        made.rename(self.models / name)
        _sync(self.models)  # what is acknowledged later must not vanish with its folder
        return self.models / name

    def set_aside(self, name: str) -> Path:
        """Move a model to the archive."""
        check_name(name)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        target = self.archive / f"{name}-{stamp}-{os.urandom(3).hex()}"
        (self.models / name).rename(target)
        _sync(self.models)
        _sync(self.archive)
        return target

    def delete(self, name: str) -> None:
        """Delete a model, in one step for whoever looks."""
        check_name(name)
        target = self.path / f".deleted-{name}-{os.urandom(6).hex()}"
        (self.models / name).rename(target)
        _sync(self.models)
        shutil.rmtree(target, ignore_errors=True)

    def close(self) -> None:
        self._lock.close()


def check_name(name: str) -> str:
    """A refusal if a model cannot have this name."""
    if not NAME.fullmatch(name):
        raise RefusedRequest(
            422,
            f"{name[:80]!r} cannot be the name of a model: use 1 to 64 of the characters a–z, 0–9, _ and -, beginning "
            "with a letter or digit.",
        )
    return name


def _sync(folder: Path) -> None:
    """Let the disk have the names in a folder, on systems where folders can be opened."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _locked(path: Path) -> IO[bytes]:
    """The lock file, which is ours until it is closed, or the process ends in whatever way."""
    file = open(path, "ab")  # noqa: SIM115  closed by the folder
    try:
        import fcntl
    except ImportError:  # Windows: the server itself is not supported there
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise OSError(
            f"{path.parent} is in use by another server. Stop it, or choose another folder with --data."
        ) from None
    return file
