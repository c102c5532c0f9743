"""FOGD: the weights of random Fourier features, against the oracle and the kernel they approximate."""

import numpy as np
import pytest

from kernelstream import Model, losses, recipes
from kernelstream.kernels import Fourier, Gaussian
from tests.catalogue import data
from tests.reference import common, fogd

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    "task, loss, oracle",
    [("binary", losses.Hinge(), common.hinge), ("classes", losses.CrammerSinger(), common.crammer_singer)],
)
def test_weights_equal_the_oracles(task, loss, oracle):
    X, y, outputs = data(task, 60)
    steps = fogd.fogd(X, y, gamma=1.5, D=7, loss=oracle, rate=common.power(1.0, 0.5), outputs=outputs, seed=3)
    recipe = recipes.fogd(1.5, 7, loss).replace(track_norm=True)
    model = Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64", seed=3)
    assert model.n_support == 14
    for x, target, step in zip(X, y, steps, strict=True):
        model.learn_one(x, target)
        np.testing.assert_allclose(model.function.coefficients, step.weights, rtol=1e-9, atol=1e-10)
        assert model.state.norm.square[0] == pytest.approx(step.norm2, rel=1e-9, abs=1e-12)
        assert model.norm**2 == pytest.approx(step.norm2, rel=1e-9, abs=1e-12)
    assert model.n_support == 14


def test_features_approximate_the_kernel():
    X, y, _ = data("binary", 40)
    model = Model.from_recipe(recipes.fogd(1.5, 4000), X, y, dtype="float64")
    Z = Fourier(1.5, 4000)(X, model.function.support_vectors)
    assert np.abs(Z @ Z.T - Gaussian(1.5)(X)).max() < 0.1


def test_a_fixed_basis_cannot_be_compressed():
    X, y, _ = data("binary", 40)
    with pytest.raises(ValueError, match="has a fixed basis instead of support vectors"):
        Model.from_recipe(recipes.fogd(1.5, 7), X, y, dtype="float64").compress(budget=3)
