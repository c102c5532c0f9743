"""The experts of a tracker: models of one stream that differ in the width of the kernel and in their memory."""

from typing import Any

import numpy as np

from ..core.strategy import Dims, Facts
from ..kernels import Gaussian
from ..model import Model
from ..recipe import Recipe

WIDTHS = (0.25, 1.0, 4.0, 16.0)  # of the first experts, as multiples of the rule's gamma
STEP = 4.0  # between two widths
MEMORIES = (1000.0, 1e15)  # half-lives: the second never forgets
USUAL = 1.0, 1e15  # the expert that is the default recipe itself: it has the whole budget from the start
SMALL = 100  # support vectors of any other expert that has not been the best
_PARTS = ("kernel", "loss", "step", "admission", "maintenance", "bound", "output", "batch")


def small_expert(recipe: Recipe, gamma: float, memory: float, dims: Dims) -> Model:
    """A model of this width and half-life that has learned nothing."""
    own = recipe.replace(kernel=Gaussian(gamma), budget=min(SMALL, recipe.budget.at(1))).forgetting(memory)
    X, y = np.zeros((1, dims.features)), np.zeros((1, 1 if own.loss.target == "class" else dims.outputs))
    return Model.from_recipe(own, X, y, n_outputs=dims.outputs, dtype=dims.dtype, seed=dims.seed)


def experts_of(recipe: Recipe, X: np.ndarray, y: np.ndarray, outputs: int, dtype: Any, seed: int) -> list[Model]:
    """Models of every width and memory for a stream that starts with these rows."""
    kernel: Any = recipe.kernel.resolve(Facts(X, y, outputs, np.dtype(dtype)))
    dims = Dims(1, X.shape[1], outputs, np.dtype(dtype), seed=seed)
    found = []
    for memory in MEMORIES:
        for width in WIDTHS:
            expert = small_expert(recipe, kernel.gamma * width, memory, dims)
            found.append(with_budget(expert, recipe.budget) if (width, memory) == USUAL else expert)
    return found


def kind(expert: Model) -> tuple[float, float]:
    """The width and the half-life of an expert."""
    parts: Any = expert.recipe
    return parts.kernel.gamma, parts.step.half_life


def neighbour(expert: Model, experts: list[Model], recipe: Recipe) -> Model | None:
    """An expert of the next width on either side, or with the other memory, that is not among the experts yet."""
    there, (gamma, memory) = [kind(other) for other in experts], kind(expert)
    wanted = [(gamma * STEP, memory), (gamma / STEP, memory), *((gamma, other) for other in MEMORIES)]
    for width, half_life in wanted:
        if not any(0.5 < width / g < 2.0 and half_life == m for g, m in there):
            return small_expert(recipe, width, half_life, expert.dims)
    return None


def with_budget(expert: Model, budget: Any) -> Model:
    """The expert, going on with this budget."""
    if expert.recipe.budget == budget:
        return expert
    recipe = Recipe(**{name: getattr(expert.recipe, name) for name in _PARTS}, budget=budget)
    return expert.expand(recipe, expert.n_features, np.eye(expert.n_outputs))
