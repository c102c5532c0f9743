"""Options for reading data, shared by the commands that do."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from .exit_status import UsageError, exit_on_error

PANEL = "Input"
FORMATS = (
    "csv", "tsv", "jsonl", "json", "libsvm", "parquet", "arrow", "avro", "numpy", "sqlite", "duckdb",
)  # fmt: skip  # those of readers, which are slow to import
DATA_HELP = "Files, patterns, folders, archive.zip::member or URLs, in order; - is standard input."
Data = Annotated[list[str], typer.Argument(help=DATA_HELP, show_default=False)]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip bad lines, and count them.", rich_help_panel=PANEL)]


def _option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=PANEL, show_default=False, **more)


def commas(text: str | None) -> tuple[str, ...]:
    """A comma-separated list.

    >>> commas("a, b"), commas(None)
    (('a', 'b'), ())
    """
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


Limit = Annotated[int | None, _option("--limit", "-n", metavar="N", help="Use at most N rows.")]
_NAMES = ", ".join(FORMATS)
_FORMAT = Annotated[
    str | None,
    _option("--format", "-f", help=f"{_NAMES}. (default: detected)", autocompletion=lambda: FORMATS),
]
_DELIMITER = Annotated[
    str | None, _option("--delimiter", "-d", help="Column separator, e.g. ';' or '\\\\t'. (default: detected)")
]
_HEADER = Annotated[
    bool | None, _option("--header/--no-header", help="Whether the first line has column names. (default: detected)")
]
_ENCODING = Annotated[str | None, _option("--encoding", help="Text encoding, e.g. latin-1. (default: utf-8)")]
_NO_QUOTES = Annotated[bool, _option("--no-quotes", help="Read quotation marks as ordinary characters.")]
_QUERY = Annotated[
    str | None, _option("--query", help="SELECT statement, or name of a table, if DATA is a SQLite or DuckDB database.")
]
_ZERO = Annotated[bool, _option("--zero-based", help="LIBSVM indices start at 0.")]
COMMON: dict[str, Any] = {
    "format": _FORMAT, "delimiter": _DELIMITER, "header": _HEADER, "encoding": _ENCODING, "no_quotes": _NO_QUOTES,
    "query": _QUERY, "zero_based": _ZERO,
}  # fmt: skip
_WHICH = (
    "Column to predict: name, or position (1 = first, -1 = last); for regression also several, separated by commas. "
    "(default: target, label, class or y)"
)
_TARGET = Annotated[str | None, typer.Option("--target", "-t", help=_WHICH, show_default=False)]
_CATEGORICAL = Annotated[
    str | None,
    _option(
        "--categorical",
        help="Columns that are categorical, e.g. zip,code; none: no integers but these. (default: text, and "
        "integers that look like codes)",
    ),
]
_NUMERIC = Annotated[
    str | None, _option("--numeric", help="Columns to use as numbers, even if they look like an id, a code or a date.")
]
_DATE = Annotated[str | None, _option("--date", help="Columns that are dates, also as seconds since 1970.")]
_IGNORE = Annotated[str | None, _option("--ignore", help="Columns to leave out, e.g. id,name.")]
_WEIGHT = Annotated[str | None, _option("--weight", metavar="COLUMN", help="Column with the weights of rows.")]
_NA = Annotated[str | None, _option("--na", help="More texts that mean a missing value, e.g. unknown,-99.")]
COLUMNS: dict[str, Any] = {
    "target": _TARGET, "categorical": _CATEGORICAL, "numeric": _NUMERIC, "dates": _DATE, "ignore": _IGNORE, "na": _NA,
    "weight": _WEIGHT,
}  # fmt: skip


def reads(options: dict[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options for reading to a command, which gets those that were used as a dict, `reading`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = [p for p in inspect.signature(command).parameters.values() if p.name != "reading"]
        defaults = {name: False if name in ("no_quotes", "zero_based") else None for name in options}
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=defaults[name])
            for name, kind in options.items()
        ]

        @wraps(command)
        def wrapped(**given: Any) -> None:
            with exit_on_error(given.get("json", False)):
                reading = _changes({name: given.pop(name) for name in options})
            command(**given, reading=reading)

        wrapped.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + more
        )
        wrapped.__annotations__ = {p.name: p.annotation for p in [*own, *more]}
        return wrapped

    return decorate


def _changes(reading: dict[str, Any]) -> dict[str, Any]:
    """The fields of `Options` that were given."""
    found: dict[str, Any] = {name: value for name, value in reading.items() if value is not None}
    for flag in ("no_quotes", "zero_based"):
        if not found.get(flag):
            found.pop(flag, None)
    if found.pop("no_quotes", False):
        found["quotes"] = False
    for name in ("categorical", "numeric", "dates", "ignore", "na"):
        if name in found:
            found[name] = commas(found[name])
    if "delimiter" in found:
        found["delimiter"] = {"\\t": "\t", "tab": "\t", "space": " "}.get(found["delimiter"], found["delimiter"])
        if len(found["delimiter"]) != 1:
            raise UsageError(f"--delimiter {found['delimiter']}: it must be one character.")
    return found
