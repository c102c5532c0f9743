"""The recipes in one line each. They are not imported: that takes a second, and help and completion must not."""

import os
import sys
from typing import NamedTuple

from .exit_status import UsageError


class RecipeInfo(NamedTuple):
    """What a recipe does, and where it was published."""

    what: str
    paper: str


RECIPE_TABLE = {
    "default": RecipeInfo("support-vector merging, then a second-order refit", "original to this library, after BSGD"),
    "kernel_sgd": RecipeInfo("stochastic gradient descent, no budget", "Kivinen, Smola & Williamson 2004"),
    "pegasos": RecipeInfo("the same, with projection on a ball", "Shalev-Shwartz, Singer & Srebro 2007"),
    "bsgd": RecipeInfo("budget kept by removal, projection or merging", "Wang, Crammer & Vucetic 2010, 2012"),
    "nbsgd": RecipeInfo("budget maintained at random", "Le, Nguyen, Nguyen & Phung 2016"),
    "polk": RecipeInfo("fewest support vectors within a tolerance", "Koppel, Warnell, Stump & Ribeiro 2017"),
    "olk": RecipeInfo("online gradient descent in a ball", "He & Kwok 2014"),
    "olru": RecipeInfo("random updating", "He & Kwok 2014"),
    "olrd": RecipeInfo("random discarding", "He & Kwok 2014"),
    "oskl": RecipeInfo("samples examples by their loss derivative", "Zhang, Yi, Jin, Lin & He 2013"),
    "perceptron": RecipeInfo("adds every misclassified example", "Freund & Schapire 1999"),
    "rbp": RecipeInfo("perceptron that removes a random example", "Cavallanti, Cesa-Bianchi & Gentile 2007"),
    "budget_perceptron": RecipeInfo("perceptron that removes the largest margin", "Crammer, Kandola & Singer 2003"),
    "forgetron": RecipeInfo("perceptron that shrinks, then drops the oldest", "Dekel, Shalev-Shwartz & Singer 2008"),
    "projectron": RecipeInfo("perceptron that projects dependent examples", "Orabona, Keshet & Caputo 2009"),
    "pa": RecipeInfo("passive-aggressive, I and II", "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006"),
    "bpa": RecipeInfo("passive-aggressive on a budget", "Wang & Vucetic 2010"),
    "norma": RecipeInfo("decay, and dropping the oldest", "Kivinen, Smola & Williamson 2004"),
    "bogd": RecipeInfo("gradient descent with random discarding", "Zhao, Wang, Wu, Jin & Hoi 2012"),
    "sparse_klr": RecipeInfo("logistic regression with random updates", "Zhang, Jin, Chen, Bu & He 2012"),
    "krls": RecipeInfo("recursive least squares, for regression", "Engel, Mannor & Meir 2004"),
    "fogd": RecipeInfo("gradient descent on random Fourier features", "Lu, Hoi, Wang, Zhao & Liu 2016"),
    "nogd": RecipeInfo("gradient descent on Nyström features", "Lu, Hoi, Wang, Zhao & Liu 2016"),
}


def complete_recipe(incomplete: str) -> list[str]:
    """Names that begin like this, for the shell."""
    return [name for name in RECIPE_TABLE if name.startswith(incomplete)]


def check_recipe(name: str) -> None:
    """A usage error if this is neither a recipe of the table nor module:name of one that can be imported."""
    if name in RECIPE_TABLE:
        return
    if ":" not in name:
        raise UsageError(
            f"unknown recipe {name!r}. Available: {', '.join(RECIPE_TABLE)}; or module:name for one of your own."
        )
    allow_local_modules(name)
    from ..recipe import Recipe
    from ..recipes import RECIPES

    try:
        made: object = RECIPES.find(name)()
    except ValueError as error:
        raise UsageError(str(error)) from None
    except TypeError as error:
        raise UsageError(f"recipe {name!r} must be a function with defaults for all parameters: {error}.") from None
    if not isinstance(made, Recipe):
        raise UsageError(f"recipe {name!r} must return a Recipe, not {made!r}.")


def allow_local_modules(name: object) -> None:
    """Let module:name find modules of the current directory, as `python -m` does."""
    if isinstance(name, str) and ":" in name and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def import_module(name: str) -> None:
    """Import a user's module, so that model files may contain its strategies."""
    allow_local_modules(f"{name}:")
    from ..core.registry import register_module

    try:
        register_module(name)
    except ImportError as error:
        raise UsageError(f"--import {name}: {error}.") from None


def recipe_info(name: str) -> RecipeInfo:
    """Of a recipe of the table, or of one that `check_recipe` has imported: the first line of its docstring."""
    if name in RECIPE_TABLE:
        return RECIPE_TABLE[name]
    from ..recipes import RECIPES

    lines = (RECIPES.find(name).__doc__ or "").strip().splitlines()
    return RecipeInfo(lines[0] if lines else "", "your own")
