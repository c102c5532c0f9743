"""What `fit` chooses by itself, if nothing is said about kernel and width: see `kernelstream.tuning`."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from ..budgets import Fixed, Memory
from ..kernels import Gaussian
from ..model import Model
from ..model.targets import check_targets
from ..recipe import Recipe
from ..tuning import Tuned, choose
from ..tuning.choice import LEAST, WIDEST, searched_rows
from ..tuning.losses_of_task import TunedTask
from .copies import without_copies
from .epochs import automatic_epochs

PASSES = 3  # at most, over the rows of the search, to find the support vectors of a candidate,
MOST = 500  # and support vectors: scales that are better with these are so with more


def chosen_for(
    recipe: Recipe, X: Any, targets: np.ndarray, weights: np.ndarray, outputs: int, dtype: Any, seed: int,
    lam: float | None, ranks: bool = True, total: int | None = None,
) -> Tuned | None:  # fmt: skip
    """The choice for these rows; None if they are too few, too wide or sparse, or the loss cannot be refitted. `total`
    is how many rows are fitted, if these are a sample."""
    task = TunedTask(recipe.loss.target != "values")
    counted = np.flatnonzero(weights)
    if issparse(X) or recipe.loss.smooth() is None or len(counted) < LEAST or X.shape[1] > WIDEST:
        return None
    rows = X if len(counted) == len(weights) else X[counted]
    if not (rows != rows[0]).any():
        return None  # all rows are alike
    Y = check_targets(targets, recipe.loss, outputs)
    unique = without_copies(rows, Y[counted], seed)
    if LEAST <= len(unique) < len(rows):
        counted = counted[unique]
        rows, total = X[counted], total or len(rows)
    searched = recipe.replace(kernel=Gaussian(1.0))
    if isinstance(recipe.budget, Fixed):
        searched = searched.replace(budget=min(recipe.budget.size, MOST))

    def find(columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The support vectors that the recipe finds; it is compiled already, or will be for the fit."""
        own, passes = Y[counted[rows]], min(automatic_epochs(len(rows)), PASSES)
        model = Model.from_recipe(
            searched, columns, own, n_outputs=outputs, total=passes * len(rows), dtype=dtype, seed=seed
        )
        order = np.random.default_rng(seed)
        for _ in range(passes):
            some = order.permutation(len(rows))
            model.learn_many(columns[some], own[some])
        return model.state.expansion.sv[:, : model.n_support].T

    T = _signs(Y[counted], outputs) if recipe.loss.target == "class" else Y[counted]
    found = choose(task, rows, T, find, np.random.default_rng(seed), lam, ranks)
    if isinstance(recipe.budget, Memory) and found.map is not None and found.map.ranks:
        # rank columns take the room of support vectors
        plain = choose(task, rows, T, find, np.random.default_rng(seed), lam, ranks=False)
        found = plain if plain.loss < found.loss else found
    if lam is not None:
        return found
    # λ is chosen for as many rows as are searched and judge; more rows need less regularisation, in proportion
    return found._replace(lam=found.lam * min(1.0, 2 * searched_rows(X.shape[1]) / (total or len(rows))))


def _signs(Y: np.ndarray, outputs: int) -> np.ndarray:
    """Indices of classes as one sign per class."""
    found: np.ndarray = np.where(np.arange(outputs) == Y, 1.0, -1.0)
    return found
