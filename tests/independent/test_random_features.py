"""Checks of the random features against the kernels, and of FOGD against kernel gradient descent."""

import math

import numpy as np
import pytest

from .derivatives import derivative
from .random_features import feature_map, gaussian_frequencies, laplacian_frequencies, predict, run


def test_gaussian_frequencies_have_variance_two_gamma():
    for gamma in (0.05, 1.0, 7.0):
        drawn = gaussian_frequencies(4000, 5, gamma, np.random.default_rng(3))
        assert drawn.shape == (4000, 5)
        assert np.mean(drawn**2) == pytest.approx(2 * gamma, rel=0.04)  # 20,000 values: deviation 1 %
        assert abs(np.mean(drawn)) < 4 * math.sqrt(2 * gamma / 20000)
        assert np.mean(drawn**4) == pytest.approx(3 * (2 * gamma) ** 2, rel=0.12)
        off = np.cov(drawn.T) - np.diag(np.diag(np.cov(drawn.T)))
        assert np.abs(off).max() < 5 * 2 * gamma / math.sqrt(4000)


def test_laplacian_frequencies_are_cauchy_with_scale_gamma():
    gamma = 0.7
    drawn = laplacian_frequencies(5000, 4, gamma, np.random.default_rng(4)).ravel()
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        quantile = gamma * math.tan(math.pi * (share - 0.5))
        assert np.mean(drawn <= quantile) == pytest.approx(share, abs=4 * math.sqrt(0.25 / len(drawn)))


@pytest.mark.parametrize("kind", ["gaussian", "laplacian"])
def test_inner_products_converge_to_the_kernel(kind):
    rng = np.random.default_rng(5)
    gamma, points = 0.4, rng.normal(size=(6, 3))
    errors = []
    for count in (100, 6400):
        draw = gaussian_frequencies if kind == "gaussian" else laplacian_frequencies
        frequencies = draw(count, 3, gamma, np.random.default_rng(6))
        worst = 0.0
        for x in points:
            for z in points:
                distance = np.sum((x - z) ** 2) if kind == "gaussian" else np.sum(np.abs(x - z))
                value = feature_map(x, frequencies) @ feature_map(z, frequencies)
                worst = max(worst, abs(value - math.exp(-gamma * distance)))
        errors.append(worst)
    # the variance of one cosine is (1 − κ²)²/2 (Gaussian) or (1 − κ²)/2 (Laplacian), at most ½; five deviations:
    assert errors[0] < 5 * math.sqrt(0.5 / 100) and errors[1] < 5 * math.sqrt(0.5 / 6400)
    assert errors[1] < errors[0]


def test_length_of_the_features_is_one():
    frequencies = gaussian_frequencies(17, 2, 1.0, np.random.default_rng(0))
    assert np.sum(feature_map([0.3, -2.0], frequencies) ** 2) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("loss, outputs", [("hinge", 1), ("logistic", 1), ("l2", 1), ("hinge", 3), ("logistic", 3)])
@pytest.mark.parametrize("power", [0.0, 0.5])
def test_fogd_is_kernel_gradient_descent_with_the_approximate_kernel(loss, outputs, power):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(25, 2))
    Y = rng.integers(0, 3, 25) if outputs == 3 else rng.normal(size=25) if loss == "l2" else rng.choice([-1, 1], 25)
    frequencies = gaussian_frequencies(9, 2, 0.8, rng)
    models = run(X, Y, frequencies, 0.3, loss, outputs, power)
    gram = np.array([[np.mean(np.cos(frequencies @ (x - z))) for z in X] for x in X])
    coefficients = np.zeros((25, outputs))
    for t in range(25):
        slope = derivative(loss, Y[t], gram[t] @ coefficients)
        coefficients[t] = -0.3 * (t + 1) ** (-power) * slope
        scores = np.array([predict(models[t], x, frequencies) for x in X])
        np.testing.assert_allclose(scores, gram @ coefficients, atol=1e-11)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_two_classes_follow_the_binary_run_with_twice_the_step(loss):
    """f_1 − f_0 moves by 2η where the binary f moves by η, and both losses depend on that difference alone."""
    rng = np.random.default_rng(9)
    X, Y = rng.normal(size=(30, 2)), rng.choice([-1, 1], 30)
    frequencies = gaussian_frequencies(6, 2, 0.8, rng)
    binary = run(X, Y, frequencies, 0.4, loss)
    paired = run(X, (Y + 1) // 2, frequencies, 0.2, loss, outputs=2)
    for one, two in zip(binary, paired, strict=True):
        np.testing.assert_allclose(two.weights[:, 1] - two.weights[:, 0], one.weights[:, 0], atol=1e-12)


@pytest.mark.parametrize("loss, outputs", [("logistic", 1), ("l2", 1), ("logistic", 4), ("l2", 4)])
def test_derivatives_by_differences(loss, outputs):
    def value(y, z):
        if loss == "l2":
            return 0.5 * float(np.sum((z - y) ** 2))
        return math.log(1 + math.exp(-y * z[0])) if outputs == 1 else math.log(np.sum(np.exp(z))) - z[y]

    rng = np.random.default_rng(10)
    z = rng.normal(size=outputs)
    y = rng.normal(size=outputs) if loss == "l2" else -1 if outputs == 1 else 2
    numeric = [(value(y, z + 1e-6 * e) - value(y, z - 1e-6 * e)) / 2e-6 for e in np.eye(outputs)]
    np.testing.assert_allclose(derivative(loss, y, z), numeric, atol=1e-8)
