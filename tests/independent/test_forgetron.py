"""Checks of the Forgetron: closed form of phi, the cost of a removal, budget and bounds, two classes against binary."""

import itertools

import numpy as np
import pytest

from . import forgetron as fg
from .budget_parts import gram, squared_norm


def gauss(x, z):
    return float(np.exp(-0.5 * np.sum((x - z) ** 2)))


def quadratic(x, z):
    return float((0.5 + x @ z) ** 2)


def stream(n=150, classes=3, seed=0, noise=0.6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    angle = np.arctan2(X[:, 1], X[:, 0]) + noise * rng.normal(size=n)
    return X, np.floor((angle / np.pi + 1) / 2 * classes).astype(int) % classes


def test_shrink_closed_form():
    rng = np.random.default_rng(1)
    for _ in range(300):
        sigma, krr, room = rng.uniform(0.05, 1.5), rng.uniform(0.3, 2), rng.uniform(0.01, 3)
        mu = rng.normal()
        A = sigma**2 * krr - 2 * sigma * mu
        known = 1.0 if A + 2 * sigma <= room else 2 * room / (2 * sigma + np.sqrt(4 * sigma**2 + 4 * A * room))
        phi = fg.largest_shrink(sigma, mu, krr, room)
        assert phi == pytest.approx(known, rel=1e-12)
        assert fg.psi(sigma * phi, phi * mu, krr) <= room
        if phi < 1:
            assert all(fg.psi(sigma * p, p * mu, krr) > room for p in np.linspace(phi * (1 + 1e-9), 1, 20))


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_psi_is_the_cost_of_a_removal(weight):
    """In w <., .>: change of ||f - g||^2 + the competitor's 2 lambda (1 - margin) = Psi, for any g."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(6, 2))
    K = gram(gauss, points, points)
    f, g = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    u = np.array([1.0, 0.0, -1.0]) if weight == 0.5 else np.array([1.0, 0.0, 0.0])
    sigma, phi = 0.7, 0.8
    f[0] = sigma * u
    mu, competitor = weight * u @ (K[0] @ f), weight * u @ (K[0] @ g)
    shrunk = phi * f
    removed = shrunk.copy()
    removed[0] = 0
    size = lambda h: weight * np.sum(h * (K @ h))  # noqa: E731
    change = size(removed - g) - size(shrunk - g)
    lam = sigma * phi
    assert change + 2 * lam * (1 - competitor) == pytest.approx(fg.psi(lam, phi * mu, K[0, 0]))
    if weight == 0.5:
        assert mu == pytest.approx(fg.class_margin(f[0], K[0] @ f))
        assert sigma == pytest.approx(np.linalg.norm(f[0]) / np.sqrt(2))


@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
@pytest.mark.parametrize("shrink", ["full", "always"])
@pytest.mark.parametrize("kernel", [gauss, quadratic])
def test_two_classes_are_the_binary_forgetron(variant, shrink, kernel):
    X, Y = stream(150, 2)
    one, two = [], []
    a = fg.run_binary(X, 2 * Y - 1, kernel, 6, variant, shrink, one)
    b = fg.run_multiclass(X, Y, kernel, 6, 2, variant, shrink, two)
    assert np.allclose(one, two, rtol=1e-9)
    for s, m in zip(a, b, strict=True):
        assert np.array_equal(s.support, m.support)
        assert np.allclose(np.hstack([-s.coef, s.coef]), m.coef, rtol=1e-9)
    assert one[-1][0] > 12


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_self_tuned_keeps_budget_and_its_account(classes):
    X, Y = stream(200, classes)
    record = []
    steps = fg.run_multiclass(X, Y, gauss, 7, classes, record=record)
    for mistakes, cost, phi in record:
        assert cost <= 15 / 32 * mistakes + 1e-12 and 0 < phi <= 1
    assert any(phi < 1 for _, _, phi in record)
    for step in steps:
        assert len(step.support) <= 7
        assert np.allclose(step.coef.sum(axis=1), 0)
        assert ((step.coef != 0).sum(axis=1) == 2).all()
        heights = np.abs(step.coef).max(axis=1)
        assert (np.diff(heights) >= -1e-15).all() and (heights <= 1).all()


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("shrink", ["full", "always"])
def test_basic_bounds(classes, shrink):
    """Removed coefficients are at most 1/sqrt(B + 1) from the start only if every mistake shrinks (small k: U idle)."""
    X, Y = stream(300, classes, noise=1.5)
    B = 5
    steps = fg.run_multiclass(X, Y, lambda x, z: 1e-4 * gauss(x, z), B, classes, "basic", shrink)
    top = (B + 1) ** (-1 / (2 * (B + 1)))
    seen, removed = 0, []
    for before, after in itertools.pairwise(steps):
        if len(before.coef) == B and not np.array_equal(before.support, after.support):
            phi = np.abs(after.coef[-1]).max()
            assert phi == pytest.approx(top)
            removed.append(phi * np.abs(before.coef[0]).max())
            seen += 1
    assert seen > 20
    bound = 1 / np.sqrt(B + 1) + 1e-12
    assert max(removed[B:]) <= bound
    assert (max(removed) <= bound) == (shrink == "always")


@pytest.mark.parametrize("classes", [2, 4])
def test_basic_norm_after_shrinking_is_at_most_the_radius(classes):
    X, Y = stream(200, classes, noise=1.0)
    budget = 6
    steps = fg.run_multiclass(X, Y, gauss, budget, classes, "basic")
    top, shrunk = 7 ** (-1 / 14), 0
    for before, after in itertools.pairwise(steps):
        if len(before.coef) == budget and not np.array_equal(before.support, after.support):
            phi = np.abs(after.coef[-1]).max()
            whole = np.vstack([phi * before.coef[:1], after.coef])
            norm = np.sqrt(0.5 * squared_norm(np.vstack([before.support[:1], after.support]), whole, gauss))
            assert norm <= fg.basic_radius(budget) * (1 + 1e-12)
            assert phi == pytest.approx(top) or norm == pytest.approx(fg.basic_radius(budget))
            shrunk += 1
    assert shrunk > 20
    assert fg.basic_radius(83) == pytest.approx(0.25 * np.sqrt(84 / np.log(84)))


def test_large_budget_is_the_perceptron():
    X, Y = stream(60, 3)
    for variant in ["self-tuned", "basic"]:
        step = fg.run_multiclass(X, Y, gauss, 1000, 3, variant)[-1]
        assert (np.abs(step.coef).max(axis=1) == 1).all()
