"""What a worker does with one partition. Every task is a pure function, so it can be repeated if a worker is lost.

The arguments are the partition, its index, and those that all partitions share.
"""

import pickle
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.inputs import CHUNK, as_rows, check_finite
from ..estimators import KernelClassifier, KernelRegressor
from ..merging import merge, split
from ..merging.model_merging import normalized_weights
from ..refit.sources import InMemory, Term, add_up
from ..refit.statistics import Statistics
from .backend import Partition, rows_of
from .partition_errors import batches_of, located

Estimator = KernelClassifier | KernelRegressor


class CompressedPickle:
    """An object that is compressed when it is pickled: the unused capacity of a model then costs little to send."""

    def __init__(self, content: Any):
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        return _decompressed, (zlib.compress(pickle.dumps(self.content, pickle.HIGHEST_PROTOCOL), 1),)


def _decompressed(data: bytes) -> CompressedPickle:
    return CompressedPickle(pickle.loads(zlib.decompress(data)))


class Survey(NamedTuple):
    """A partition's size and labels, and a sample of it."""

    rows: int
    labels: np.ndarray | None
    X: Any  #: some rows; None if there are none
    y: Any  #: their targets


class Plan(NamedTuple):
    """What a worker needs to read the rows of a partition."""

    estimator: CompressedPickle  #: initialized, or merged in the previous round
    n_partitions: int
    seed: int
    every: int  #: one row in `every` is held back for validation

    def rows(self, partition: Partition, index: int) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Checked rows, their targets, and whether they are learned (or held back)."""
        estimator, before = self.estimator.content, 0
        for X, y in batches_of(partition, index):
            with located(index, before):
                X, y = estimator.check_rows(X, y)
            yield X, y, (before + np.arange(len(y))) % self.every != self.every - 1
            before += len(y)


class PartialModel(NamedTuple):
    """A model of some partitions, and a bound on its distance from the mean of the models of each of them."""

    estimator: CompressedPickle
    bound: float


def survey(partition: Partition, index: int, sample: int, dtype: str, labelled: bool) -> Survey:
    """Count rows, collect labels and a sample, and check that all values are finite before anything is learned."""
    rows, labels = 0, set[Any]()
    some: tuple[Any, Any] = (None, None)
    for X, y in batches_of(partition, index):
        with located(index, rows):
            check_finite(as_rows(X), dtype)
        if rows == 0:
            step = max(X.shape[0] // sample, 1)
            some = rows_of(X, slice(None, None, step)), rows_of(y, slice(None, None, step))
        rows += X.shape[0]
        if labelled:
            labels.update(np.unique(np.asarray(y)).tolist())
    return Survey(rows, np.array(sorted(labels)) if labelled else None, *some)


def learn(partition: Partition, index: int, plan: Plan, number: int) -> PartialModel:
    """One pass over a partition, starting from the plan's model; rows in memory are shuffled, if the estimator does."""
    rng = np.random.default_rng((plan.seed, number, index))
    own: Estimator = split(plan.estimator.content, plan.n_partitions, index, seed=int(rng.integers(2**63)))
    model = own.model_
    for X, y, learned in plan.rows(partition, index):
        targets, order = own.encode_targets(y), np.flatnonzero(learned)
        order = rng.permutation(order) if own.shuffle else order
        for start in range(0, len(order), CHUNK):
            pick = order[start : start + CHUNK]
            model.learn_many(X[pick], targets[pick])
    return PartialModel(CompressedPickle(own), 0.0)


def merge_parts(parts: Sequence[PartialModel]) -> PartialModel:
    """Merge models, in the order of their partitions."""
    estimators = [part.estimator.content for part in parts]
    weights = normalized_weights(None, [one.record_.examples for one in estimators])
    merged, error = merge(estimators, weights)
    return PartialModel(CompressedPickle(merged), error + float(weights @ [part.bound for part in parts]))


def select_rows(partition: Partition, index: int, plan: Plan, every: int | None) -> list[tuple[Any, np.ndarray]]:
    """The rows held back, with their targets; or, if `every` is given, one in `every` of those that are learned."""
    found = []
    for X, y, learned in plan.rows(partition, index):
        pick = np.flatnonzero(learned)[::every] if every else np.flatnonzero(~learned)
        found.append((X[pick], y[pick]))
    return found


def refit_sums(partition: Partition, index: int, plan: Plan, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
    """A sum of the refit over the learned rows of a partition."""
    estimator = plan.estimator.content
    found = [
        InMemory(X, estimator.encode_targets(y), learned.astype(np.float64)).total(fit, term, a)
        for X, y, learned in plan.rows(partition, index)
    ]
    return add_up(found)


def add_refit_sums(sums: Sequence[list[Any]]) -> list[Any]:
    """Add the sums of partitions, in their order; a partition without rows has none."""
    return add_up([each for each in sums if each])
