"""Finished results as lines of JSON, so that a long run can be stopped and continued.

A result is used again for the same stream, learner, rows and seed, as long as the versions that the learner depends on
are the same: River's for its own learners, and for ours the library's source too.
"""

import hashlib
import json
import platform
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import kernelstream

Record = dict[str, Any]


class Key(NamedTuple):
    """What a result is of; `rows` as asked for, the stream may be shorter."""

    stream: str
    learner: str
    rows: int
    seed: int


@cache
def versions() -> dict[str, str]:
    """What results depend on; packages that are absent are left out."""
    found = {"kernelstream": kernelstream.__version__, "source": _digest(), "python": platform.python_version()}
    for package in ("river", "numpy", "numba", "scikit-learn", "capymoa", "lightgbm", "xrfm", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found | {"machine": platform.machine(), "processor": _processor()}


def _processor() -> str:
    """The name of the processor, on which times depend."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _digest() -> str:
    """Of the library's source, which changes more often than its version."""
    digest, root = hashlib.sha256(), Path(kernelstream.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class Records:
    """The results in a file, and those in `others`, which are only read; of two with the same key the later one counts,
    and the file comes last."""

    def __init__(self, path: Path, others: Sequence[Path] = ()):
        self.path = path
        self._found: dict[Key, Record] = {}
        for each in (*others, path):
            if each.exists():
                self._read(each)

    def _read(self, path: Path) -> None:
        for line in path.read_text("utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # the last line of a killed run
            self._found[key_of(record)] = record

    def __iter__(self) -> Iterator[Record]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)

    def of(self, key: Key, same: Sequence[str] = ()) -> Record | None:
        """The result, if there is one that was measured with the same versions of the packages named."""
        record, now = self._found.get(key), versions()
        if record is None or any(record["versions"].get(name) != now.get(name) for name in same):
            return None
        return record

    def add(self, record: Record) -> None:
        self._found[key_of(record)] = record
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # a killed run may have left half a line: a new one begins after it
        whole = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("" if whole else "\n") + json.dumps(record, ensure_ascii=False) + "\n")


def key_of(record: Record) -> Key:
    return Key(*(record[name] for name in Key._fields))
