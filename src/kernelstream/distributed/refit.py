"""The refit over rows on many workers: the same passes as `fit` makes, each a sum over all of them."""

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model import Model
from ..refit.sources import Rows, Term
from ..refit.statistics import Statistics
from . import tasks
from .parcel import Parcel
from .parts import stacked
from .tasks import Estimator, Plan

if TYPE_CHECKING:
    from .rounds import Workers


class OnWorkers:
    """Rows on workers, as `kernelstream.refit.sources.RowSource` has them."""

    def __init__(self, workers: "Workers", plan: Plan, estimator: Estimator, rows: int):
        self.workers, self.plan, self.estimator, self.mass = workers, plan, estimator, float(rows)

    def total(self, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
        found: list[Any] = self.workers.joined(tasks.total, tasks.add_totals, self.plan, fit.dictionary(), term, a)
        return found

    def sample(self, size: int) -> Rows:
        every = max(1, int(self.mass) // max(size, 1))
        pairs = [pair for each in self.workers.each(tasks.chosen, self.plan, every) for pair in each]
        X, y = (stacked([pair[i] for pair in pairs]) for i in range(2))
        return Rows(X, self.estimator.encode_targets(y), np.ones(len(y)))


def refit(estimator: Estimator, plan: Plan, workers: "Workers", rows: int, X: Any, y: np.ndarray) -> None:
    """Refit a merged model with all rows; X and y were held back, and judge."""
    held = Rows(X, estimator.encode_targets(y), np.ones(len(y)))
    light = plan._replace(estimator=Parcel(_without_function(estimator)))
    estimator.model_.refit_from(OnWorkers(workers, light, estimator, rows), held)


def _without_function(estimator: Estimator) -> Estimator:
    """What rows are checked and targets translated with, and no more: it goes out with every pass."""
    light, model = copy.copy(estimator), estimator.model_
    light.model_ = Model(model.recipe, model.n_features, model.n_outputs, model.dtype)
    return light
