"""What a worker does with one partition. Every task is a pure function, so it can be repeated if a worker is lost.

The arguments are the partition, its index, and those that all partitions share.
"""

import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.inputs import CHUNK
from ..estimators import KernelClassifier, KernelRegressor
from ..merging import merge, split
from ..merging.model_merging import normalized_weights
from ..refit.sources import InMemory, Rows, Term, add_up
from ..refit.statistics import Statistics
from .backend import Partition
from .partition_errors import located
from .survey import batches_with_priorities

Estimator = KernelClassifier | KernelRegressor


class CompressedPickle:
    """An object that is compressed when it is pickled: the unused capacity of a model then costs little to send."""

    def __init__(self, content: Any):
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        return _decompressed, (zlib.compress(pickle.dumps(self.content, pickle.HIGHEST_PROTOCOL), 1),)


def _decompressed(data: bytes) -> CompressedPickle:
    return CompressedPickle(pickle.loads(zlib.decompress(data)))


class Plan(NamedTuple):
    """What a worker needs to read the rows of a partition."""

    estimator: CompressedPickle  #: with a model, which may be empty
    n_partitions: int
    seed: int
    threshold: float  #: rows with a priority of at most this are held out

    def rows(self, partition: Partition, index: int) -> Iterator[tuple[Rows, np.ndarray]]:
        """Rows as the model takes them, and whether they are learned (or held out)."""
        for X, y, before, priority in batches_with_priorities(partition, index, self.seed):
            with located(index, before):
                rows = Rows(*self.estimator.content.model_rows(X, y))
            yield rows, priority > self.threshold


class PartialModel(NamedTuple):
    """A model of some partitions, and a bound on its distance from the mean of the models of each of them."""

    estimator: CompressedPickle
    bound: float


def learn(partition: Partition, index: int, plan: Plan, number: int) -> PartialModel:
    """One pass over a partition, starting from the plan's model; rows in memory are shuffled, if the estimator does."""
    rng = np.random.default_rng((plan.seed, number, index))
    own: Estimator = split(plan.estimator.content, plan.n_partitions, index, seed=int(rng.integers(2**63)))
    for rows, learned in plan.rows(partition, index):
        order = np.flatnonzero(learned)
        order = rng.permutation(order) if own.shuffle else order
        for start in range(0, len(order), CHUNK):
            pick = order[start : start + CHUNK]
            own.model_.learn_many(rows.X[pick], rows.Y[pick], rows.weight[pick])
    return PartialModel(CompressedPickle(own), 0.0)


def merge_parts(parts: Sequence[PartialModel]) -> PartialModel:
    """Merge models, in the order of their partitions."""
    estimators = [part.estimator.content for part in parts]
    weights = normalized_weights(None, [one.record_.examples for one in estimators])
    merged, error = merge(estimators, weights)
    return PartialModel(CompressedPickle(merged), error + float(weights @ [part.bound for part in parts]))


def prepare(partition: Partition, index: int, plan: Plan) -> list[Rows]:
    """The rows of a partition as the refit takes them, to be kept from pass to pass; rows held out weigh nothing."""
    return list(_prepared(partition, index, plan))


def kept_sums(partition: list[Rows], index: int, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
    """A sum of the refit over the rows that `prepare` has prepared."""
    return _sums(partition, fit, term, a)


def refit_sums(partition: Partition, index: int, plan: Plan, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
    """The same over a partition that is read again."""
    return _sums(_prepared(partition, index, plan), fit, term, a)


def add_refit_sums(sums: Sequence[list[Any]]) -> list[Any]:
    """Add the sums of partitions, in their order; a partition without rows has none."""
    return add_up([each for each in sums if each])


def _prepared(partition: Partition, index: int, plan: Plan) -> Iterator[Rows]:
    dtype = plan.estimator.content.dtype
    for rows, learned in plan.rows(partition, index):
        yield Rows(rows.X.astype(dtype, copy=False), rows.Y, rows.weight * learned)


def _sums(batches: Iterable[Rows], fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
    return add_up([InMemory(*rows).total(fit, term, a) for rows in batches])
