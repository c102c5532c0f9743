"""The kernel model behind an estimator, with the units of its rows and targets: what can be exported."""

from typing import Any, NamedTuple

import numpy as np

from ..core.warning import warn_caller
from ..estimators import KernelRegressor, model_of
from ..model import Model
from ..tracking import AdaptiveModel
from ..tracking.expert_report import BestModel, best_model
from ..tracking.running_scale import FARTHEST
from ..tuning import FeatureMap


class KernelModel(NamedTuple):
    """A single model; it takes rows `columns.transform(X)`, and its scores times `scale`, plus `mean`, are targets."""

    model: Model
    columns: FeatureMap
    mean: np.ndarray  # (outputs,)
    scale: np.ndarray  # (outputs,)
    best: BestModel | None = None  # if it is one of several
    limit: np.ndarray | None = None  # (d,) columns are clipped to ± this before the model takes them

    @classmethod
    def of(cls, estimator: Any) -> "KernelModel":
        """Of an estimator or a model. Of a mixture, it is the kernel model with the least recent loss; a warning says
        how much that loses."""
        inner = model_of(estimator)
        if isinstance(inner, AdaptiveModel):
            return _best(inner)
        mean, scale = np.zeros(inner.n_outputs), np.ones(inner.n_outputs)
        if isinstance(estimator, KernelRegressor):
            mean, scale = estimator.target_mean_.astype(np.float64), estimator.target_scale_
        columns = getattr(estimator, "feature_map_", None)
        if columns is None:
            columns = FeatureMap(np.zeros(inner.n_features), np.ones(inner.n_features))
        return cls(inner, columns, mean, scale)


def _best(inner: AdaptiveModel) -> KernelModel:
    if inner.stream is None:
        raise ValueError(f"The model has learned {inner.rows} rows only, and cannot be exported yet.")
    units, features = inner.stream.units, inner.stream.tracker.n_features
    best = best_model(inner.stream.tracker)
    rate = "root mean squared errors are" if inner.recipe.loss.target == "values" else "error rates are"
    warn_caller(
        "The stream was learned by a mixture of models and tables, which cannot be exported: this is the best of its "
        f"kernel models. Over about the last thousand rows their {rate} {best.mixed:.3g} and {best.error:.3g}. Train "
        "with adapt=False (--no-adapt) for a single model with the whole budget."
    )
    shift = np.zeros(features) if units is None else units.centre.copy()
    factor = best.importance if units is None else units.factors * best.importance
    mean, scale = inner.stream.tracker.units
    outputs = best.model.n_outputs
    limit = None if units is None else FARTHEST * best.importance
    columns = FeatureMap(shift, factor)
    return KernelModel(best.model, columns, np.full(outputs, mean), np.full(outputs, scale), best, limit)
