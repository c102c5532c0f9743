"""`kernelstream recipes`."""

import json as json_module
from typing import Annotated

import typer
from rich.table import Table

from . import choices
from .catalogue import CATALOGUE
from .endings import WrongCommand, endings
from .screen import out

Name = Annotated[
    str | None,
    typer.Argument(help="One of them, to see its parameters.", show_default=False, autocompletion=choices.names),
]


def recipes(name: Name = None, json: choices.Json = False) -> None:
    """List the algorithms and their papers; or one with its parameters.

    **Examples**

    `kernelstream recipes`

    `kernelstream recipes bsgd`   then: kernelstream train … -a bsgd --set maintenance=project
    """
    with endings(json):
        if name is None:
            _all(json)
        elif name not in CATALOGUE:
            raise WrongCommand(f"unknown recipe {name!r}. Available: {', '.join(CATALOGUE)}.")
        else:
            _one(name, json)


def _all(json: bool) -> None:
    if json:
        print(json_module.dumps({name: entry._asdict() for name, entry in CATALOGUE.items()}, ensure_ascii=False))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("recipe", "what it does", "paper"):
        table.add_column(column)
    for name, entry in CATALOGUE.items():
        table.add_row(f"[bold]{name}[/]", entry.what, f"[dim]{entry.paper}[/]")
    out().print(table)


def _one(name: str, json: bool) -> None:
    from ..estimators.resolution import parameters_of

    defaults = {key: parameter.default for key, parameter in parameters_of(name).items()}
    found = {key: value if isinstance(value, (int, float, str)) else repr(value) for key, value in defaults.items()}
    entry = CATALOGUE[name]
    if json:
        print(json_module.dumps({"name": name, **entry._asdict(), "parameters": found}, ensure_ascii=False))
        return
    console = out()
    console.print(f"[bold]{name}[/]: {entry.what} ({entry.paper})\n")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("parameter", "default", "set it with"):
        table.add_column(column)
    for key, value in found.items():
        direct = key in ("budget", "lam", "loss", "kernel", "gamma")
        way = f"--{key}" + (" and --gamma" if key == "kernel" else "") if direct else f"--set {key}=…"
        table.add_row(key, str(value), way)
    console.print(table)
