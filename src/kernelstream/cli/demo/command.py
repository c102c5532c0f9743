"""`kernelstream demo`."""

from pathlib import Path
from typing import Annotated

import typer

from ..endings import WrongCommand, endings
from ..reading import commas

PICTURE = Path("demo") / "decision_surfaces.png"
Examples = Annotated[int, typer.Option(help="Length of the stream.", min=100)]
Recipes = Annotated[
    str | None, typer.Option(help="Some of the eight, e.g. merge,remove; else all.", show_default=False)
]
Workers = Annotated[int, typer.Option(help="Processes.", min=1)]
Output = Annotated[Path, typer.Option("--output", "-o", help="The picture.")]


def demo(examples: Examples = 300_000, recipes: Recipes = None, workers: Workers = 2, output: Output = PICTURE) -> None:
    """Stream a checkerboard through seven recipes: a table, and a picture of what each has learned.

    **Example**

    `kernelstream demo --recipes merge,remove --examples 50000`
    """
    with endings():
        from . import run_demo
        from .entrants import ENTRANTS

        keys = list(commas(recipes)) or list(ENTRANTS)
        unknown = [key for key in keys if key not in ENTRANTS]
        if unknown:
            raise WrongCommand(f"There is no {unknown[0]!r} in the demo. There are {', '.join(ENTRANTS)}.")
        run_demo(keys, examples, workers, output)
