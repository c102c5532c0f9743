"""The refit: cases with their smooth losses, streams, and what tests read of a model.

Compiling takes seconds, so the tests that run compiled share one composition, the estimators' default; all others run
in pure Python.
"""

from typing import NamedTuple

import numpy as np
from numba import config

from kernelstream import Model, Recipe, budgets, kernels, losses, recipes
from kernelstream.core.state import PASSING, arrays
from kernelstream.output import Refit
from tests import catalogue
from tests.reference import common, refit

GATHERED = 40  # examples at a time, where a test asks for fewer than the usual 256
GAMMA, LAM = 1.5, 0.01
GAUSSIAN, KERNEL = kernels.Gaussian(GAMMA), common.gaussian(GAMMA)


class Case(NamedTuple):
    name: str
    recipe: Recipe
    smooth: refit.Smooth = refit.squared_hinge()
    task: str = "binary"
    compiled: bool = False
    weighted: bool = False
    rows: int = 9 * GATHERED + 1


def refitted(recipe: Recipe, **options) -> Recipe:
    return recipe.replace(output=Refit(**options))


DEFAULT = refitted(recipes.default(GAUSSIAN, losses.Hinge(), LAM, 20))


def _bsgd(loss, maintenance: str = "smallest", **options) -> Recipe:
    batch = options.pop("batch", 1)
    return refitted(recipes.bsgd(GAUSSIAN, loss, LAM, 12, maintenance, offset=2.0, batch=batch), **options)


CASES = [
    Case("merge hinge", DEFAULT, compiled=True),
    Case("merge hinge weighted", refitted(DEFAULT, lam=0.1), weighted=True, compiled=True),
    Case("merge hinge half-life", refitted(DEFAULT, half_life=70.0), compiled=True),
    Case("merge hinge short half-life", refitted(DEFAULT, half_life=25.0), weighted=True, compiled=True),
    Case("project squared", _bsgd(losses.Squared(), "project"), refit.squared(), "values"),
    Case("project squares half-life", _bsgd(losses.Squared(), "project", half_life=100.0), refit.squared(), "vector"),
    Case("merge three classes", _bsgd(losses.CrammerSinger(), "merge"), task="three"),
    Case("logistic", _bsgd(losses.Logistic()), refit.logistic()),
    Case("logistic half-life", _bsgd(losses.Logistic(), "project", half_life=150.0), refit.logistic(), weighted=True),
    Case("exponential", _bsgd(losses.Exponential(), "oldest"), refit.logistic(2.0)),
    Case("multinomial", _bsgd(losses.Multinomial()), refit.multinomial(), "classes"),
    Case("huber", _bsgd(losses.Huber(0.3)), refit.huber(0.3), "values"),
    Case("huber vector", _bsgd(losses.Huber(0.3), "random", lam=0.05), refit.huber(0.3), "vector"),
    Case("squared hinge", _bsgd(losses.SquaredHinge(), "merge-all")),
    Case("mini-batches", _bsgd(losses.Hinge(), "project-best", batch=8)),
    Case("projectron", refitted(recipes.projectron(GAUSSIAN, 0.5)), weighted=True),
    Case("growing budget", refitted(recipes.olrd(GAUSSIAN, losses.Hinge(), 0.5, budgets.Growing(2.0), 3.0))),
]  # fmt: skip
RUNNABLE = CASES if config.DISABLE_JIT else [case for case in CASES if case.compiled]


def stream(task: str, rows: int, seed: int = 0):
    """Rows, targets as a model takes them, and the number of outputs."""
    if task == "three":
        X, y, _ = catalogue.data("classes", rows, seed)
        return X, np.minimum(y, 2), 3
    return catalogue.data(task, rows, seed)


def begun(recipe: Recipe, task: str = "binary", dtype="float64", seed: int = 0) -> Model:
    X, y, outputs = stream(task, 60)
    return Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype=dtype, seed=seed)


def own(model: Model):
    """The state of the refit."""
    return model.state.output


def bits(model: Model):
    """The state of a model, byte for byte, but for what means nothing between two calls."""
    lasting = [part for name, part in zip(model.state._fields, model.state, strict=True) if name not in PASSING]
    return [a.tobytes() for part in lasting for a in arrays(part)]


def last_iterate(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Support vectors (n, d) and coefficients (n, outputs) of the recipe's own function."""
    ex = model.state.expansion
    n = int(ex.n[0])
    return ex.sv[:, :n].T.astype(np.float64), (ex.coef[:, :n] * ex.scale[0]).T.copy()
