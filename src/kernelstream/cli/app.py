"""`kernelstream` and its commands."""

from typing import Annotated

import typer

from . import (
    compare,
    consume,
    describe,
    evaluate,
    export,
    inspect,
    learn,
    predict,
    recipes,
    reproduce,
    serve,
    train,
    warmup,
)
from .demo import command as demo
from .exit_status import exit_on_error
from .recipe_table import import_module

_LINES = (
    "**Examples**",
    "`kernelstream train big.csv --target income -o income.ks`",
    "`kernelstream predict income.ks new.csv > predictions.csv`",
    "`zcat logs.jsonl.gz | kernelstream train - --target clicked -o clicks.ks`",
    "**Exit status**",
    "0 success · 1 error in the data or the model · 2 error in the command · 3 missing package · "
    "129, 130, 143 stopped by a closed terminal, Ctrl-C or SIGTERM (`train` saves the model first)",
)

app = typer.Typer(
    name="kernelstream",
    help="Train kernel models on files and pipes, in one pass and within a memory budget you set.",
    epilog="\n\n".join(_LINES),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)

_DAILY, _MORE = "Commands", "More commands"
app.command(rich_help_panel=_DAILY)(train.train)
app.command(rich_help_panel=_DAILY)(describe.describe)
app.command(rich_help_panel=_DAILY)(predict.predict)
app.command(rich_help_panel=_DAILY)(evaluate.evaluate)
app.command(rich_help_panel=_DAILY)(compare.compare)
app.command(name="inspect", rich_help_panel=_DAILY)(inspect.inspect)
app.add_typer(serve.app, name="serve", rich_help_panel=_MORE)
app.command(name="learn", rich_help_panel=_MORE)(learn.learn)
app.command(name="consume", rich_help_panel=_MORE)(consume.consume)
app.command(name="export", rich_help_panel=_MORE)(export.export)
app.command(name="recipes", rich_help_panel=_MORE)(recipes.recipes)
app.command(name="reproduce", rich_help_panel=_MORE)(reproduce.reproduce)
app.command(name="demo", rich_help_panel=_MORE)(demo.demo)
app.command(name="warmup", rich_help_panel=_MORE)(warmup.warmup)


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(__version__)
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")]


Import = Annotated[
    list[str] | None,
    typer.Option("--import", metavar="MODULE", show_default=False,
                 help="Import a module that defines kernels, losses or other strategies of your own. Repeatable."),
]  # fmt: skip


@app.callback()
def root(version: Version = False, modules: Import = None) -> None:
    with exit_on_error():
        for name in modules or []:
            import_module(name)
