"""`kernelstream warmup`."""

from typing import Annotated

import typer

from . import choices
from .catalogue import CATALOGUE
from .endings import WrongCommand, endings

Algorithms = Annotated[
    list[str] | None,
    typer.Argument(help="Recipes; all, if none is named.", show_default=False, autocompletion=choices.names),
]
Features = Annotated[int, typer.Option(help="Columns of the data.", min=1)]
Classes = Annotated[int, typer.Option(help="Labels to tell apart.", min=2)]
Budget = Annotated[int | None, typer.Option(help="Support vectors; only where the recipes named have a budget.", min=1)]
Dtype = Annotated[str, typer.Option(help="float32 or float64.")]
Sparse = Annotated[bool, typer.Option("--sparse", help="For CSR matrices.")]


def warmup(
    algorithms: Algorithms = None, features: Features = 10, classes: Classes = 2, budget: Budget = None,
    dtype: Dtype = "float32", sparse: Sparse = False,
) -> None:  # fmt: skip
    """Compile recipes before they are needed, for data of a kind.

    Compiled code is kept on disk until kernelstream or numba changes, and a first fit then starts at once.

    **Example**

    `kernelstream warmup default oskl --features 54 --budget 500`
    """
    with endings():
        unknown = [name for name in algorithms or [] if name not in CATALOGUE]
        if unknown:
            raise WrongCommand(f"unknown recipe {unknown[0]!r}. Available: {', '.join(CATALOGUE)}.")
        if dtype not in ("float32", "float64"):
            raise WrongCommand(f"dtype is {dtype!r}; use float32 or float64.")
        from ..estimators.warm_up import warmup as compile_all

        for done in compile_all(
            algorithms or (), features=features, classes=classes, budget=budget, dtype=dtype, sparse=sparse
        ):
            typer.echo(f"{done.algorithm:12} {done.seconds:6.1f} s")
