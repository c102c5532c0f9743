"""The refit over rows in many places: the same passes as `fit` makes, each a sum over all of them."""

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model import Model
from ..parallel import one_blas_thread
from ..refit import Refit
from ..refit.passes import Rows
from ..refit.state import Waiting
from ..refit.statistics import Statistics
from . import tasks
from .parcel import Parcel
from .parts import stacked
from .tasks import Estimator, Plan

if TYPE_CHECKING:
    from .rounds import Workers


class Elsewhere:
    """Rows as `kernelstream.refit.data.Places` has them."""

    def __init__(self, workers: "Workers", plan: Plan, estimator: Estimator, rows: int):
        self.workers, self.plan, self.estimator, self.mass = workers, plan, estimator, float(rows)

    def total(self, fit: Statistics, term: Any, a: np.ndarray) -> list[Any]:
        found: list[Any] = self.workers.joined(tasks.total, tasks.add_totals, self.plan, _light(fit), term, a)
        return found

    def sample(self, size: int) -> tuple[Any, np.ndarray, np.ndarray]:
        every = max(1, int(self.mass) // max(size, 1))
        pairs = [pair for each in self.workers.each(tasks.chosen, self.plan, every) for pair in each]
        X, y = (stacked([pair[i] for pair in pairs]) for i in range(2))
        return X, tasks.targets(self.estimator, y), np.ones(len(y))


def refit(estimator: Estimator, plan: Plan, workers: "Workers", rows: int, X: Any, y: np.ndarray) -> None:
    """Refit a merged model with all rows; X and y were held back, and judge."""
    model = estimator.model_
    stage = model.recipe.average
    assert isinstance(stage, Refit)
    held = Rows(X, tasks.targets(estimator, y), np.ones(len(y)))
    light = plan._replace(estimator=Parcel(_without_function(estimator)))
    elsewhere = Elsewhere(workers, light, estimator, rows)
    with one_blas_thread:
        stage.finish_in_places(model.recipe, model._state, elsewhere, held)


def _without_function(estimator: Estimator) -> Estimator:
    """What rows are checked and targets translated with, and no more: it goes out with every pass."""
    light, model = copy.copy(estimator), estimator.model_
    light.model_ = Model(model.recipe, model.n_features, model.n_outputs, model.dtype)
    return light


def _light(fit: Statistics) -> Statistics:
    """The support vectors as they are now, without the statistics."""
    own, none = fit.own, np.zeros((0, 0))
    waiting = Waiting(*(part[:0] for part in own.waiting))
    now = own._replace(waiting=waiting, sv=own.sv.copy(), sq=own.sq.copy(), coef=own.coef.copy(), H=none, b=none)
    return Statistics(now, fit.kernel, fit.smooth, fit.lam)
