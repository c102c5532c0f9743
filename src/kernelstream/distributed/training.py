"""Distributed training on any `Backend`: a survey of the data, then a fit by a sample and sums, or rounds of merges."""

import os
from typing import NamedTuple

from sklearn.base import clone
from sklearn.utils import check_random_state

from ..estimators import KernelClassifier
from .backend import Backend
from .checkpoint import CheckpointedBackend
from .partition_tasks import Estimator
from .rounds import learn_in_rounds
from .sampled_fit import fit_sampled, sample_size
from .survey import Survey, divide, join_surveys, survey

NO_ROWS = "There are no rows to learn from: all partitions are empty."


class DistributedResult(NamedTuple):
    """What `train` returns: the estimator, the number of rows, and bounds on what merging has changed."""

    estimator: Estimator
    rows: int
    bounds: list[float]  #: for each round, on the distance of the merged function from the mean of all partitions'


def train(
    estimator: Estimator, backend: Backend, rounds: int = 2, checkpoint: str | os.PathLike[str] | None = None,
    rows: int | None = None,
) -> DistributedResult:  # fmt: skip
    """Fit the estimator to all partitions: one that refits by a sample of them, with coefficients from all rows, any
    other in rounds of learning and model merging. With a folder `checkpoint`, a run that was interrupted continues
    after the last step that was done.

    Parameters
    ----------
    estimator : KernelClassifier or KernelRegressor
        What to train; it stays as it is.
    backend : Backend
        Where the partitions are, and what runs the tasks.
    rounds : int, default 2
        Rounds of learning and merging, of an estimator without a refit.
    checkpoint : str, path or None, default None
        A folder from which an interrupted run continues.
    rows : int or None, default None
        The number of rows of all partitions, if it is known: the survey then sends fewer of them. It changes no result.
    """
    _check(estimator, backend)
    seed = estimator.random_state
    if checkpoint is not None:
        backend = CheckpointedBackend(backend, checkpoint, estimator, rounds)
        seed = backend.seed
    rng = check_random_state(seed)
    seeds = [int(rng.randint(2**31 - 1)) for _ in range(2)]
    size, labelled = sample_size(estimator.resolve_recipe()), isinstance(estimator, KernelClassifier)
    found: Survey = backend.map_reduce(survey, join_surveys, seeds[0], size, estimator.dtype, labelled, rows)
    if not found.rows:
        raise ValueError(NO_ROWS)
    parts = divide(found, estimator.shuffle)
    learned, bounds = clone(estimator).set_params(adapt=False, random_state=seeds[1]), list[float]()
    if learned.refits:
        fit_sampled(learned, backend, found, parts, seeds[0])
    else:
        learned, bounds = learn_in_rounds(learned, backend, found, parts, seeds[0], rounds)
    if len(parts.held.priority):
        learned.calibrate(*learned.check_rows(parts.held.X, parts.held.y))
    if isinstance(learned, KernelClassifier):
        learned.class_counts_ = found.label_counts
    learned.random_state, learned.adapt = estimator.random_state, estimator.adapt
    return DistributedResult(learned, found.rows, bounds)


def _check(estimator: Estimator, backend: Backend) -> None:
    if not backend.n_partitions:
        raise ValueError(NO_ROWS)
    if estimator.deploy is not None:
        raise ValueError(
            f"deploy={estimator.deploy!r} is for `fit` on one machine, which can choose between models. Give a budget "
            "instead, or a size in bytes as the budget."
        )
    if estimator.half_life is not None:
        raise ValueError(
            f"half_life={estimator.half_life!r} forgets old rows, and rows in partitions have no order in time. "
            "Leave it None, or learn the stream on one machine."
        )
