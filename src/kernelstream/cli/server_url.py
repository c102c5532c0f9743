"""Options and rows of the commands that use a server."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from .exit_status import UsageError

if TYPE_CHECKING:
    from ..client import Client, RequestRefused
    from ..readers import BadLinePolicy

TOKEN = "KERNELSTREAM_TOKEN"
_PATIENCE = 600.0  # seconds for which a request is sent again
Url = Annotated[
    str | None,
    typer.Option(show_default=False, help="Model of a server, e.g. http://127.0.0.1:8080/models/clicks. Its token, if "
                 f"it needs one, is read from the environment variable {TOKEN}."),
]  # fmt: skip


def open_model(url: str) -> "tuple[Client, str]":
    """A client, and the name of the model."""
    base, found, name = url.rstrip("/").rpartition("/models/")
    if not found or not name or "/" in name:
        raise UsageError(
            f"--url is {url!r}; it must end in /models/ and the name of a model, e.g. "
            "http://127.0.0.1:8080/models/clicks"
        )
    from ..client import Client

    return Client(base, token=os.environ.get(TOKEN), retry_for=_PATIENCE), name


class SentRows(NamedTuple):
    """Rows of a file for one request, with their lines."""

    file: str
    rows: list[dict[str, Any]]
    lines: list[int]


def rows_to_send(
    names: Sequence[str], reading: dict[str, Any], policy: "BadLinePolicy", size: int
) -> Iterator[SentRows]:
    """The rows of files or a pipe, at most `size` at a time, as they come."""
    from ..readers import Options
    from ..readers.dict_rows import read_dicts
    from ..readers.file_stream import expand_names

    for name in expand_names(names):
        for found in read_dicts(name, Options(**reading)):
            for bad in found.bad:
                policy.handle(bad)
            for at in range(0, len(found.rows), size):
                some = slice(at, at + size)
                yield SentRows(name, found.rows[some], found.lines[some])


def refuse_rows(error: "RequestRefused", sent: SentRows, policy: "BadLinePolicy") -> SentRows:
    """The rows without those that the server has refused, which the policy handles; the error, if it is another."""
    from ..readers import BadLine

    if not error.rows:
        raise error
    name, wrong = "standard input" if sent.file == "-" else sent.file, set[int]()
    for bad in error.rows:
        where = "" if bad["column"] is None else f"column {bad['column']!r}"
        policy.handle(BadLine(name, sent.lines[bad["row"]], bad["reason"], where))
        wrong.add(bad["row"])
    kept = [i for i in range(len(sent.rows)) if i not in wrong]
    return SentRows(sent.file, [sent.rows[i] for i in kept], [sent.lines[i] for i in kept])
