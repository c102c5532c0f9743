"""Distributed training on any `Backend`: a survey of the data, rounds of learning and model merging, the refit."""

import copy
import os
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from ..estimators import KernelClassifier
from ..estimators.epochs import HELD, MOST_HELD
from ..estimators.fitted import single_model_of
from ..model import Model
from ..refit.sources import Rows, Term
from ..refit.statistics import Statistics
from . import partition_tasks as tasks
from .backend import Backend, stacked
from .checkpoint import CheckpointedBackend
from .partition_tasks import CompressedPickle, Estimator, PartialModel, Plan, Survey

SAMPLE = 8192  # rows that determine γ and the scale of targets


class DistributedResult(NamedTuple):
    """What `train` returns: the estimator, the number of rows, and bounds on what merging has changed."""

    estimator: Estimator
    rows: int
    bounds: list[float]  #: for each round, on the distance of the merged function from the mean of all partitions'


def train(
    estimator: Estimator, backend: Backend, rounds: int, checkpoint: str | os.PathLike[str] | None = None
) -> DistributedResult:
    """Learn all partitions from the current model and merge the results, `rounds` times; then refit, if the recipe
    has a refit. With a folder `checkpoint`, a run that was interrupted continues after the last step that was done.

    Parameters
    ----------
    estimator : KernelClassifier or KernelRegressor
        What to train; it stays as it is.
    backend : Backend
        Where the partitions are, and what runs the tasks.
    rounds : int
        Rounds of learning and merging.
    checkpoint : str, path or None, default None
        A folder from which an interrupted run continues.
    """
    seed = estimator.random_state
    if checkpoint is not None:
        backend = CheckpointedBackend(backend, checkpoint, estimator, rounds)
        seed = backend.seed
    rng = check_random_state(seed)
    labelled = isinstance(estimator, KernelClassifier)
    sample = max(SAMPLE // max(backend.n_partitions, 1), 1)
    surveys: list[Survey] = backend.map(tasks.survey, sample, estimator.dtype, labelled)
    rows = sum(each.rows for each in surveys)
    some = [each for each in surveys if each.rows]
    if not some:
        raise ValueError("There are no rows to learn from: all partitions are empty.")
    classes = None if some[0].labels is None else np.unique(np.concatenate([each.labels for each in some]))
    begun = clone(estimator).set_params(adapt=False, random_state=int(rng.randint(2**31 - 1)))
    given = {} if classes is None else {"classes": classes}
    begun.initialize(
        stacked([each.X for each in some]), stacked([each.y for each in some]), total=rows * rounds, **given
    )
    seed = int(rng.randint(2**31 - 1))
    plan = Plan(CompressedPickle(begun), backend.n_partitions, seed, max(HELD, rows // MOST_HELD))
    bounds = []
    for number in range(rounds):
        merged: PartialModel = backend.map_reduce(tasks.learn, tasks.merge_parts, plan, number)
        plan = plan._replace(estimator=merged.estimator)
        bounds.append(merged.bound)
    found: Estimator = plan.estimator.content
    X, y = _selected(backend, plan, None)
    if single_model_of(found, "refit").recipe.output.refits:
        refit(found, plan, backend, rows - len(y), X, y)
    found.calibrate(X, y)
    found.n_iter_, found.random_state, found.adapt = rounds, estimator.random_state, estimator.adapt
    return DistributedResult(found, rows, bounds)


def _selected(backend: Backend, plan: Plan, every: int | None) -> tuple[Any, Any]:
    """Rows of all partitions, and their targets: see `partition_tasks.select_rows`."""
    pairs = [pair for each in backend.map(tasks.select_rows, plan, every) for pair in each]
    return stacked([X for X, _ in pairs]), stacked([y for _, y in pairs])


class DistributedRows:
    """The learned rows of all partitions, as a `kernelstream.refit.sources.RowSource`: each pass of the refit is a sum
    over partitions."""

    def __init__(self, backend: Backend, plan: Plan, estimator: Estimator, rows: int):
        self.backend, self.plan, self.estimator, self.mass = backend, plan, estimator, float(rows)

    def total(self, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
        found: list[Any] = self.backend.map_reduce(
            tasks.refit_sums, tasks.add_refit_sums, self.plan, fit.dictionary(), term, a
        )
        return found

    def sample(self, size: int) -> Rows:
        X, y = _selected(self.backend, self.plan, max(1, int(self.mass) // max(size, 1)))
        return Rows(X, self.estimator.encode_targets(y), np.ones(len(y)))


def refit(estimator: Estimator, plan: Plan, backend: Backend, rows: int, X: Any, y: np.ndarray) -> None:
    """Refit a merged model to the learned rows of all partitions; X and y are held back, and judge the result."""
    held = Rows(X, estimator.encode_targets(y), np.ones(len(y)))
    light = plan._replace(estimator=CompressedPickle(_without_function(estimator)))
    single_model_of(estimator, "refit").refit_from(DistributedRows(backend, light, estimator, rows), held)


def _without_function(estimator: Estimator) -> Estimator:
    """Only what is needed to check rows and encode targets: it is sent with every pass."""
    light, model = copy.copy(estimator), single_model_of(estimator, "refit")
    light.model_ = Model(model.recipe, model.n_features, model.n_outputs, model.dtype)
    return light
