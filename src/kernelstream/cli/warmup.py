"""`kernelstream warmup`."""

from typing import Annotated

import typer

from .exit_status import UsageError, exit_on_error
from .recipe_table import check_recipe, complete_recipe

Algorithms = Annotated[
    list[str] | None,
    typer.Argument(
        help="Recipes, or module:name of your own. (default: all)", show_default=False, autocompletion=complete_recipe
    ),
]
Features = Annotated[int, typer.Option(help="Number of features.", min=1)]
Classes = Annotated[int, typer.Option(help="Number of classes.", min=2)]
Budget = Annotated[
    int | None, typer.Option(help="Maximum number of support vectors; for recipes with a budget.", min=1)
]
Dtype = Annotated[str, typer.Option(help="float32 or float64.")]
Sparse = Annotated[bool, typer.Option("--sparse", help="For sparse rows (CSR).")]


def warmup(
    algorithms: Algorithms = None, features: Features = 10, classes: Classes = 2, budget: Budget = None,
    dtype: Dtype = "float32", sparse: Sparse = False,
) -> None:  # fmt: skip
    """Compile recipes in advance, so that the first fit starts at once.

    Compiled code is cached on disk until kernelstream or numba changes. What is compiled depends on the options below.

    **Example**

    `kernelstream warmup default oskl --features 54 --budget 500`
    """
    with exit_on_error():
        for name in algorithms or []:
            check_recipe(name)
        from ..core.precision import DTYPES

        if dtype not in DTYPES:
            raise UsageError(f"dtype is {dtype!r}; use float32 or float64.")
        from ..estimators.warm_up import warmup as compile_all

        for done in compile_all(
            algorithms or (), features=features, classes=classes, budget=budget, dtype=dtype, sparse=sparse
        ):
            typer.echo(f"{done.algorithm:12} {done.seconds:6.1f} s")
