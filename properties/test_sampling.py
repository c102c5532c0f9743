"""What holds in expectation, and how many support vectors sampling ends with; seeds are fixed, bounds four sigma."""

import math

import numpy as np
import pytest

from kernelstream import Model, Recipe, recipes
from kernelstream.admission import ByDerivative
from kernelstream.bounds import Ball, Unbounded
from kernelstream.budgets import Growing
from kernelstream.core.state import copy_into
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge, Logistic
from kernelstream.maintenance import Before, Random, Remove, Smallest, Sometimes
from kernelstream.steps import Constant, InverseTime
from properties.common import PURE, pure_only, rows

pytestmark = pytest.mark.engine
KERNEL = Gaussian(1.5)


def noisy(n: int, seed: int = 0, flipped: float = 0.1):
    X = rows(seed, n, 3)
    y = np.where(np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2] > 0.0, 1.0, -1.0)
    return X, np.where(np.random.default_rng(seed + 1).random(n) < flipped, -y, y)


DRAWS = 400 if PURE else 20_000


def many_draws(model, x, target, probes) -> np.ndarray:
    """Values at the probes after one more example, before the bound is enforced, for many random states."""
    free = Model.from_state(model.recipe.replace(bound=Unbounded()), model.dims, model.state)
    values = np.empty((DRAWS, len(probes)))
    for i in range(DRAWS):
        copy_into(model.state, free.state)
        free.state.run.rng[0] = np.uint64(0x1234567 * (i + 1))
        values[i] = free.learn_one(x, target).scores_many(probes)[:, 0]
    return values


def check_unbiased(values, expected):
    error = np.abs(values.mean(axis=0) - expected)
    sigma = values.std(axis=0) / math.sqrt(len(values))
    assert (sigma > 0.0).all()
    assert (error <= 4.0 * sigma).all()


def test_random_updating_is_unbiased():
    """OLRU's step is right in expectation before the projection, and taken with the right probability."""
    X, y = noisy(80)
    recipe = recipes.olru(KERNEL, Hinge(), 0.5, 1.5, 0.25, U=3.0)
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=3).learn_many(X[:60], y[:60])
    i = next(i for i in range(60, 80) if y[i] * model.scores_one(X[i])[0] < 1.0)
    step = 0.5 * 61.0**-0.625 * y[i]
    before = model.scores_many(X[:5])[:, 0]
    values = many_draws(model, X[i], y[i], X[:5])
    check_unbiased(values, before + step * KERNEL(X[:5], X[i : i + 1])[:, 0])
    share, p = np.mean(values[:, 0] != before[0]), 1.5 * 61.0**-0.25
    assert abs(share - p) <= 4.0 * math.sqrt(p * (1.0 - p) / DRAWS)


DISCARDING = {
    "olrd": recipes.olrd(KERNEL, budget=9, U=3.0),
    "olrd growing": recipes.olrd(KERNEL, budget=Growing(0.8), U=3.0),
    "olrd least variance": recipes.olrd(KERNEL, budget=9, U=3.0, discard="least-variance"),
    "bogd": recipes.bogd(KERNEL, eta=0.5, budget=9, gamma=1.5),
    "bogd++": recipes.bogd(KERNEL, eta=0.5, budget=9, gamma=1.5, plus=True),
}


@pytest.mark.parametrize("name", DISCARDING)
def test_random_discarding_is_unbiased(name):
    """E[f after] = f before, with the decay and the new example, before the bound."""
    if not PURE and name in ("olrd growing", "olrd least variance"):
        pytest.skip("nearly the compiled code of the others: pure Python is enough")
    X, y = noisy(200)
    recipe = DISCARDING[name]
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=3).learn_many(X[:100], y[:100])
    assert model.n_support == model.recipe.budget.at(101)  # full: one must go
    i = next(i for i in range(100, 200) if y[i] * model.scores_one(X[i])[0] < 1.0)
    step, decay = model.recipe.step.rate(101, 1.0, 1.0), model.recipe.step.decay(101, model.state)
    expected = decay * model.scores_many(X[:5])[:, 0] + step * y[i] * KERNEL(X[:5], X[i : i + 1])[:, 0]
    check_unbiased(many_draws(model, X[i], y[i], X[:5]), expected)


def removing(recipe: Recipe) -> Recipe:
    return recipe.replace(maintenance=Before(Remove(Random())), bound=Unbounded())


@pure_only
def test_olrd_is_not_random_removal():
    """Clipping at U = ηB undoes the rescaling with the hinge loss: that is plain random removal, the ball is not."""
    X, y = noisy(300)

    def function(recipe):
        return Model.from_recipe(recipe, X, y, dtype="float64", seed=3).learn_many(X, y).scores_many(X[:20])[:, 0]

    clipped = recipes.olrd(KERNEL, eta=0.5, budget=9, U=0.5 * 9, bound="clip")
    np.testing.assert_allclose(function(clipped), function(removing(clipped)), atol=1e-12)
    olrd = recipes.olrd(KERNEL, budget=9, U=3.0)
    assert isinstance(olrd.bound, Ball)
    assert np.abs(function(olrd) - function(removing(olrd))).max() > 0.1


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
