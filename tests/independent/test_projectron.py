"""Checks of the Projectron: projections by least squares in feature space, two classes against binary, progress."""

import itertools

import numpy as np
import pytest

from . import projectron as pr
from .budget_parts import best_wrong, class_step, gram, value


def gauss(x, z):
    return float(np.exp(-0.5 * np.sum((x - z) ** 2)))


def half(x, z):
    return 0.5 * gauss(x, z)


def quadratic(x, z):
    return float((0.5 + x @ z) ** 2)


def features(x):
    return np.concatenate([np.outer(x, x).ravel(), x, [0.5]])


def stream(n=120, classes=3, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    angle = np.arctan2(X[:, 1], X[:, 0]) + noise * rng.normal(size=n)
    return X, np.floor((angle / np.pi + 1) / 2 * classes).astype(int) % classes


def same(a, b, **tolerance):
    return all(
        np.array_equal(s.support, t.support) and np.allclose(s.coef, t.coef, **tolerance)
        for s, t in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("span", ["all", "own"])
@pytest.mark.parametrize("eta_on", ["single", "joint"])
@pytest.mark.parametrize("eta", [0.2, 0.5])
def test_two_classes_are_binary(plus, span, eta_on, eta):
    X, Y = stream(120, 2)
    one = pr.run_binary(X, 2 * Y - 1, gauss, eta, plus)
    two = pr.run_multiclass(X, Y, gauss, 2, eta, plus, span, 0.5, eta_on)
    pairs = [s._replace(coef=np.hstack([-s.coef, s.coef])) for s in one]
    assert same(pairs, two, rtol=1e-7, atol=1e-9)
    assert 3 < len(one[-1].support) < 100


@pytest.mark.parametrize("span", ["all", "own"])
@pytest.mark.parametrize("classes", [2, 4])
def test_weight_is_the_scale_of_the_kernel(span, classes):
    X, Y = stream(100, classes)
    a = pr.run_multiclass(X, Y, gauss, classes, 0.3, True, span, 0.5, "joint")
    b = pr.run_multiclass(X, Y, half, classes, 0.3, True, span, 1.0, "joint")
    assert same(a, b, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_single_and_joint_bounds_differ_by_a_factor(weight):
    X, Y = stream(100, 3)
    a = pr.run_multiclass(X, Y, gauss, 3, 0.3, True, "all", weight, "single")
    b = pr.run_multiclass(X, Y, gauss, 3, 0.3 * np.sqrt(2 * weight), True, "all", weight, "joint")
    assert same(a, b, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("span", ["all", "own"])
def test_projection_is_least_squares(span):
    rng = np.random.default_rng(3)
    support, x = rng.normal(size=(5, 3)), rng.normal(size=3)
    coef = rng.normal(size=(5, 4)) * (rng.random((5, 4)) < 0.6)
    F, target = np.array([features(s) for s in support]), features(x)
    assert np.allclose(gram(lambda a, b: features(a) @ features(b), support, support), F @ F.T)
    kernel = lambda a, b: float(features(a) @ features(b))  # noqa: E731
    u = class_step(2, 0, 4)
    change, inside, single, outside = pr.project_step(support, coef, kernel, x, u, span)
    p = r = 0.0
    for c in [0, 2]:
        rows = pr.class_span(coef, c, span)
        image = F[rows].T @ np.linalg.lstsq(F[rows].T, target, rcond=None)[0] if len(rows) else np.zeros_like(target)
        assert np.allclose(F.T @ change[:, c], u[c] * image)
        p, r = p + image @ image, r + (target - image) @ (target - image)
    assert (inside, outside) == (pytest.approx(p), pytest.approx(r))
    assert outside == pytest.approx(sum(s**2 for s in single))
    assert not change[:, [1, 3]].any()


def test_own_span_never_errs_less():
    rng = np.random.default_rng(4)
    for _ in range(20):
        support, x = rng.normal(size=(6, 2)), rng.normal(size=2)
        coef = rng.normal(size=(6, 3)) * (rng.random((6, 3)) < 0.5)
        u = class_step(0, 2, 3)
        single = [pr.project_step(support, coef, gauss, x, u, s)[2] for s in ["all", "own"]]
        assert all(a <= b + 1e-9 for a, b in zip(*single, strict=True))


def test_own_span_keeps_zero_coefficients_zero():
    X, Y = stream(150, 4)
    steps = pr.run_multiclass(X, Y, gauss, 4, 0.4, True, "own")
    for before, after in itertools.pairwise(steps):
        n = len(before.coef)
        assert not after.coef[:n][before.coef == 0].any()
    everywhere = pr.run_multiclass(X, Y, gauss, 4, 0.4, True, "all")
    assert len(everywhere[-1].support) <= len(steps[-1].support)


@pytest.mark.parametrize("span", ["all", "own"])
@pytest.mark.parametrize("weight", [0.5, 1.0])
@pytest.mark.parametrize("eta_on", ["single", "joint"])
def test_every_step_by_its_definition(span, weight, eta_on):
    """Replay a run: mistakes project or add, margin errors move the margin up to at most 1, all else is left alone."""
    X, Y = stream(100, 3)
    eta = 0.35
    steps = pr.run_multiclass(X, Y, gauss, 3, eta, True, span, weight, eta_on)
    counts = dict.fromkeys(["add", "project", "margin", "idle"], 0)
    for t, (before, after) in enumerate(itertools.pairwise(steps), start=1):
        z, after_z = value(*before, gauss, X[t]), value(*after, gauss, X[t])
        s = best_wrong(Y[t], z)
        m, n = weight * (z[Y[t]] - z[s]), weight * (after_z[Y[t]] - after_z[s])
        single = pr.project_step(*before, gauss, X[t], class_step(Y[t], s, 3), span)[2]
        joint = np.sqrt(weight * sum(d**2 for d in single))
        if len(after.coef) > len(before.coef):
            assert m <= 0 and (max(single) > eta if eta_on == "single" else joint > eta)
            assert n == pytest.approx(m + 2 * weight)
            counts["add"] += 1
        elif m <= 0:
            assert max(single) <= eta if eta_on == "single" else joint <= eta
            assert n == pytest.approx(m + 2 * weight - joint**2)
            counts["project"] += 1
        elif not np.array_equal(before.coef, after.coef):
            assert m < 1 and m < n <= 1 + 1e-9
            counts["margin"] += 1
        else:
            counts["idle"] += 1
    assert all(counts.values()), counts


def test_margin_step_never_loses_against_a_competitor():
    """With ||g|| <= 1/eta_D and margin of g at least 1, a margin step never takes f away from g."""
    rng = np.random.default_rng(7)
    tried = 0
    while tried < 40:
        support, x = rng.normal(size=(4, 2)), rng.normal(size=2)
        coef, weight, eta = rng.normal(size=(4, 3)), rng.choice([0.5, 1.0]), rng.uniform(0.05, 0.6)
        z = value(support, coef, gauss, x)
        s = best_wrong(0, z)
        m = weight * (z[0] - z[s])
        u = class_step(0, s, 3)
        change, inside, _, outside = pr.project_step(support, coef, gauss, x, u, "all")
        delta = np.sqrt(weight * outside)
        if not (0 < m < 1 and 1 - m > delta / eta):
            continue
        points = np.vstack([support, x[None]])
        K = gram(gauss, points, points)
        g = rng.normal(size=(5, 3))
        g[-1] += u * (1 - weight * u @ (K[-1] @ g)) / (2 * weight)
        if weight * np.sum(g * (K @ g)) > 1 / eta**2:
            continue
        tried += 1
        tau = pr.margin_step(1 - m, delta / eta, weight * inside)
        old, new = np.vstack([coef, np.zeros(3)]), np.vstack([coef + tau * change, np.zeros(3)])
        far = [weight * np.sum((h - g) * (K @ (h - g))) for h in [old, new]]
        assert far[1] <= far[0] + 1e-9


@pytest.mark.parametrize("span", ["all", "own"])
def test_zero_threshold_is_the_perceptron(span):
    X, Y = stream(40, 3)
    step = pr.run_multiclass(X, Y, gauss, 3, 1e-9, span=span)[-1]
    assert set(np.unique(step.coef)) <= {-1.0, 0.0, 1.0}
    assert (np.abs(step.coef).sum(axis=1) == 2).all()


def test_finite_feature_space_bounds_the_support():
    X, Y = stream(200, 3)
    step = pr.run_multiclass(X, Y, quadratic, 3, 1e-3)[-1]
    assert len(step.support) <= 6


def test_repeated_example_is_projected_exactly():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    steps = pr.run_multiclass(X, [0, 1, 2], gauss, 3, 0.1)
    assert len(steps[2].coef) == 2
    assert np.allclose(steps[2].coef[0] - steps[1].coef[0], [-1, 0, 1])
