"""Exit statuses, and messages instead of tracebacks."""

import os
import signal
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from .printable import json_text, printable

BAD_DATA, BAD_COMMAND, NOT_INSTALLED, INTERRUPTED, BROKEN_PIPE = 1, 2, 3, 130, 141
_SKIP = "Correct the line, or skip such lines with --skip-bad."


class UsageError(ValueError):
    """Something is wrong with the command, not with the data."""


def fail(message: str, status: int, *, as_json: bool = False) -> NoReturn:
    """Print a message on standard error and exit."""
    if as_json:
        typer.echo(json_text({"error": message, "status": status}), err=True)
    else:
        typer.echo(f"kernelstream: {printable(message)}", err=True)
    raise typer.Exit(status)


def leave_terminal() -> None:
    """Write nothing more to a terminal that was closed: it would raise an error. Files and pipes are still written."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the shell sends another one
    for handle in (1, 2):
        if stat.S_ISCHR(os.fstat(handle).st_mode):
            os.dup2(os.open(os.devnull, os.O_WRONLY), handle)


def message_of(error: BaseException) -> str:
    """The message of an error, with the option that helps."""
    text = str(error)
    readers = sys.modules.get(f"{__package__.rpartition('.')[0]}.readers")  # slow to import, and it need not have been
    if readers is not None and isinstance(error, readers.BadLine):
        return f"{text} {_SKIP}"
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return text


@contextmanager
def exit_on_error(as_json: bool = False) -> Iterator[None]:
    """Turn the errors that a command may meet into a message and an exit status, and warnings into messages."""
    usual = warnings.showwarning
    warnings.showwarning = _show_warning
    try:
        yield
    except BrokenPipeError:
        # the reader of our output has left; Python would complain once more when it closes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None
    except UsageError as error:
        fail(str(error), BAD_COMMAND, as_json=as_json)
    except ImportError as error:
        fail(str(error), NOT_INSTALLED, as_json=as_json)
    except MemoryError as error:
        fail(f"Not enough memory: {error}. Use a smaller --budget.", BAD_DATA, as_json=as_json)
    except (ValueError, OSError) as error:
        fail(message_of(error), BAD_DATA, as_json=as_json)
    except KeyboardInterrupt:
        fail("Stopped.", INTERRUPTED, as_json=as_json)
    finally:
        warnings.showwarning = usual


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"kernelstream: warning: {printable(str(message))}", err=True)
