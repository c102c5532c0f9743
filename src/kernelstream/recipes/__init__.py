"""Published algorithms as recipes, one file per paper, and the default of the estimators."""

from collections.abc import Callable
from typing import Any

from ..core.registry import Registry
from ..recipe import Recipe
from .bogd import bogd
from .bsgd import bsgd
from .budget_perceptron import budget_perceptron
from .default import default
from .fogd import fogd, nogd
from .forgetron import forgetron
from .krls import krls
from .nbsgd import nbsgd
from .norma import norma
from .olk import olk, olrd, olru
from .oskl import oskl
from .passive_aggressive import bpa, pa
from .pegasos import kernel_sgd, pegasos
from .perceptron import perceptron
from .polk import polk
from .projectron import projectron
from .rbp import rbp
from .sparse_klr import sparse_klr

_PAPERS = (default, kernel_sgd, pegasos, bsgd, nbsgd, polk, olk, olru, olrd, oskl)
_BASELINES = (
    perceptron,
    rbp,
    budget_perceptron,
    forgetron,
    projectron,
    pa,
    bpa,
    norma,
    bogd,
    sparse_klr,
    krls,
    fogd,
    nogd,
)


def _as_recipe_function(value: Any) -> Callable[..., Recipe]:
    if not callable(value) or isinstance(value, (type, Recipe)):
        raise ValueError(f"a recipe is registered as a function that returns a Recipe, not as {value!r}.")
    function: Callable[..., Recipe] = value
    return function


RECIPES: Registry[Callable[..., Recipe]] = Registry(
    "recipe", {function.__name__: function for function in (*_PAPERS, *_BASELINES)}, _as_recipe_function
)
register = RECIPES.register

__all__ = [
    "RECIPES",
    "bogd",
    "bpa",
    "bsgd",
    "budget_perceptron",
    "default",
    "fogd",
    "forgetron",
    "kernel_sgd",
    "krls",
    "nbsgd",
    "nogd",
    "norma",
    "olk",
    "olrd",
    "olru",
    "oskl",
    "pa",
    "pegasos",
    "perceptron",
    "polk",
    "projectron",
    "rbp",
    "register",
    "sparse_klr",
]
