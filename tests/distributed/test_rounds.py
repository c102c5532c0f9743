"""Rounds of learning and model merging on a second backend, which needs no cluster."""

import numpy as np

from kernelstream.distributed import partition_tasks as tasks
from kernelstream.distributed import train
from kernelstream.distributed.partition_tasks import CompressedPickle
from tests.distributed import X_TEST, Y_TEST, SequentialBackend, X, Y, partitions, plain


def test_four_partitions_are_as_good_as_one_machine():
    found = train(plain(), SequentialBackend(partitions()), rounds=3)
    one = plain(epochs=3).fit(X, Y)
    assert found.estimator.score(X_TEST, Y_TEST) > one.score(X_TEST, Y_TEST) - 0.03
    assert found.rows == 3000 and len(found.bounds) == 3 and found.estimator.n_iter_ == 3
    assert found.estimator.record_.examples == 3 * (3000 - 150)
    assert len(found.estimator.calibration_.index) == 150
    assert found.estimator.class_counts_.tolist() == [np.sum(Y < 0), np.sum(Y > 0)]


def test_bounds_hold():
    """In the first round the mean of all partitions' models is known: the tree of merges is within the bound of it."""
    begun = plain().initialize(X, Y, total=9000)
    begun.class_counts_ = np.array([1.0, 1.0])
    plan = tasks.Plan(CompressedPickle(begun), 4, seed=3, threshold=0.05)
    backend = SequentialBackend(partitions())
    apart = [node.estimator.content for node in backend.map(tasks.learn, plan, 0)]
    root = backend.map_reduce(tasks.learn, tasks.merge_parts, plan, 0)
    weights = np.array([one.record_.examples for one in apart], float)
    mean = np.average([one.decision_function(X) for one in apart], axis=0, weights=weights)
    error = np.abs(root.estimator.content.decision_function(X) - mean).max()  # κ(x, x) = 1
    assert 0.0 < error <= root.bound * (1.0 + 1e-4)
