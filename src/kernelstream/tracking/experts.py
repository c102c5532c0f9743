"""The models of a tracker: they differ in the width of the kernel and in their memory."""

from typing import Any, NamedTuple

import numpy as np

from ..budgets import Fixed
from ..core.strategy import Facts
from ..kernels import Gaussian
from ..model import Model
from ..output import RunningRefit
from ..recipe import Recipe

NEVER = 1e15  # half-life of a model that forgets nothing
BUDGET = 600  # support vectors of all models together, by default


class ModelKind(NamedTuple):
    """What distinguishes a model: its γ as a multiple of the rule's, its half-life, its share of the budget, and the
    power of a feature's relevance by which it multiplies the feature."""

    width: float
    half_life: float
    share: float
    power: float


# one that forgets nothing, and two that remember about a thousand rows; a narrower kernel finds finer patterns
KINDS = (ModelKind(1.0, NEVER, 2 / 3, 0.0), ModelKind(1.0, 1000.0, 1 / 6, 0.5), ModelKind(16.0, 1000.0, 1 / 6, 0.75))
# for a width that is given: three memories
MEMORIES = (ModelKind(1.0, NEVER, 2 / 3, 0.0), ModelKind(1.0, 4000.0, 1 / 6, 0.0), ModelKind(1.0, 500.0, 1 / 6, 0.0))


def kinds_of(recipe: Recipe) -> tuple[ModelKind, ...]:
    """The kinds of models for a recipe: of several widths, unless γ is given."""
    return KINDS if isinstance(recipe.kernel.parameters().get("gamma"), str) else MEMORIES


def models_of(recipe: Recipe, X: np.ndarray, y: np.ndarray, outputs: int, dtype: Any, seed: int) -> list[Model]:
    """One model of each kind for a stream that starts with these rows.

    Parameters
    ----------
    recipe : Recipe
        The recipe without forgetting.
    X : array
        The first rows.
    y : array
        Their targets.
    outputs : int
        Outputs of each model.
    dtype : dtype
        Precision of support vectors.
    seed : int
        Random seed.
    """
    facts = Facts(X, y, outputs, np.dtype(dtype))
    own = recipe.replace(output=RunningRefit(), look_ahead=0).forgetting(NEVER).resolve(facts)
    return [new_model(own, kind, X.shape[1], outputs, dtype, seed) for kind in kinds_of(recipe)]


def new_model(own: Any, kind: ModelKind, features: int, outputs: int, dtype: Any, seed: int) -> Model:
    """A model of this kind that has learned nothing; `own` is the composition for the rule's γ and the whole budget."""
    changes = {
        "kernel": Gaussian(own.kernel.gamma * kind.width),
        "budget": Fixed(max(int(kind.share * own.budget.at(1)), 2)),
        "step": own.step.replace(half_life=kind.half_life),
        "output": own.output.forgetting(kind.half_life),
    }
    return Model(own.replace(**changes), features, outputs, dtype, seed)
