"""`kernelstream warmup`."""

import os
from typing import Annotated

import typer

from .exit_status import UsageError, exit_on_error
from .printable import printable
from .recipe_table import check_recipe, complete_recipe

# as in estimators/warm_up.py, which takes a second to import
TASKS, ROWS = ("two-classes", "classes", "regression", "outputs"), ("dense", "wide", "sparse")
DTYPES = ("float32", "float64")

Algorithms = Annotated[
    list[str] | None,
    typer.Argument(
        help="Recipes, or module:name of your own. (default: all)", show_default=False, autocompletion=complete_recipe
    ),
]
Tasks = Annotated[
    list[str] | None,
    typer.Option(
        "--task",
        help=f"One of {', '.join(TASKS)}; repeat it for several. (default: all for the recipe default, two and several "
        "classes for the others)",
        show_default=False,
    ),
]
Rows = Annotated[
    list[str] | None,
    typer.Option(
        help="dense, wide (32 features or more) or sparse; repeat it for several. (default: all for the recipe "
        "default, dense for the others)",
        show_default=False,
    ),
]
Features = Annotated[int | None, typer.Option(help="Number of features.", min=1)]
Budget = Annotated[
    int | None, typer.Option(help="Maximum number of support vectors; for recipes with a budget.", min=1)
]
Dtype = Annotated[str, typer.Option(help="float32 or float64.")]


def warmup(
    algorithms: Algorithms = None, task: Tasks = None, rows: Rows = None, features: Features = None,
    budget: Budget = None, dtype: Dtype = "float32",
) -> None:  # fmt: skip
    """Compile recipes in advance, so that the first fit starts at once.

    Compiled code is kept on disk until kernelstream or numba changes; what is there already is not compiled again.

    **Examples**

    `kernelstream warmup default`

    `kernelstream warmup oskl --task classes --rows sparse --features 54`
    """
    with exit_on_error():
        for name in algorithms or []:
            check_recipe(name)
        for what, given, known in (("task", task, TASKS), ("rows", rows, ROWS), ("dtype", [dtype], DTYPES)):
            for value in given or []:
                if value not in known:
                    raise UsageError(f"{what} is {value!r}; use {', '.join(known[:-1])} or {known[-1]}.")
        from ..core.numba.disk import kept_in, tally
        from ..estimators.warm_up import warming

        compiled = 0
        for done in warming(algorithms or (), task or (), rows or (), features, budget, dtype):
            compiled += done.compiled
            outcome = f"compiled in {done.seconds:.1f} s" if done.compiled else "already there"
            typer.echo(f"{printable(done.algorithm):18}{done.data:22} {outcome}")
        if compiled > tally["kept"] or os.environ.get("KERNELSTREAM_NO_CACHE"):
            raise OSError(
                "compiled code cannot be kept on disk. Set KERNELSTREAM_CACHE to a folder that you can write."
            )
        if tally["shipped"]:
            typer.echo(f"{tally['shipped']} functions came compiled with the package")
        found = f"{compiled} functions compiled" if compiled else "all is there"
        where = kept_in()  # None on a system that is read-only by now
        typer.echo(f"{found}; the folder for compiled code is {printable(str(where))}" if where else found)
