"""Rounds of learning and model merging on a second backend, which needs no cluster."""

import re
from pathlib import Path

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.distributed import InMemoryPartition, train
from kernelstream.distributed import partition_tasks as tasks
from kernelstream.distributed.partition_tasks import CompressedPickle
from kernelstream.distributed.rounds import refit
from tests.distributed import SIZES, X_TEST, Y_TEST, SequentialBackend, X, Y, classifier


def partitions(y=Y, sizes=SIZES):
    cuts = np.cumsum(sizes)[:-1]
    return [InMemoryPartition(*pair) for pair in zip(np.split(X, cuts), np.split(y, cuts), strict=True)]


def test_the_backend_in_the_documentation():
    """It is one class, and gives the same model as the one here, which test_dask.py compares with Dask's."""
    text = (Path(__file__).parents[2] / "docs" / "distributed.md").read_text()
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class Sequential" in block]
    names = {"X": X, "y": Y, "KernelClassifier": KernelClassifier}
    exec(code, names)
    same = SequentialBackend([InMemoryPartition(X[i::4], Y[i::4]) for i in range(4)], fan_in=8)
    expected = train(KernelClassifier(gamma=4.0, budget=50, random_state=0), same, rounds=2).estimator
    np.testing.assert_array_equal(names["estimator"].decision_function(X), expected.decision_function(X))
    assert names["estimator"].score(X_TEST, Y_TEST) > 0.9


def test_four_partitions_are_as_good_as_one_machine():
    found = train(classifier(), SequentialBackend(partitions()), rounds=3)
    one = classifier(epochs=3).fit(X, Y)
    assert found.estimator.score(X_TEST, Y_TEST) > one.score(X_TEST, Y_TEST) - 0.03
    assert found.rows == 3000 and len(found.bounds) == 3 and found.estimator.n_iter_ == 3
    held = sum(size // 20 for size in SIZES)
    assert found.estimator.record_.examples == 3 * (3000 - held)
    assert len(found.estimator.calibration_.index) == held
    assert found.estimator.model_.state.output.solved[0] == 1  # the refit has been made


def test_bounds_hold():
    """In the first round the mean of all partitions' models is known: the tree of merges is within the bound of it."""
    parts = partitions()
    begun = classifier().initialize(X, Y, total=9000)
    plan = tasks.Plan(CompressedPickle(begun), 4, seed=3, every=20)
    backend = SequentialBackend(parts)
    apart = [node.estimator.content for node in backend.map(tasks.learn, plan, 0)]
    root = backend.map_reduce(tasks.learn, tasks.merge_parts, plan, 0)
    weights = np.array([one.record_.examples for one in apart], float)
    mean = np.average([one.decision_function(X) for one in apart], axis=0, weights=weights)
    error = np.abs(root.estimator.content.decision_function(X) - mean).max()  # κ(x, x) = 1
    assert 0.0 < error <= root.bound * (1.0 + 1e-4)


def test_the_refit_does_not_see_where_rows_are():
    found = train(classifier(), SequentialBackend(partitions()), rounds=1).estimator
    results = []
    for sizes in ((3000,), SIZES):
        own = found.__class__(**found.get_params(deep=False))
        vars(own).update(vars(found), model_=found.model_.copy())
        plan = tasks.Plan(CompressedPickle(own), len(sizes), seed=0, every=10**9)
        refit(own, plan, SequentialBackend(partitions(sizes=sizes)), 3000, X[:0], Y[:0])
        results.append(own.decision_function(X_TEST))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-3, atol=1e-4)  # sums of float32 in another order


def test_regression_and_empty_partitions():
    target = 5.0 + 2.0 * np.sin(X[:, 0] * 3.0)
    parts = [*partitions(target), InMemoryPartition(X[:0], target[:0])]
    found = train(KernelRegressor(gamma=2.0, budget=40, random_state=0), SequentialBackend(parts, 8), rounds=2)
    assert found.estimator.score(X, target) > 0.98
    with pytest.raises(ValueError, match="all partitions are empty"):
        train(KernelRegressor(), SequentialBackend(parts[-1:]), rounds=1)


def test_a_bad_row_is_named_with_its_partition():
    bad = X.copy()
    bad[1500, 1] = np.nan
    cut = [InMemoryPartition(bad[:1000], Y[:1000]), InMemoryPartition(bad[1000:], Y[1000:])]
    with pytest.raises(ValueError, match=r"In partition 1: .* NaN at row 500, column 1\."):
        train(classifier(), SequentialBackend(cut), rounds=1)
