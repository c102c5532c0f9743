"""An exported function on held-out rows: its losses, its mistakes and its score."""

import copy
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import r2_score

from ..losses.smooth import Hubers, Smooth, SquaredHinges
from ..model import Model
from ..model.targets import check_targets


class Judged(NamedTuple):
    """An exported function on held-out rows, with their weights."""

    losses: np.ndarray
    wrong: np.ndarray  # mistakes; in regression, losses
    score: float | None


def with_model(estimator: Any, model: Model) -> Any:
    """A copy of the estimator with another model."""
    found = copy.copy(estimator)
    found.model_ = model
    return found


def judge(estimator: Any, model: Model, exported: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Judged:
    """By what the exported function says of rows, in the units of the targets."""
    loss, outputs = model.recipe.loss, model.n_outputs
    values = loss.target == "values"
    smooth: Smooth = loss.smooth() or (Hubers() if values else SquaredHinges())
    F = estimator._translate(exported, loss) if values else exported
    T = smooth.targets(check_targets(estimator._translate(y, loss), loss, outputs), outputs)
    wrong, score = weights * smooth.wrong(F, T), None
    if values and (weights > 0.0).sum() > 1:
        score = float(r2_score(y, exported, sample_weight=weights))
    elif not values and weights.any():
        score = float(1.0 - wrong.sum() / weights.sum())
    return Judged(weights * smooth.loss(F, T)[0], wrong, score)
