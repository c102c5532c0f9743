"""Published algorithms as recipes, one file per paper, and the default of the estimators."""

from collections.abc import Callable

from ..core.registry import Registry
from ..recipe import Recipe
from .bogd import bogd
from .bsgd import bsgd
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
_BASELINES = (perceptron, rbp, forgetron, projectron, pa, bpa, norma, bogd, sparse_klr, krls, fogd, nogd)
RECIPES: Registry[Callable[..., Recipe]] = Registry(
    "recipe", {function.__name__: function for function in (*_PAPERS, *_BASELINES)}
)
register = RECIPES.register

__all__ = [
    "RECIPES",
    "bogd",
    "bpa",
    "bsgd",
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
