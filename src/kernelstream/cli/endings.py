"""How commands end: sentences instead of tracebacks, and an exit status that says what kind of thing went wrong."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

BAD_DATA, BAD_COMMAND, NOT_INSTALLED, INTERRUPTED, BROKEN_PIPE = 1, 2, 3, 130, 141
_SKIP = "Correct the line, or leave out such lines with --skip-bad."


class WrongCommand(ValueError):
    """Something is wrong with the command, not with the data."""


def fail(sentence: str, code: int, *, as_json: bool = False) -> NoReturn:
    """Say what is wrong on standard error, and end."""
    if as_json:
        typer.echo(json.dumps({"error": sentence, "status": code}, ensure_ascii=False), err=True)
    else:
        typer.echo(f"kernelstream: {sentence}", err=True)
    raise typer.Exit(code)


def sentence(error: BaseException) -> str:
    """What an error says, with the way out where the command line has one."""
    from ..readers import BadLine

    text = str(error)
    if isinstance(error, BadLine):
        return f"{text} {_SKIP}"
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return text


@contextmanager
def endings(as_json: bool = False) -> Iterator[None]:
    """Turn what a command may meet into its ending."""
    try:
        yield
    except BrokenPipeError:
        # whoever read our output has left; Python would complain once more when it closes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None
    except WrongCommand as error:
        fail(str(error), BAD_COMMAND, as_json=as_json)
    except ImportError as error:
        fail(str(error), NOT_INSTALLED, as_json=as_json)
    except MemoryError as error:
        fail(f"There is not enough memory: {error}. Use a smaller --budget.", BAD_DATA, as_json=as_json)
    except (ValueError, OSError) as error:
        fail(sentence(error), BAD_DATA, as_json=as_json)
    except KeyboardInterrupt:
        fail("Stopped.", INTERRUPTED, as_json=as_json)
