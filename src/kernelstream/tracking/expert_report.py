"""What the experts of a tracker contribute, and the kernel model that is best alone."""

from typing import NamedTuple

import numpy as np

from ..model import Model
from .experts import NEVER
from .tracker import Tracker

TABLES = ("single features", "pairs, wide cells", "pairs", "pairs, quick")


class Expert(NamedTuple):
    """One of the functions that are mixed."""

    name: str
    weight: float  #: in the mixture; what the gates, which combine all experts, have is not among these
    error: float  #: over about the last thousand rows: share of mistakes, or root mean squared error


class BestModel(NamedTuple):
    """The kernel model with the least error over about the last thousand rows."""

    model: Model
    error: float
    mixed: float  #: error of the mixture
    factor: float  #: by which its scores become logits
    importance: np.ndarray  #: by which it multiplies features


def experts_of(tracker: Tracker) -> list[Expert]:
    """The kernel models, then the tables of cells."""
    mixture = tracker.state.mixture
    errors = recent_errors(tracker)
    weights = mixture.weights[len(mixture.weights) - len(errors) + 1 :]
    names = [_name(model) for model in tracker.models] + [f"cells of {table}" for table in TABLES]
    return [Expert(*each) for each in zip(names, weights.tolist(), errors[:-1].tolist(), strict=True)]


def _name(model: Model) -> str:
    half_life = model.recipe.step.parameters()["half_life"]
    memory = "all rows" if half_life >= NEVER else f"half-life {half_life:,.0f} rows"
    return f"kernel γ = {model.recipe.kernel.parameters()['gamma']:.3g}, {memory}"


def recent_errors(tracker: Tracker) -> np.ndarray:
    """Of every expert, and of the mixture."""
    *errors, rows = tracker.state.mixture.errors
    found: np.ndarray = np.array(errors) / max(rows, 1e-300)
    return found if tracker.width > 1 else np.sqrt(found)


def best_model(tracker: Tracker) -> BestModel:
    errors = recent_errors(tracker)
    losses = tracker.state.mixture.losses[: len(tracker.models)]
    best = int(np.argmin(losses))
    return BestModel(
        tracker.models[best],
        float(errors[best]),
        float(errors[-1]),
        tracker.task.factor(tracker.state.mixture, best),
        tracker.state.importance[best].copy(),
    )
