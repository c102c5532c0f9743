"""Compression: within its tolerance, close to the best, and a model that can go on."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, Recipe
from kernelstream.bounds import Ball
from kernelstream.kernels import Cauchy, Gaussian
from kernelstream.losses import Hinge, Logistic, Multinomial
from kernelstream.maintenance import Keep, Merge, Project, Prune, Remove
from kernelstream.model.compression import compress
from kernelstream.output import Last, Mean, RandomIterate, Tail
from kernelstream.steps import Constant, InverseTime
from properties.common import distance, examples, pure_only, rows, seeds


def random_function(seed, n, c, size, repeats):
    rng = np.random.default_rng(seed)
    return rows(seed, n, 2, repeats), size * rng.normal(size=(n, c))


def least_loss(kernel, function, kept):
    sv, coef = function
    cross = kernel(sv[kept], sv)
    b = np.linalg.lstsq(kernel(sv[kept]), cross @ coef, rcond=None)[0]
    return np.sqrt(max(np.sum(coef * (kernel(sv) @ coef)) - np.sum(b * (cross @ coef)), 0.0))


@examples(60)
@given(seeds, st.integers(1, 3), st.floats(0.01, 2.0), st.sampled_from([0.1, 1.0, 1000.0]), st.sampled_from([0.0, 0.4]))
def test_stays_within_its_tolerance(seed, c, share, size, repeats):
    kernel = Gaussian(0.8)
    function = random_function(seed, 25, c, size, repeats)
    tolerance = share * size
    kept, coef, reported = compress(kernel, *function, tolerance=tolerance)
    measured = distance(kernel, function, (function[0][kept], coef))
    assert measured <= tolerance * (1.0 + 1e-6)
    assert reported == pytest.approx(measured, rel=1e-3, abs=1e-4 * size)
    # it stopped because the next one would have cost too much
    if len(kept):
        losses = (
            [least_loss(kernel, function, np.delete(kept, j)) for j in range(len(kept))] if len(kept) > 1 else [np.inf]
        )
        assert min(losses) >= tolerance * (1.0 - 1e-3)


@examples(40)
@given(seeds, st.integers(1, 2), st.integers(1, 8), st.sampled_from([Gaussian(0.6), Cauchy(1.0)]))
def test_budget_is_kept_and_the_choice_is_close_to_the_best(seed, c, budget, kernel):
    function = random_function(seed, 9, c, 1.0, 0.0)
    kept, coef, _ = compress(kernel, *function, budget=budget)
    assert len(kept) == budget
    ours = distance(kernel, function, (function[0][kept], coef))
    assert ours == pytest.approx(least_loss(kernel, function, kept), rel=1e-3, abs=1e-4)  # best fit on what is kept
    best = min(least_loss(kernel, function, np.array(s)) for s in itertools.combinations(range(9), budget))
    whole = distance(kernel, function, (function[0][:0], function[1][:0]))
    assert ours <= 1.6 * best + 0.02 * whole


@examples(20)
@given(seeds)
def test_duplicates_cost_nothing(seed):
    function = random_function(seed, 40, 2, 1.0, 0.6)
    distinct = len(np.unique(function[0], axis=0))
    kept, coef, lost = compress(Gaussian(0.8), *function, budget=distinct)
    assert len(kept) == distinct
    assert distance(Gaussian(0.8), function, (function[0][kept], coef)) < 1e-4
    assert lost < 1e-3


MODELS = [
    (Keep(), None, Last()),
    (Keep(), None, Mean()),
    (Remove(), 9, Mean()),
    (Merge(), 9, Tail()),
    (Project(), 9, Mean()),
    (Prune(0.1), None, Last()),
]


def trained(maintenance, budget, average, loss=Logistic(), dtype="float64", **options):
    X = rows(4, 120, 2)
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] > 0.0, 1.0, -1.0)
    if isinstance(loss, Multinomial):
        y = np.digitize(X[:, 0], [-0.5, 0.5])
    recipe = Recipe(
        Gaussian(0.8), loss, Constant(0.5, 0.02), maintenance=maintenance, budget=budget, output=average, **options
    )
    return Model.from_recipe(recipe, X, y, dtype=dtype).learn_many(X, y), X, y


@pure_only
@pytest.mark.parametrize("maintenance, budget, average", MODELS, ids=repr)
@pytest.mark.parametrize("loss", [Logistic(), Multinomial()], ids=repr)
def test_a_compressed_model_is_near_and_goes_on(maintenance, budget, average, loss):
    model, X, y = trained(maintenance, budget, average, loss, track_norm=True)
    before = model.function
    for options, limit in (
        ({"tolerance": 0.05}, 0.05),
        ({"budget": 6}, np.inf),
        ({"budget": 30, "tolerance": 0.5}, 0.5),
    ):
        small = model.compress(**options)
        assert distance(model.recipe.kernel, before, small.function) <= limit * (1.0 + 1e-6)
        assert len(small.function.coefficients) <= len(before.coefficients)
        if limit == np.inf:
            assert len(small.function.coefficients) == small.n_support == min(6, len(before.coefficients))
        sv, coef = small.function
        np.testing.assert_allclose(small.scores_many(X), model.recipe.kernel(X, sv) @ coef, rtol=1e-9, atol=1e-10)
        small.learn_many(X, y)
        assert small.state.norm.square[0] == pytest.approx(small.norm**2, rel=1e-6)
        assert budget is None or small.n_support <= budget
    np.testing.assert_array_equal(model.function.coefficients, before.coefficients)  # the model itself is untouched


@pure_only
def test_a_random_iterate_can_be_compressed():
    model, X, _ = trained(Keep(), None, RandomIterate())
    small = model.compress(budget=5)
    assert len(small.function.coefficients) == 5
    assert not np.array_equal(small.scores_many(X), model.scores_many(X))


@pure_only
def test_a_compressed_mean_above_its_budget_fits_into_the_retired():
    X = rows(0, 200, 3)
    y = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    recipe = Recipe(
        Gaussian(1.0), Logistic(), InverseTime(0.01), maintenance=Merge(), budget=40, output=Mean(), bound=Ball()
    )
    model = Model.from_recipe(recipe, X, y, dtype="float64")
    for x, target in zip(X, y, strict=True):
        model.learn_one(x, target)
        if model.state.output.n[0] == model.dims.retired - 2:
            break
    small = model.compress(tolerance=0.0)
    assert small.n_support > 2 * 40
    small.learn_many(X, y)
    assert small.state.output.n[0] <= small.dims.retired


def test_an_empty_model_is_as_small_as_can_be():
    X = rows(0, 5)
    model = Model.from_recipe(Recipe(Gaussian(1.0), Hinge()), X, np.ones(5))
    assert model.compress(budget=3).n_support == 0


@pytest.mark.parametrize("options", [{}, {"tolerance": None, "budget": None}])
def test_one_of_the_two_must_be_given(options):
    with pytest.raises(ValueError, match=r"budget .* or a tolerance"):
        compress(Gaussian(1.0), np.zeros((2, 1)), np.ones((2, 1)), **options)


def test_a_negative_tolerance_is_refused():
    with pytest.raises(ValueError, match="tolerance"):
        compress(Gaussian(1.0), rows(0, 4), np.ones((4, 1)), tolerance=-10.0)
