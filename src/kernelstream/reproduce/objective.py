"""What the algorithms minimise, on a sample of the training rows."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..datasets import Split

SAMPLE = 2_000


def objective(model: Any, given: Mapping[str, Any], data: Split) -> float | None:
    """Mean loss and λ/2 ‖f‖² of a classifier; None for a recipe without λ, or without a norm to show."""
    lam, recipe = given.get("lam"), model.model_.recipe
    if lam is None or data.y_train.dtype.kind == "f":
        return None
    X, y = data.X_train[:SAMPLE], data.y_train[:SAMPLE]
    f = model.model_.scores_many(X)
    labels = np.searchsorted(model.classes_, y)
    targets = labels if recipe.loss.target == "class" else 2 * labels - 1
    return mean_loss(recipe.loss, f, targets) + 0.5 * lam * squared_norm(model)


def squared_norm(model: Any) -> float:
    """‖f‖² = Σ a_j · f(x_j) of the function that predicts; a Gram matrix of all support vectors would not fit."""
    sv, a = model.model_.function
    return float(np.sum(a * model.model_.scores_many(sv)))


def mean_loss(loss: Any, f: np.ndarray, targets: np.ndarray) -> float:
    g = np.empty(f.shape[1])
    rows = targets.reshape(len(targets), -1).astype(np.float64)
    return float(np.mean([loss.gradient(score.astype(np.float64), y, g) for score, y in zip(f, rows, strict=True)]))
