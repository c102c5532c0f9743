"""Rounds of learning and merging, without a cluster: parts in turn."""

import numpy as np
import pytest

from kernelstream import KernelRegressor
from kernelstream.distributed import tasks
from kernelstream.distributed.parcel import Parcel
from kernelstream.distributed.parts import Block
from kernelstream.distributed.refit import refit
from kernelstream.distributed.rounds import train
from tests.distributed import SIZES, X_TEST, Y_TEST, InTurn, X, Y, classifier


def blocks(y=Y, sizes=SIZES):
    cuts = np.cumsum(sizes)[:-1]
    return [Block(*pair) for pair in zip(np.split(X, cuts), np.split(y, cuts), strict=True)]


def test_four_parts_are_as_good_as_one_machine():
    found = train(classifier(), InTurn(blocks()), rounds=3)
    one = classifier(epochs=3).fit(X, Y)
    assert found.estimator.score(X_TEST, Y_TEST) > one.score(X_TEST, Y_TEST) - 0.03
    assert found.rows == 3000 and len(found.bounds) == 3 and found.estimator.n_iter_ == 3
    held = sum(size // 20 for size in SIZES)
    assert found.estimator.record_.examples == 3 * (3000 - held)
    assert len(found.estimator.calibration_.index) == held
    assert found.estimator.model_.state.output.solved[0] == 1  # the refit has been made


def test_bounds_hold():
    """Of the first round: the mean of what all parts learn is known, and the tree of merges strays no further."""
    parts = blocks()
    begun = classifier().initialize(X, Y, total=9000)
    plan = tasks.Plan(Parcel(begun), 4, seed=3, every=20)
    workers = InTurn(parts)
    apart = [node.estimator.content for node in workers.each(tasks.learn, plan, 0)]
    root = workers.joined(tasks.learn, tasks.join, plan, 0)
    weights = np.array([one.record_.examples for one in apart], float)
    mean = np.average([one.decision_function(X) for one in apart], axis=0, weights=weights)
    error = np.abs(root.estimator.content.decision_function(X) - mean).max()  # κ(x, x) = 1
    assert 0.0 < error <= root.bound * (1.0 + 1e-4)


def test_the_refit_does_not_see_where_rows_are():
    found = train(classifier(), InTurn(blocks()), rounds=1).estimator
    results = []
    for sizes in ((3000,), SIZES):
        own = found.__class__(**found.get_params(deep=False))
        vars(own).update(vars(found), model_=found.model_.copy())
        plan = tasks.Plan(Parcel(own), len(sizes), seed=0, every=10**9)
        refit(own, plan, InTurn(blocks(sizes=sizes)), 3000, X[:0], Y[:0])
        results.append(own.decision_function(X_TEST))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-3, atol=1e-4)  # sums of float32 in another order


def test_numbers_and_empty_parts():
    target = 5.0 + 2.0 * np.sin(X[:, 0] * 3.0)
    parts = [*blocks(target), Block(X[:0], target[:0])]
    found = train(KernelRegressor(gamma=2.0, budget=40, random_state=0), InTurn(parts, 8), rounds=2)
    assert found.estimator.score(X, target) > 0.98
    with pytest.raises(ValueError, match="all partitions are empty"):
        train(KernelRegressor(), InTurn(parts[-1:]), rounds=1)


def test_a_bad_row_is_named_with_its_partition():
    bad = X.copy()
    bad[1500, 1] = np.nan
    cut = [Block(bad[:1000], Y[:1000]), Block(bad[1000:], Y[1000:])]
    with pytest.raises(ValueError, match=r"In partition 1: .* NaN at row 500, column 1\."):
        train(classifier(), InTurn(cut), rounds=1)
