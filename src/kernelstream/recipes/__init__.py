"""Published algorithms as recipes, one file per paper."""

from collections.abc import Callable

from ..recipe import Recipe
from .bsgd import bsgd
from .default import default
from .nbsgd import nbsgd
from .olk import olk, olrd, olru
from .oskl import oskl
from .pegasos import kernel_sgd, pegasos
from .polk import polk

RECIPES: dict[str, Callable[..., Recipe]] = {
    function.__name__: function for function in (default, kernel_sgd, pegasos, bsgd, nbsgd, polk, olk, olru, olrd, oskl)
}

__all__ = ["RECIPES", "bsgd", "default", "kernel_sgd", "nbsgd", "olk", "olrd", "olru", "oskl", "pegasos", "polk"]
