"""A tracker follows the best of its experts, and can be interrupted, widened and rescaled like a model."""

import copy
import math
import pickle

import numpy as np
import pytest

from kernelstream import recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge
from kernelstream.tracking import FixedShare, Tracker, experts_of
from kernelstream.tracking import tracker as module
from kernelstream.tracking.experts import kind


def board(rows, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.0, 4.0, size=(rows, 2))
    cell = np.floor(X).sum(axis=1).astype(int) % classes
    return X, (2.0 * cell - 1.0 if classes == 2 else cell.astype(float)), cell


def new(classes=2, budget=40):
    X = board(128)[0]
    loss = Hinge() if classes == 2 else Hinge().for_classes(classes)
    recipe = recipes.default(Gaussian("scale"), loss, budget=budget)
    outputs = 1 if classes == 2 else classes
    return Tracker(experts_of(recipe, X, np.zeros((len(X), 1)), outputs, "float32", 3), recipe)


def run(tracker, X, y, cell):
    """Test-then-train; which rows were right, and the log-loss of each."""
    right, losses = [], []
    for x, target, index in zip(X, y, cell, strict=True):
        p = tracker.probabilities(tracker.scores_one(x)[None])[0]
        right.append(p.argmax() == index)
        losses.append(-math.log(p[index]))
        tracker.learn_one(x, target)
    return np.array(right), np.array(losses)


def test_told_nothing_it_is_nearly_as_good_as_the_best_expert():
    X, y, cell = board(3000)
    tracker, alone = new(), new().experts
    right, losses = run(tracker, X, y, cell)
    hits = np.zeros(len(alone))
    for x, target in zip(X, y, strict=True):
        for i, expert in enumerate(alone):
            hits[i] += expert.scores_one(x)[0] * target > 0.0
            expert.learn_one(x, target)
    assert right.mean() > hits.max() / 3000 - 0.02 > hits.min() / 3000 + 0.1
    assert losses[1500:].mean() < 0.3


def test_the_mixture_is_that_of_the_definition():
    """Weights, temperatures and probabilities as the formulas have them, from the experts' own scores."""
    X, y, cell = board(60, seed=1)
    tracker = new()
    weights, heat = np.full(8, 1 / 8), np.zeros(8)
    for x, target, index in zip(X, y, cell, strict=True):
        f = np.array([expert.scores_one(x)[0] for expert in tracker.experts])
        p1 = 1.0 / (1.0 + np.exp(-np.exp(heat) * f))
        p1 = (1.0 - module.DOUBT) * p1 + module.DOUBT / 2.0
        mixed = float(weights @ p1)
        assert tracker.scores_one(x)[0] == pytest.approx(math.log(mixed / (1.0 - mixed)), rel=1e-9, abs=1e-12)
        given = p1 if index else 1.0 - p1
        weights = weights * given / (weights @ given)
        weights = 0.999 * weights + 0.001 / 8
        heat -= module.HEAT * np.clip(np.exp(heat) * (p1 * f - (f if index else 0.0)), -1.0, 1.0)
        tracker.learn_one(x, target)
    np.testing.assert_allclose(tracker.mixture.weights, weights, rtol=1e-9)
    np.testing.assert_allclose(tracker.heat, heat, rtol=1e-9)


def test_a_reversed_world_is_believed_soon():
    X, y, cell = board(5000, seed=2)
    tracker = new()
    run(tracker, X[:3500], y[:3500], cell[:3500])
    right, _ = run(tracker, X[3500:], -y[3500:], 1 - cell[3500:])
    assert right[1000:].mean() > 0.85


def test_the_best_are_kept_and_neighbours_challenge_them():
    X, y, cell = board(4200, seed=3)
    tracker = new(budget=150)
    run(tracker, X[:2047], y[:2047], cell[:2047])
    assert sorted(e.n_support for e in tracker.experts) == [100] * 7 + [150]
    run(tracker, X[2047:4095], y[2047:4095], cell[2047:4095])
    before = [kind(expert) for expert in tracker.experts]
    assert len(before) == module.CHOSEN and max(e.n_support for e in tracker.experts) == 150
    run(tracker, X[4095:], y[4095:], cell[4095:])
    after = [kind(expert) for expert in tracker.experts]
    assert len(set(after) - set(before)) == 1 and len(set(after)) == module.CHOSEN
    assert tracker.mixture.weights.sum() == pytest.approx(1.0)


def test_interrupted_or_not():
    X, y, cell = board(2300, seed=4)
    tracker = new()
    run(tracker, X[:2000], y[:2000], cell[:2000])
    again = pickle.loads(pickle.dumps(tracker))
    other = copy.deepcopy(tracker)
    for one in (tracker, again, other):
        run(one, X[2000:], y[2000:], cell[2000:])
    expected = tracker.scores_many(X[:50]).tobytes()
    assert again.scores_many(X[:50]).tobytes() == other.scores_many(X[:50]).tobytes() == expected


def test_many_rows_are_scored_as_one_is():
    X, y, cell = board(300, seed=5, classes=3)
    tracker = new(classes=3)
    run(tracker, X, y, cell)
    many = tracker.scores_many(X[:20])
    np.testing.assert_allclose(many, [tracker.scores_one(x) for x in X[:20]], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tracker.probabilities(many).sum(axis=1), 1.0)


def test_a_row_is_scored_again_if_it_has_changed():
    """The row that was predicted last is remembered, and the buffer of a stream is the same array for every row."""
    X, y, cell = board(200, seed=6)
    tracker = new()
    run(tracker, X, y, cell)
    row = X[0].copy()
    first = tracker.scores_one(row).copy()
    row[:] = X[1]
    assert tracker.scores_one(row)[0] != first[0]
    assert tracker.scores_one(row).tobytes() == copy.deepcopy(tracker).scores_one(X[1]).tobytes()


def test_a_weight_of_nothing_teaches_nothing():
    X, y, cell = board(200, seed=7)
    tracker = new()
    run(tracker, X, y, cell)
    scores, weights = tracker.scores_many(X[:10]), tracker.mixture.weights.copy()
    tracker.learn_one(X[0], -y[0], 0.0)
    np.testing.assert_array_equal(tracker.mixture.weights, weights)
    np.testing.assert_allclose(tracker.scores_many(X[:10]), scores, atol=0.05)


def test_a_tenth_of_the_weight_is_a_tenth_of_the_evidence():
    X, y, cell = board(100, seed=8)
    light = new()
    run(light, X, y, cell)
    before = light.mixture.weights.copy()
    for x, target in zip(X[:50], y[:50], strict=True):
        light.learn_one(x, -target, 1e-9)
    share = 50 * light.mixture.share
    assert np.abs(light.mixture.weights - before).max() < 2 * share


def test_a_share_may_be_an_integer_and_arrays_read_only():
    never = FixedShare(2, share=0)
    never.update(np.array([0.9, 0.1]))
    np.testing.assert_allclose(never.weights, [0.9, 0.1])
    some = FixedShare(2, share=0.5)
    some.weights.flags.writeable = False
    some.update(np.array([0.9, 0.1]))
    np.testing.assert_allclose(some.weights, [0.7, 0.3])
    tracker = new()
    tracker.heat.flags.writeable = False
    X, y, cell = board(5, seed=9)
    run(tracker, X, y, cell)
    assert np.isfinite(tracker.heat).all() and tracker.heat.any()
