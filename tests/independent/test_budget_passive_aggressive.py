"""Checks of BPA against brute-force optimisation, least squares in an explicit feature space, and the BPA-S formula."""

import numpy as np
import pytest

from . import budget_passive_aggressive as bpa
from .budget_parts import gram, oldest_minimum, value

SCHEMES = ["simple", "nearest", "projection"]


def gauss(x, z):
    return float(np.exp(-0.5 * np.sum((x - z) ** 2)))


def quadratic(x, z):
    return float((0.3 + x @ z) ** 2)


def stream(n=60, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0, 1, -1)


def brute_force(K, a, r, V, y, C):
    """The problem for candidate r by a general-purpose solver, over (b_V, xi); b_V in an orthonormal basis."""
    optimize = pytest.importorskip("scipy.optimize")
    basis = np.linalg.inv(np.linalg.cholesky(K[np.ix_(V, V)])).T

    def expand(b):
        new = a.copy()
        new[r] = 0.0
        new[V] += basis @ b[:-1]
        return new

    def goal(b):
        return 0.5 * bpa.squared_change(a, expand(b), K) + C * b[-1]

    limits = [
        {"type": "ineq", "fun": lambda b: y * K[-1] @ expand(b) - 1 + b[-1]},
        {"type": "ineq", "fun": lambda b: b[-1]},
    ]
    start = np.append(np.zeros(len(V)), 2 + abs(float(K[-1] @ a)))
    found = optimize.minimize(goal, start, constraints=limits, method="SLSQP", options={"maxiter": 500, "ftol": 1e-12})
    return bpa.objective(a, expand(found.x), K, y, C), expand(found.x)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("C", [0.05, 0.4, 10.0])
@pytest.mark.parametrize("kernel", [gauss, quadratic])
def test_every_candidate_solves_the_optimisation_problem(scheme, C, kernel):
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 4:
        points = rng.normal(size=(6, 3))
        coef, y = rng.normal(size=(5, 1)), rng.choice([-1, 1])
        K = gram(kernel, points, points)
        a = np.append(coef[:, 0], 0.0)
        if 1 - y * K[-1] @ a <= 0:
            continue
        tried += 1
        found = bpa.candidates(points[:5], coef, kernel, points[5], y, C, scheme)
        least = []
        for r, (V, new, _) in enumerate(found):
            best, numeric = brute_force(K, a, r, V, y, C)
            ours = bpa.objective(a, new, K, y, C)
            assert ours <= best * (1 + 1e-9)
            assert ours == pytest.approx(best, rel=1e-5, abs=1e-7)
            assert np.allclose(K @ new, K @ numeric, atol=2e-3)
            least.append(best)
        assert int(np.argmin(least)) == oldest_minimum([change for _, _, change in found])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_closed_form_is_pa_step_plus_projection(scheme):
    rng = np.random.default_rng(5)
    points = rng.normal(size=(7, 3))
    features = np.array([np.append(np.outer(p, p).ravel(), np.append(np.sqrt(0.6) * p, 0.3)) for p in points])
    K = gram(quadratic, points, points)
    assert np.allclose(features @ features.T, K)
    a, y, C = np.append(rng.normal(size=6), 0.0), 1, 0.2
    loss = 1 - y * K[-1] @ a
    tau = bpa.pa_step(loss, K[-1, -1], C)
    for r in range(6):
        V = bpa.changeable(r, K, scheme)
        new = bpa.replace(a, K, r, V, y, tau)
        basis = features[V].T
        nearest = basis @ np.linalg.lstsq(basis, features[r], rcond=None)[0]
        expected = features.T @ a + y * tau * features[-1] - a[r] * (features[r] - nearest)
        assert np.allclose(features.T @ new, expected, atol=1e-9)
        residual = a[r] ** 2 * np.sum((features[r] - nearest) ** 2)
        assert bpa.squared_change(a, new, K) == pytest.approx(residual + tau**2 * K[-1, -1])
        assert K[-1] @ new == pytest.approx(K[-1] @ a + y * tau * K[-1, -1])


def test_simple_scheme_is_the_printed_formula():
    X, _ = stream(7, 8)
    coef = np.random.default_rng(0).normal(size=(6, 1)) * 0.3
    support, x, y, C = X[:6], X[6], -1, 0.3
    found = bpa.candidates(support, coef, quadratic, x, y, C, "simple")
    kxx = quadratic(x, x)
    tau = bpa.pa_step(1 - y * value(support, coef, quadratic, x)[0], kxx, C)
    for r, (_, new, change) in enumerate(found):
        krx, a = quadratic(support[r], x), coef[r, 0]
        b = a * krx / kxx + y * tau
        assert new[-1] == pytest.approx(b)
        assert change == pytest.approx(a**2 * quadratic(support[r], support[r]) - 2 * a * b * krx + b**2 * kxx)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_budget_margin_and_order(scheme):
    X, Y = stream()
    steps = bpa.run(X, Y, gauss, 5, 0.7, scheme)
    full = 0
    for t, step in enumerate(steps):
        assert len(step.support) <= 5
        ages = [int(np.flatnonzero((s == X).all(axis=1))[0]) for s in step.support]
        assert ages == sorted(ages)
        if t == 0:
            continue
        before = Y[t] * value(*steps[t - 1], gauss, X[t])[0]
        after = Y[t] * value(*step, gauss, X[t])[0]
        if before < 1:
            assert ages[-1] == t
            assert after == pytest.approx(before + min(0.7, 1 - before))
            full += len(steps[t - 1].support) == 5
    assert full > 20


def test_larger_spans_lose_less():
    X, _Y = stream(8, 2)
    coef = np.random.default_rng(1).normal(size=(7, 1)) * 0.2
    changes = [[c for _, _, c in bpa.candidates(X[:7], coef, gauss, X[7], 1, 1.0, s)] for s in SCHEMES]
    assert (np.diff(np.array(changes), axis=0) <= 1e-12).all()


def test_large_budget_is_plain_pa_and_budget_one():
    X, Y = stream(25)
    plain = [bpa.run(X, Y, gauss, 100, 0.5, s)[-1] for s in SCHEMES]
    assert all(np.array_equal(plain[0].coef, p.coef) for p in plain)
    ones = [bpa.run(X, Y, gauss, 1, 0.5, s)[-1] for s in SCHEMES]
    assert all(np.allclose(ones[0].coef, p.coef) and len(p.coef) == 1 for p in ones)


def test_a_repeated_point_costs_nothing():
    support, coef = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), np.array([[0.3], [0.4], [-0.2]])
    found = bpa.candidates(support, coef, gauss, np.array([1.0, 0.0]), -1, 1.0, "projection")
    tau = bpa.pa_step(1 + value(support, coef, gauss, np.array([1.0, 0.0]))[0], 1.0, 1.0)
    assert oldest_minimum([c for _, _, c in found]) == 1
    assert found[1][1][-1] == pytest.approx(0.4 - tau)


def test_nearest_by_distance_and_by_kernel_differ_only_if_not_radial():
    points = np.array([[1.0, 0.0], [3.0, 0.0], [1.2, 0.1], [0.5, 0.5]])
    K = gram(gauss, points, points)
    assert bpa.nearest_to(0, K, 3) == bpa.nearest_to(0, K, 3, "kernel") == 2
    L = points @ points.T
    assert bpa.nearest_to(0, L, 3) == 2 and bpa.nearest_to(0, L, 3, "kernel") == 1
