"""What holds in expectation, and how many support vectors sampling ends with; seeds are fixed, bounds four sigma."""

import copy
import math

import numpy as np
import pytest

from kernelstream import Model, Recipe
from kernelstream.admission import ByDerivative, Coin
from kernelstream.bounds import Ball, Clip
from kernelstream.budgets import Growing
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge, Logistic
from kernelstream.maintenance import Discard, Remove, Smallest, Sometimes
from kernelstream.steps import Constant, InverseTime, Power
from properties.common import PURE, rows

pytestmark = pytest.mark.engine
KERNEL = Gaussian(1.5)


def noisy(n: int, seed: int = 0, flipped: float = 0.1):
    X = rows(seed, n, 3)
    y = np.where(np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2] > 0.0, 1.0, -1.0)
    return X, np.where(np.random.default_rng(seed + 1).random(n) < flipped, -y, y)


def many_draws(model, x, target, probes, draws: int) -> np.ndarray:
    """Values at the probes after one more example, for so many random states."""
    values = np.empty((draws, len(probes)))
    for i in range(draws):
        again = copy.deepcopy(model)
        again.state.run.rng[0] = np.uint64(0x1234567 * (i + 1))
        values[i] = again.learn_one(x, target).scores_many(probes)[:, 0]
    return values


def check_unbiased(values, expected):
    error = np.abs(values.mean(axis=0) - expected)
    sigma = values.std(axis=0) / math.sqrt(len(values))
    assert (sigma > 0.0).all()
    assert (error <= 4.0 * sigma).all()


def test_random_updating_is_unbiased():
    """The ball is out of reach: OLRU's step is right in expectation before the projection."""
    X, y = noisy(80)
    recipe = Recipe(KERNEL, Hinge(), Power(0.5, 0.625), admission=Coin(1.5, 0.25), bound=Ball(1e6))
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=3).learn_many(X[:60], y[:60])
    i = next(i for i in range(60, 80) if y[i] * model.scores_one(X[i])[0] < 1.0)
    step = 0.5 * 61.0**-0.625 * y[i]
    values = many_draws(model, X[i], y[i], X[:5], 800)
    check_unbiased(values, model.scores_many(X[:5])[:, 0] + step * KERNEL(X[:5], X[i : i + 1])[:, 0])
    share = np.mean(values[:, 0] != model.scores_many(X[:1])[0, 0])
    p = 1.5 * 61.0**-0.25
    assert abs(share - p) <= 4.0 * math.sqrt(p * (1.0 - p) / 800)


def test_random_discarding_is_unbiased():
    """The clip is out of reach: OLRD's f is right in expectation before it."""
    X, y = noisy(200)
    recipe = Recipe(KERNEL, Hinge(), Power(0.5, 0.5), maintenance=Discard(), budget=Growing(0.8), bound=Clip(1e9))
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=3).learn_many(X[:100], y[:100])
    assert model.n_support == model.recipe.budget.at(101)  # full: one must go
    i = next(i for i in range(100, 200) if y[i] * model.scores_one(X[i])[0] < 1.0)
    step = 0.5 * 101.0**-0.5 * y[i]
    values = many_draws(model, X[i], y[i], X[:5], 800)
    check_unbiased(values, model.scores_many(X[:5])[:, 0] + step * KERNEL(X[:5], X[i : i + 1])[:, 0])


def oskl(G: float, X, y, seed=1):
    """Support vectors and Σ |ℓ'|/G of a run."""
    recipe = Recipe(KERNEL, Logistic(), Constant(0.9 / G), admission=ByDerivative(G), bound=Ball(3.0))
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=seed)
    expected = 0.0
    for x, target in zip(X, y, strict=True):
        expected += abs(recipe.loss.slope(float(model.scores_one(x)[0]), target)) / G
        model.learn_one(x, target)
    return model.n_support, expected


def test_oskl_has_as_many_support_vectors_as_the_derivatives_say():
    X, y = noisy(400 if PURE else 3000)
    counts = []
    for G in (1.0, 2.0, 4.0, 8.0):
        count, expected = oskl(G, X, y)
        assert abs(count - expected) <= 4.0 * math.sqrt(expected)
        counts.append(count)
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 2 * counts[-1]


def test_nbsgd_ends_near_the_predicted_size():
    total, budget = (1500 if PURE else 6000), 12
    X, y = noisy(total, flipped=0.2)
    recipe = Recipe(KERNEL, Hinge(), InverseTime(0.01), maintenance=Sometimes(Remove(Smallest()), None), budget=budget)
    model = Model.from_recipe(recipe, X, y, total=total, dtype="float64", seed=2).learn_many(X, y)
    assert model.recipe.maintenance.beta == pytest.approx(0.6 * total)
    excess = 0.0935 * model.record.examples_with_loss
    assert abs(model.n_support - budget - excess) <= 4.0 * math.sqrt(excess)
    assert model.n_support > 2 * budget
