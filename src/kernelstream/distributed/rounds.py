"""Rounds of learning and model merging, for estimators without a refit.

In every round each partition is learned by a copy of the model, and a tree of merges makes one model of the copies,
which starts the next round.
"""

from ..estimators import KernelClassifier
from . import partition_tasks as tasks
from .backend import Backend
from .partition_tasks import CompressedPickle, Estimator, PartialModel, Plan
from .survey import Division, Survey


def learn_in_rounds(
    estimator: Estimator, backend: Backend, found: Survey, parts: Division, seed: int, rounds: int
) -> tuple[Estimator, list[float]]:
    """Learn all partitions from the current model and merge the results, `rounds` times. For each round also a bound on
    the distance of the merged function from the mean of all partitions'."""
    given = {} if found.counts is None else {"classes": sorted(found.counts)}
    estimator.initialize(parts.learned.X, parts.learned.y, total=found.rows * rounds, **given)
    if isinstance(estimator, KernelClassifier):
        estimator.class_counts_ = found.label_counts
    plan, bounds = Plan(CompressedPickle(estimator), backend.n_partitions, seed, parts.threshold), []
    for number in range(rounds):
        merged: PartialModel = backend.map_reduce(tasks.learn, tasks.merge_parts, plan, number)
        plan = plan._replace(estimator=merged.estimator)
        bounds.append(merged.bound)
    learned: Estimator = plan.estimator.content
    learned.n_iter_ = rounds
    return learned, bounds
