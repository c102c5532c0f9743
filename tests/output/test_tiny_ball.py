"""A ball so small that f is scaled to nothing, while a mean of the iterates has no room for removed vectors."""

import numpy as np
import pytest

from kernelstream import Model, recipes
from kernelstream.kernels import Gaussian

X = np.random.default_rng(0).normal(size=(200, 3))
Y = np.sign(X[:, 0])


@pytest.mark.engine
@pytest.mark.parametrize("radius", [5e-324, 1e-300])
def test_f_is_nothing_and_nothing_is_overwritten(radius):
    recipe = recipes.oskl(Gaussian(1.0), R=radius)
    model = Model.from_recipe(recipe, X, Y).learn_many(X, Y)
    assert model.n_support > 20
    assert np.abs(model.scores_many(X)).max() < 1e-3
