"""Files that a command writes: checked before the work begins, so that nothing it reads is ever overwritten."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO, cast

from .exit_status import UsageError
from .printable import PrintableOutput

File = str | os.PathLike[str]


def check_outputs(outputs: Mapping[str, File | None], inputs: Iterable[File] = (), *, streams: bool = False) -> None:
    """A usage error if a file cannot be written, or is also an input or another output.

    `outputs` maps options to paths; `streams` allows devices and named pipes. Symbolic and hard links to an input are
    that input.
    """
    given = {option: Path(path) for option, path in outputs.items() if path is not None}
    read = list(inputs)
    for option, path in given.items():
        _check_writable(option, path, streams)
        same = next((name for name in read if _same(path, name)), None)
        if same is not None:
            read_as = "standard input" if os.fspath(same) == "-" else os.fspath(same)
            raise UsageError(
                f"{option} {path} is the same file as the input {read_as}, which it would overwrite. Name another file."
            )
    for i, (option, path) in enumerate(given.items()):
        for other, second in list(given.items())[:i]:
            if os.path.realpath(path) == os.path.realpath(second) or _same(path, second):
                raise UsageError(f"{other} and {option} name the same file, {path}. Name two files.")


def _check_writable(option: str, path: Path, streams: bool) -> None:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise UsageError(f"{option} {path} is a folder. Give the name of a file.")
    if target.exists() and not target.is_file():
        if streams:
            return
        raise UsageError(f"{option} {path} is not a file, so nothing can be saved there. Give the name of a file.")
    if not target.parent.is_dir():
        raise UsageError(f"{option} {path} cannot be written: the folder {path.absolute().parent} does not exist.")
    # the folder, because a new file is written there first and then renamed
    for place in (target.parent, *((target,) if target.exists() else ())):
        if not os.access(place, os.W_OK):
            raise UsageError(f"{option} {path} cannot be written: no permission to write {place}.")


def _same(path: File, name: File) -> bool:
    """Whether two names are those of one file; "-" is standard input."""
    try:
        written = os.stat(path)
        found = os.fstat(0) if os.fspath(name) == "-" else os.stat(name)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(written.st_mode) and os.path.samestat(written, found)


def check_standard_output(inputs: Iterable[File]) -> None:
    """A usage error if standard output is appended to a file that is read: the command would read its own output."""
    for name in inputs:
        if _same("/dev/stdout", name):
            raise UsageError(f"Standard output is the same file as the input {os.fspath(name)}. Write to another file.")


@contextmanager
def text_output(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file, which is replaced when the block ends without an error. A device or named pipe is
    written directly, a terminal without control characters."""
    if path is None:
        yield cast(TextIO, PrintableOutput(sys.stdout)) if sys.stdout.isatty() else sys.stdout
    elif path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
    else:
        from io import TextIOWrapper

        from ..saving.atomic_write import replacing

        with replacing(path) as raw:
            file = TextIOWrapper(raw, encoding="utf-8", newline="")
            try:
                yield file
                file.flush()
            finally:
                with suppress(OSError):  # a full disk was reported by the block
                    file.detach()  # `replacing` closes it
