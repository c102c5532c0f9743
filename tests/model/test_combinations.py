"""Strategies that meet at their edges."""

import numpy as np
import pytest

from kernelstream import Recipe, recipes
from kernelstream.kernels import Gaussian, Linear
from kernelstream.losses import Hinge, Logistic, Multinomial
from kernelstream.maintenance import Discard, Keep, Project, ProjectOnNearest, Prune, Remove, Sometimes
from kernelstream.steps import Constant, InverseTime

from .common import LAM, begin, data, pure_only

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


@pure_only
def test_sometimes_remove_the_cheapest():
    from kernelstream.maintenance import Cheapest

    X, y = data()
    recipe = Recipe(Gaussian(1.0), maintenance=Sometimes(Remove(Cheapest()), 100.0), budget=10)
    assert begin(recipe, X, y).learn_many(X, y).n_support >= 10


@pure_only
@pytest.mark.parametrize("inner", [Prune(0.1), Keep()], ids=repr)
def test_sometimes_of_what_cannot_reduce_is_refused(inner):
    with pytest.raises(ValueError, match="Sometimes"):
        Recipe(Gaussian(1.0), maintenance=Sometimes(inner, 100.0), budget=10)


@pure_only
def test_sometimes_always_keeps_the_budget_with_batches():
    X, y = data(200)
    recipe = Recipe(Gaussian(1.0), maintenance=Sometimes(Remove(), 1e9), budget=10, batch=8)
    assert begin(recipe, X, y).learn_many(X, y).n_support <= 10


@pure_only
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_projection_on_more_neighbours_than_the_kernel_has_dimensions(dtype):
    X, y = data(300)
    recipe = Recipe(Linear(), Logistic(), Constant(0.05, 0.05), maintenance=ProjectOnNearest(8), budget=25)
    model = begin(recipe, X, y, dtype=dtype).learn_many(X, y)
    plain = begin(recipe.replace(maintenance=Keep(), budget=None), X, y, dtype="float64").learn_many(X, y)
    np.testing.assert_allclose(model.scores_many(X), plain.scores_many(X), atol=0.05)


@pure_only
@pytest.mark.parametrize(
    "rule",
    [
        Remove(),
        Project(),
        Discard(),
        ProjectOnNearest(2),
    ],
    ids=repr,
)
def test_a_linear_kernel_and_rows_of_zeros(rule):
    X, y = data(80)
    X[::4] = 0.0
    recipe = Recipe(Linear(), Hinge(), InverseTime(0.1, 10.0), maintenance=rule, budget=6, track_norm=True)
    model = begin(recipe, X, y, dtype="float64").learn_many(X, y)
    assert np.isfinite(model.scores_many(X)).all()
    assert model.n_support <= 6


@pure_only
def test_multinomial_of_one_class_learns_nothing():
    X, _ = data()
    model = begin(recipes.kernel_sgd(Gaussian(1.0), Multinomial(), LAM), X, np.zeros(60)).learn_many(X, np.zeros(60))
    assert model.n_support == 0 and model.record.loss == 0.0
