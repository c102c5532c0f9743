"""Distributed `fit` of an estimator that refits: support vectors from a sample, coefficients from all rows.

The sample is fitted where the client is, as `fit` would do it: width, scales of features and support vectors. What
takes time, the passes of the refit, are sums over all partitions.
"""

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from ..budgets import Fixed
from ..estimators import KernelClassifier
from ..model import Model
from ..recipe import Recipe
from ..refit.sources import InMemory, Rows, Term
from ..refit.statistics import Statistics
from . import partition_tasks as tasks
from .backend import Backend
from .partition_tasks import CompressedPickle, Estimator, Plan
from .survey import Division, Survey

PER_VECTOR, LEAST = 100, 20_000  # rows of the sample per support vector, and at least
CURVED = 20  # of them, per support vector, to estimate curvature from: a pass over all rows costs more
USUAL = 500  # support vectors, where the budget is no number


def sample_size(recipe: Recipe) -> int:
    """How many rows the support vectors are learned from."""
    return max(PER_VECTOR * (recipe.budget.size if isinstance(recipe.budget, Fixed) else USUAL), LEAST)


def fit_sampled(estimator: Estimator, backend: Backend, found: Survey, parts: Division, seed: int) -> None:
    """Fit the estimator to the sample, and its coefficients to the learned rows of all partitions."""

    def begin(own: Estimator, model: Model) -> Callable[[], None]:
        light = _without_function(own, model, found)
        plan = Plan(CompressedPickle(light), backend.n_partitions, seed, parts.threshold)
        sample = Rows(*light.model_rows(parts.learned.X, parts.learned.y))
        held = Rows(*(part[:0] for part in sample))
        if len(parts.held.priority):
            held = Rows(*light.model_rows(parts.held.X, parts.held.y))
        mass = float(light.row_weights(found.labels) @ found.label_counts) - float(held.weight.sum())
        rows = DistributedRows(backend, plan, sample, mass, found.rows)  # prepared while the sample is learned
        return partial(_refit, model, rows, sample, held)

    estimator.fit_sample(parts.learned.X, parts.learned.y, found.rows, begin)


def _refit(model: Model, rows: "DistributedRows", sample: Rows, held: Rows) -> None:
    if model.recipe.output.parameters().get("move_passes", 0):
        # positions converge slowly, so most of their passes are made over the sample
        model.refit_from(InMemory(*sample), held)
        model.adopt(model.function)
    rows.least = CURVED * model.n_support
    model.refit_from(rows, held)


class DistributedRows:
    """The learned rows of all partitions, as a `kernelstream.refit.sources.RowSource`: each pass of the refit is a sum
    over partitions. These are prepared once, if that fits into the memory of the cluster."""

    def __init__(self, backend: Backend, plan: Plan, sample: Rows, mass: float, rows: int):
        self.backend, self.plan, self.sampled, self.mass, self.rows, self.least = backend, plan, sample, mass, rows, 1
        self.kept = backend.keep(_nbytes(sample) * rows // max(len(sample.Y), 1), tasks.prepare, plan)

    def total(self, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
        small = fit.dictionary()
        found: list[Any]
        if self.kept is not None:
            found = self.kept.map_reduce(tasks.kept_sums, tasks.add_refit_sums, small, term, a)
        else:
            found = self.backend.map_reduce(tasks.refit_sums, tasks.add_refit_sums, self.plan, small, term, a)
        return found

    def begin(self, fit: Statistics, term: Term, a: np.ndarray) -> Callable[[], list[Any]]:
        waiting = ThreadPoolExecutor(1)  # a thread that waits for the backend, whatever backend it is
        try:
            return waiting.submit(self.total, fit, term, a).result
        finally:
            waiting.shutdown(wait=False)

    def sample(self, size: int) -> Rows:
        step = max(1, len(self.sampled.Y) // max(size, self.least))
        return Rows(*(part[::step] for part in self.sampled))


def _without_function(estimator: Estimator, model: Model, found: Survey) -> Estimator:
    """Only what is needed to check rows, map them and encode targets: it is sent to all workers."""
    light = copy.copy(estimator)
    light.model_ = Model(model.recipe, model.n_features, model.n_outputs, model.dtype)
    if isinstance(light, KernelClassifier):
        light.class_counts_ = found.label_counts
    return light


def _nbytes(rows: Rows) -> int:
    sparse = getattr(rows.X, "indices", np.zeros(0)).nbytes
    return int(rows.X.data.nbytes + sparse + rows.Y.nbytes + rows.weight.nbytes)
