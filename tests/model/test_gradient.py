"""Gradients are those of the function: central differences of a float64 evaluation agree, for every kernel."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import Function, Model, kernels, recipes
from kernelstream.core.strategy import strategy
from kernelstream.kernels import Gaussian, Laplacian, Linear, Radial
from kernelstream.model import gradients
from kernelstream.model.gradient import gradient_of

EVERY = {
    **{name: kernels.KERNELS[name] for name in kernels.KERNELS},
    "narrow": Gaussian(200.0),
    "sum": Gaussian(0.5) + kernels.Matern32(2.0),
    "product": 2.0 * (kernels.Polynomial(2, 0.5) * Linear()),
    "manhattan sum": Laplacian(0.3) + Laplacian(0.1),
    "mixed": Gaussian(0.5) + 0.1 * (Linear() * Laplacian(0.3)),
    "mixed multiple": 3.0 * (Gaussian(0.5) + Linear()),
}
FEATURES = 4


@strategy
class Ramp(Radial):
    """A kernel of the user's own, whose `of` has no complex step."""

    def of(self, u):
        return 1.0 / (1.0 + np.abs(u))


def numbers(rows=15, outputs=3, offset=0.0):
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, FEATURES)) + offset, rng.normal(size=(rows, outputs))


def model_with(kernel, sv, coef, dtype="float64"):
    """A model of this function; nothing is compiled before it learns or predicts."""
    recipe = recipes.pegasos(kernel)
    model = Model.from_recipe(recipe, sv, np.ones((len(sv), coef.shape[1])), dtype=dtype)
    return model.adopt(Function(sv, coef))


def by_differences(f, X, step=1e-6):
    steps = step * np.eye(X.shape[1])
    return np.stack([(f(X + e) - f(X - e)) / (2 * step) for e in steps], axis=2)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_every_kernel(name, offset):
    if offset and name in ("product", "mixed", "mixed multiple"):
        offset = 3.0  # dot products of large numbers leave the differences few digits
    sv, coef = numbers(offset=offset)
    model = model_with(EVERY[name], sv, coef)
    X = sv + (0.02 if name == "narrow" else 0.5) * numbers()[0][::-1]
    kernel = model.recipe.kernel
    wanted = by_differences(lambda X: kernel(X, sv) @ coef, X)
    found = gradients(model, X)
    assert found.shape == (15, 3, FEATURES) and np.abs(wanted).max() > 1e-3
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6 * np.abs(wanted).max())


def test_no_digits_are_lost_far_from_the_origin():
    """Both sums of 2 (x Σ_j k_j − Σ_j k_j z_j) are large there, their difference is not."""
    sv, coef = numbers()
    sv, far = np.round(sv * 1024.0) / 1024.0, 2.0**30  # sums are exact
    near, away = (gradients(model_with(Gaussian(0.5), z, coef), z) for z in (sv, sv + far))
    np.testing.assert_allclose(away, near, rtol=1e-10, atol=1e-12)


def test_random_features():
    X, _ = numbers()
    model = Model.from_recipe(recipes.fogd(gamma=0.5, frequencies=8), X, np.ones(15), dtype="float64")
    coef = np.random.default_rng(1).normal(size=(16, 1))
    model.state.expansion.coef[:, :16] = coef.T
    sv = model.function.support_vectors
    wanted = by_differences(lambda X: model.recipe.kernel.matrix(X, sv) @ coef, X)
    np.testing.assert_allclose(gradients(model, X), wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", EVERY)
def test_gradients_are_finite_at_the_support_vectors_and_far_away(name):
    """There Matérn kernels take the root of 0, and Laplacian kernels have a kink."""
    sv, coef = numbers()
    model = model_with(EVERY[name], sv, coef)
    assert np.isfinite(gradients(model, np.vstack([sv, 1e5 * sv, np.zeros((1, FEATURES))]))).all()


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-7), ("float32", 2e-3)])
def test_a_kernel_of_one_s_own_is_differentiated_by_scores(dtype, tolerance):
    sv, coef = numbers(outputs=1)
    sv = sv.astype(dtype).astype(np.float64) * [1.0, 10.0, 1.0, 0.0]
    model, X = model_with(Ramp(), sv, coef, dtype), sv + 0.3
    wanted = by_differences(lambda X: kernels.Cauchy(1.0)(X, sv) @ coef, X)
    np.testing.assert_allclose(gradients(model, X), wanted, atol=tolerance * np.abs(wanted).max())


def test_sparse_rows_and_models_without_support_vectors():
    sv, coef = numbers()
    model = model_with(Gaussian(0.5), sv, coef)
    X = np.where(sv > 0, sv, 0.0)
    np.testing.assert_array_equal(gradients(model, csr_matrix(X)), gradients(model, X))
    empty = Model.from_recipe(recipes.pegasos(Gaussian(0.5)), sv, np.ones(15))
    assert not gradients(empty, X).any() and gradients(empty, X).shape == (15, 1, FEATURES)


def test_the_gradient_is_that_of_one_moment():
    sv, coef = numbers()
    model = model_with(Gaussian(0.5), sv, coef)
    gradient, before = gradient_of(model), gradients(model, sv)
    model.adopt(Function(sv, -2.0 * coef))
    np.testing.assert_array_equal(gradient(sv), before)
    np.testing.assert_allclose(gradients(model, sv), -2.0 * before)


def test_refused():
    model = model_with(Gaussian(0.5), *numbers())
    with pytest.raises(ValueError, match="X has 3 features, but the model has 4"):
        gradients(model, np.ones((2, 3)))
    with pytest.raises(ValueError, match="NaN at row 1, column 2"):
        gradients(model, [[0.0] * 4, [0.0, 0.0, np.nan, 0.0]])
