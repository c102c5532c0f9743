"""The options by which commands read data, declared once."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from .catalogue import FORMATS
from .endings import WrongCommand, endings

PANEL = "How to read the data"
Data = Annotated[
    list[str], typer.Argument(help="Files, patterns or folders, in order; - is standard input.", show_default=False)
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out lines that cannot be used, and count them.", rich_help_panel=PANEL)
]


def _option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=PANEL, show_default=False, **more)


def commas(text: str | None) -> tuple[str, ...]:
    """A list as options take it.

    >>> commas("a, b"), commas(None)
    (('a', 'b'), ())
    """
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


_NAMES = ", ".join(FORMATS)
_FORMAT = Annotated[
    str | None,
    _option("--format", "-f", help=f"{_NAMES}; else told from name and content.", autocompletion=lambda: FORMATS),
]
_DELIMITER = Annotated[str | None, _option("--delimiter", "-d", help="What parts columns, e.g. ';' or '\\\\t'.")]
_HEADER = Annotated[bool | None, _option("--header/--no-header", help="Whether the first line names the columns.")]
_ENCODING = Annotated[str | None, _option("--encoding", help="Of text, e.g. latin-1; else utf-8.")]
_NO_QUOTES = Annotated[bool, _option("--no-quotes", help="Quotes are characters like others.")]
_ZERO = Annotated[bool, _option("--zero-based", help="LIBSVM indices count from 0.")]
COMMON: dict[str, Any] = {
    "format": _FORMAT, "delimiter": _DELIMITER, "header": _HEADER, "encoding": _ENCODING, "no_quotes": _NO_QUOTES,
    "zero_based": _ZERO,
}  # fmt: skip
_WHICH = "The column to predict: name, or position: 1 for the first, -1 for the last."
_TARGET = Annotated[str | None, typer.Option("--target", "-t", help=_WHICH, show_default=False)]
_CATEGORICAL = Annotated[str | None, _option("--categorical", help="Columns of numbers that are names, e.g. zip,code.")]
_IGNORE = Annotated[str | None, _option("--ignore", help="Columns to leave out, e.g. id,date.")]
COLUMNS: dict[str, Any] = {"target": _TARGET, "categorical": _CATEGORICAL, "ignore": _IGNORE}


def reads(options: dict[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of reading; it gets those that were used as a dict, `reading`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = [p for p in inspect.signature(command).parameters.values() if p.name != "reading"]
        falls = {name: False if name in ("no_quotes", "zero_based") else None for name in options}
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=falls[name])
            for name, kind in options.items()
        ]

        @wraps(command)
        def wrapped(**given: Any) -> None:
            with endings(given.get("json", False)):
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
    for name in ("categorical", "ignore"):
        if name in found:
            found[name] = commas(found[name])
    if "delimiter" in found:
        found["delimiter"] = {"\\t": "\t", "tab": "\t", "space": " "}.get(found["delimiter"], found["delimiter"])
        if len(found["delimiter"]) != 1:
            raise WrongCommand(f"--delimiter {found['delimiter']}: it must be one character.")
    return found
