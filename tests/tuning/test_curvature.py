"""The curvature of the objective of the scales against finite differences in float64."""

import numpy as np
import pytest

from kernelstream.tuning import curvature as tuning_metric
from kernelstream.tuning.descent import Descent
from tests.reference import tuning as reference
from tests.tuning.test_descent import converged, task


def measured(kind, **more):
    own, X, T, Z, theta = task(kind, **more)
    descent = Descent(own, X, T, Z, 1e-3, X, T)
    point = np.concatenate([theta, Z.ravel().astype(float)])
    converged(descent, point)
    metric = descent.metric()
    metric.measure(point)
    return metric, descent, own, X, T, Z, theta


def scores(theta, Z, X, a):
    return reference.kernel_matrix(X, Z, np.exp(theta)) @ a


def gauss_newton(own, X, T, Z, theta, a):
    """DᵀD − DᵀK(KᵀK + P)⁻¹KᵀD over rows that are short of their margin, by differences of f = K a at fixed a."""
    a, step = a.astype(float), 1e-5
    each = [step * unit for unit in np.eye(len(theta))]
    D = [(scores(theta + e, Z, X, a) - scores(theta - e, Z, X, a)) / (2.0 * step) for e in each]
    K, rows = reference.kernel_matrix(X, Z, np.exp(theta)), len(X)
    short = (T * (K @ a) < 1.0).any(axis=1) if own.hinge else np.ones(rows, bool)
    P = 1e-3 * rows * reference.kernel_matrix(Z, Z, np.exp(theta)) + reference.RIDGE * rows * np.eye(len(Z))
    D, K = np.stack(D, axis=-1)[short], K[short]  # (rows, outputs, scales)
    found = np.zeros((len(theta), len(theta)))
    for own_output in np.moveaxis(D, 1, 0):
        found += own_output.T @ own_output
        found -= own_output.T @ K @ np.linalg.solve(K.T @ K + P, K.T @ own_output)
    return found / rows


@pytest.mark.parametrize("kind", ["numbers", "two classes"])
def test_the_curvature_in_the_scales_is_that_of_gauss_and_newton(kind, monkeypatch):
    monkeypatch.setattr(tuning_metric, "LEAST", 1e-9)
    metric, descent, own, X, T, Z, theta = measured(kind)
    found = (metric.vectors * metric.values) @ metric.vectors.T
    wanted = gauss_newton(own, X, T, Z, theta, descent.a)
    np.testing.assert_allclose(found, wanted, atol=1e-3 * np.abs(wanted).max())


def test_several_outputs_are_summed_with_random_signs(monkeypatch):
    monkeypatch.setattr(tuning_metric, "LEAST", 1e-9)
    monkeypatch.setattr(tuning_metric, "PROBES", 4000)
    metric, descent, own, X, T, Z, theta = measured("several numbers")
    found = (metric.vectors * metric.values) @ metric.vectors.T
    wanted = gauss_newton(own, X, T, Z, theta, descent.a)
    np.testing.assert_allclose(found, wanted, atol=0.1 * np.abs(wanted).max())


def test_the_inverse_is_applied_to_scales_and_centres():
    metric, *_, Z, theta = measured("numbers")
    column = np.random.default_rng(0).normal(size=(len(theta) + Z.size, 1))
    way = metric(column)[:, 0]
    matrix = (metric.vectors * metric.values) @ metric.vectors.T
    np.testing.assert_allclose(matrix @ way[: len(theta)], column[: len(theta), 0])
    np.testing.assert_allclose(metric.centres * way[len(theta) :], column[len(theta) :, 0])
    assert metric.values.min() >= tuning_metric.LEAST * metric.values.max() > 0.0


def test_centres_bend_as_their_kernel_values_do():
    metric, descent, _, X, _, Z, theta = measured("numbers")
    K, scales, a = reference.kernel_matrix(X, Z, np.exp(theta)), np.exp(theta), descent.a[:, 0].astype(float)
    gaps = X[:, None, :] - Z[None, :, :]
    slopes = 2.0 * K[:, :, None] * gaps * scales  # ∂κ/∂z in scaled columns
    own = np.square(a) * np.square(slopes).sum(axis=(0, 2)) / X.size
    wanted = np.maximum(own, own.mean())[:, None] * np.square(scales)
    np.testing.assert_allclose(metric.centres, wanted.ravel(), rtol=1e-3)


def test_of_many_columns_only_the_diagonal_is_used(monkeypatch):
    whole, *_ = measured("two classes")
    matrix = (whole.vectors * whole.values) @ whole.vectors.T
    monkeypatch.setattr(tuning_metric, "WIDEST", 2)
    monkeypatch.setattr(tuning_metric, "LEAST", 1e-9)
    metric, descent, own, X, T, Z, theta = measured("two classes")
    assert metric.vectors is None and matrix.shape == (3, 3)
    wanted = np.diag(gauss_newton(own, X, T, Z, theta, descent.a))
    np.testing.assert_allclose(metric.values, wanted, atol=1e-3 * wanted.max())
    np.testing.assert_allclose(metric(np.ones((3 + Z.size, 1)))[:3, 0] * metric.values, 1.0)


def test_rows_that_all_have_their_margin_tell_a_metric_too():
    own, X, T, Z, theta = task("two classes")
    descent = Descent(own, X, T, Z, 1e-3, X, T)
    point = np.concatenate([theta, Z.ravel().astype(float)])
    descent(point)
    metric = descent.metric()
    metric.T = np.where(reference.kernel_matrix(X, Z, np.exp(theta)) @ descent.a > 0.0, 1e9, -1e9)  # t f > 1 everywhere
    metric.measure(point)
    assert np.isfinite(metric(np.ones((len(point), 1)))).all() and metric.values.min() > 0.0
