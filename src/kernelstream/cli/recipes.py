"""`kernelstream recipes`."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from .exit_status import exit_on_error
from .model_options import Json
from .printable import printable
from .recipe_table import RECIPE_TABLE, check_recipe, complete_recipe, recipe_info
from .terminal import out, print_json

Name = Annotated[
    str | None,
    typer.Argument(
        help="Recipe whose parameters to show, or module:name of your own.",
        show_default=False,
        autocompletion=complete_recipe,
    ),
]


def recipes(name: Name = None, json: Json = False) -> None:
    """List the recipes and their papers, or the parameters of one.

    **Examples**

    `kernelstream recipes`

    `kernelstream recipes bsgd`   then: kernelstream train … -a bsgd --set maintenance=project
    """
    with exit_on_error(json):
        if name is None:
            _all(json)
        else:
            check_recipe(name)
            _one(name, json)


def _all(json: bool) -> None:
    if json:
        print_json({name: info._asdict() for name, info in RECIPE_TABLE.items()})
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("recipe", "what it does", "paper"):
        table.add_column(column)
    for name, info in RECIPE_TABLE.items():
        table.add_row(Text(name, "bold"), info.what, Text(info.paper, "dim"))
    out().print(table)


def _one(name: str, json: bool) -> None:
    from ..estimators.resolution import parameters_of

    defaults = {key: parameter.default for key, parameter in parameters_of(name).items()}
    found = {key: value if isinstance(value, (int, float, str)) else repr(value) for key, value in defaults.items()}
    info = recipe_info(name)
    if json:
        print_json({"name": name, **info._asdict(), "parameters": found})
        return
    console = out()
    console.print(Text.assemble((printable(name), "bold"), printable(f": {info.what} ({info.paper})")), "\n", sep="")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("parameter", "default", "option"):
        table.add_column(column)
    for key, value in found.items():
        direct = key in ("budget", "lam", "loss", "kernel", "gamma")
        way = f"--{key}" + (" and --gamma" if key == "kernel" else "") if direct else f"--set {key}=…"
        table.add_row(key, str(value), way)
    console.print(table)
