"""Look-ahead blocks: the model is that of row by row, whatever the recipe does to its support vectors meanwhile."""

import numpy as np
import pytest

from kernelstream import Model, Recipe, recipes
from kernelstream.core import look_ahead
from kernelstream.core.state import arrays
from kernelstream.kernels import (
    Cauchy,
    Gaussian,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Polynomial,
    RationalQuadratic,
)
from kernelstream.losses import CrammerSinger, Hinge, Logistic
from kernelstream.maintenance import Remove
from kernelstream.steps import Constant
from properties.common import PURE, function_of, pure_only, rows

GAUSSIAN = Gaussian(0.4)
KERNELS = [Cauchy(0.4), RationalQuadratic(1.5, 0.9), Matern32(1.1), Matern52(1.1), Linear(), Polynomial(2, 0.5)]
RECIPES = {
    "merge": recipes.bsgd(GAUSSIAN, lam=0.01, budget=12),
    "merge, classes": recipes.bsgd(GAUSSIAN, CrammerSinger(), lam=0.01, budget=12),
    "project": recipes.bsgd(GAUSSIAN, lam=0.01, budget=12, maintenance="project"),
    "nbsgd": recipes.nbsgd(GAUSSIAN, lam=0.01, budget=8, beta=30.0),
    "polk": recipes.polk(GAUSSIAN, Logistic(), eta=0.5, lam=1e-3, parsimony=0.3),
    "oskl": recipes.oskl(GAUSSIAN, Logistic(), G=1.0),
    "olrd": recipes.olrd(GAUSSIAN, budget=10),
    "forgetron": recipes.forgetron(GAUSSIAN, 10),
    "projectron++": recipes.projectron(GAUSSIAN, 0.1, plus=True),
    "bpa": recipes.bpa(GAUSSIAN, 0.5, 10),
    "pegasos, whose first step forgets all": recipes.pegasos(GAUSSIAN, lam=0.1),
    "krls": recipes.krls(GAUSSIAN, 0.2),
}


def stream(classes=False, n=220):
    X = rows(3, n, 4, repeats=0.1)
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2], [-0.4, 0.4]).astype(float) if classes else np.sign(X[:, 0] * X[:, 1])
    return X, y


def pair_of(recipe, X, y, length=8, **options):
    """The same stream learned row by row and with look-ahead."""
    models = [Model.from_recipe(recipe.replace(look_ahead=ahead), X, y, **options) for ahead in (0, length)]
    return [model.learn_many(X[:40], y[:40]).learn_many(X[40:], y[40:]) for model in models]


def looked_ahead(model) -> bool:
    return bool(model.state.look_ahead.block.K.any())


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(look_ahead, "LEAST", 3)


@pure_only
@pytest.mark.parametrize("name", RECIPES)
def test_blocks_do_not_matter(small, name):
    X, y = stream("classes" in name)
    plain, ahead = pair_of(RECIPES[name], X, y, dtype="float64", seed=2)
    assert ahead.n_support == plain.n_support > 4
    for found, wanted in zip(function_of(ahead), function_of(plain), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)
    assert looked_ahead(ahead)


@pure_only
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_every_kernel_that_can(small, kernel):
    X, y = stream()
    recipe = Recipe(kernel, Hinge(), Constant(0.05, 0.01), maintenance=Remove(), budget=12)
    plain, ahead = pair_of(recipe, X, y, dtype="float64")
    np.testing.assert_allclose(ahead.scores_many(X), plain.scores_many(X), rtol=1e-9, atol=1e-9)
    assert looked_ahead(ahead)


@pytest.mark.engine
def test_a_full_model_at_its_usual_size():
    X, y = stream(n=600 if PURE else 3000)
    recipe = recipes.bsgd(GAUSSIAN, lam=1e-3, budget=150)
    plain, ahead = pair_of(recipe, X, y, length=64, dtype="float32")
    scale = np.abs(function_of(plain)[1]).max()
    np.testing.assert_allclose(function_of(ahead)[1], function_of(plain)[1], atol=1e-4 * scale)
    assert looked_ahead(ahead)


@pure_only
def test_far_from_the_origin_rows_are_computed_one_by_one(small):
    X, y = stream()
    plain, ahead = pair_of(RECIPES["merge"], X + 1e3, y, dtype="float32")
    assert not looked_ahead(ahead)
    assert function_of(ahead)[0].tobytes() == function_of(plain)[0].tobytes()


def test_when_it_is_chosen():
    X, y = np.zeros((2, 40)), np.array([1.0, -1.0])

    def choice(**changes):
        recipe = recipes.bsgd(GAUSSIAN, budget=1000).replace(**changes)
        return type(Model.from_recipe(recipe, X, y).recipe.look_ahead)

    assert choice() is look_ahead.Blocks
    assert choice(look_ahead=0) is look_ahead.RowByRow
    assert choice(budget=50) is look_ahead.RowByRow
    assert choice(budget="64 KiB") is look_ahead.RowByRow
    assert choice(batch=4) is look_ahead.RowByRow
    assert choice(budget=50, look_ahead=16) is look_ahead.Blocks
    with pytest.raises(ValueError, match="look_ahead = 16 needs a kernel of distances or dot products"):
        Model.from_recipe(Recipe(Laplacian(1.0), look_ahead=16), X, y)
    with pytest.raises(ValueError, match="look_ahead must be a whole number of at least 0"):
        Recipe(look_ahead=-1)


@pure_only
def test_a_block_is_part_of_the_memory():
    X, y = stream()
    plain, ahead = pair_of(RECIPES["merge"], X, y)
    assert ahead.nbytes > plain.nbytes + 8 * 12 * 4
    assert sum(a.nbytes for a in arrays(ahead.state)) == ahead.nbytes
