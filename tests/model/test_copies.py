"""Copies, growth, threads: what must not matter."""

import copy
import pickle
import threading

import numpy as np
import pytest

from kernelstream import Recipe, recipes
from kernelstream.core.state import arrays
from kernelstream.kernels import Gaussian
from kernelstream.losses import Logistic
from kernelstream.maintenance import Keep, Merge, Prune
from kernelstream.output import Mean
from kernelstream.steps import Constant

from .common import (
    LAM,
    MERGE,
    PEGASOS,
    PURE,
    begin,
    bits,
    data,
    pure_only,
)

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


@pure_only
@pytest.mark.parametrize("average", ["last", "mean", "suffix", "random"])
def test_copies_in_the_middle_of_a_batch(average):
    X, y = data(90)
    recipe = recipes.bsgd(Gaussian(1.5), Logistic(), LAM, 8, "merge", batch=7, output=average)
    model = begin(recipe, X, y, dtype="float64", seed=2).learn_many(X[:40], y[:40])
    assert model.state.batch.seen[0] == 5 and model.state.batch.staged[0] > 0
    straight = begin(recipe, X, y, dtype="float64", seed=2).learn_many(X, y)
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), copy.copy(model)):
        again.learn_many(X[40:], y[40:])
        assert bits(again) == bits(straight)
    assert model.record.examples == 40  # the copies were copies
    assert bits(model.learn_many(X[40:], y[40:])) == bits(straight)


def test_growth_does_not_matter():
    X, y = data(400)
    small = begin(PEGASOS, X, y, dtype="float64").learn_many(X, y)
    large = begin(PEGASOS, X, y, dtype="float64")
    large._resize(large.dims._replace(capacity=1024))
    large.learn_many(X, y)
    assert small.dims.capacity in (256, 320, 512) and small.n_support > 128  # doubled more than once
    n = small.n_support
    assert n == large.n_support
    for name in ("sq", "diag", "age", "coef", "sv"):
        a, b = getattr(small.state.expansion, name), getattr(large.state.expansion, name)
        np.testing.assert_array_equal(a[..., :n], b[..., :n])
    assert [a.tobytes() for a in small.state.run] == [a.tobytes() for a in large.state.run]
    np.testing.assert_array_equal(small.scores_many(X), large.scores_many(X))


@pure_only
def test_growth_does_not_matter_for_averages():
    X, y = data(150)
    for maintenance, budget in ((Merge(), 8), (Prune(0.1), None), (Keep(), None)):
        recipe = Recipe(
            Gaussian(1.5),
            Logistic(),
            Constant(0.5, 0.02),
            maintenance=maintenance,
            budget=budget,
            output=Mean(),
            batch=3,
        )
        small = begin(recipe, X, y, dtype="float64").learn_many(X, y)
        large = begin(recipe, X, y, dtype="float64")
        large._resize(large.dims._replace(capacity=512, retired=2048))
        large.learn_many(X, y)
        np.testing.assert_array_equal(small.scores_many(X), large.scores_many(X))
        assert small.dims.retired < 2048 and small.dims.capacity < 512


def test_threads_share_a_model():
    X, y = data(400)
    model = begin(PEGASOS, X, y, dtype="float64").learn_many(X, y)
    part = slice(40) if PURE else slice(None)
    expected = model.scores_many(X[part])
    alone = model.scores_one(X[7])
    wrong, before = [], bits(model)

    def work(k):
        for _ in range(2 if PURE else 40):
            if not np.array_equal(model.scores_many(X[part]), expected):
                wrong.append(k)
            if not np.array_equal(model.scores_one(X[7]), alone):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert bits(model) == before


def test_models_share_no_memory():
    X, y = data()
    first = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    others = [
        copy.deepcopy(first),
        pickle.loads(pickle.dumps(first)),
        first.compress(budget=5),
        begin(MERGE, X, y, dtype="float64"),
    ]
    models = [first, *others]
    for i, a in enumerate(models):
        for b in models[i + 1 :]:
            assert not any(np.shares_memory(p, q) for p in arrays(a.state) for q in arrays(b.state))
    before = bits(first)
    for other in others:
        other.learn_many(X[::-1], y[::-1])
    assert bits(first) == before
