"""Checks of the oracles themselves against mathematics, independent of any engine."""

import math

import numpy as np
import pytest

from . import bsgd, nbsgd, olk, oskl, pegasos, polk
from .bogd import weighted_q
from .common import (
    Draws,
    Expansion,
    cauchy,
    constant,
    crammer_singer,
    distance,
    epsilon_insensitive,
    exponential,
    gaussian,
    hinge,
    huber,
    inverse_multiquadric,
    inverse_time,
    l1,
    l2,
    laplacian,
    linear,
    logistic,
    multinomial,
    no_decay,
    oldest_of_equals,
    polynomial,
    power,
    quantile,
    squared_hinge,
    step_value,
    weight_decay,
)


def blobs(n, seed=0, classes=2, dim=2):
    """Overlapping clusters; labels -1/+1 for two classes, else the class index."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, classes, n)
    centre = rng.normal(size=(classes, dim))
    X = centre[label] + 0.7 * rng.normal(size=(n, dim))
    return X, 2 * label - 1 if classes == 2 else label


def random_expansion(n, outputs, seed, kernel=None, dim=2, spread=1.0):
    rng = np.random.default_rng(seed)
    f = Expansion(kernel or gaussian(0.5), dim, outputs)
    for j in range(n):
        f.append(spread * rng.normal(size=dim), rng.normal(size=outputs), j)
    return f


def same(a, b, tol=1e-10):
    assert len(a) == len(b)
    for s, r in zip(a, b, strict=True):
        assert s.sv.shape == r.sv.shape
        np.testing.assert_allclose(s.sv, r.sv, atol=tol)
        np.testing.assert_allclose(s.coef, r.coef, atol=tol)


# --------------------------------------------------------------------------------------------- common


def test_draws_known_values():
    d = Draws(0)
    assert d.next_uint64() == 0xE220A8397B1DCDAF
    assert d.next_uint64() == 0x6E789E6AA1B965F4
    assert Draws(0).uniform() == (0xE220A8397B1DCDAF >> 11) / 2**53
    assert Draws(0).below(10) == 8  # u = 0.8833...
    assert Draws(1234567).next_uint64() == 6457827717110365317


def test_draws_are_uniform():
    d = Draws(42)
    count = np.bincount([d.below(7) for _ in range(7000)], minlength=7)
    assert len(count) == 7
    assert np.sum((count - 1000.0) ** 2 / 1000.0) < 22.5  # chi-square, 6 degrees, p = 0.001


@pytest.mark.parametrize(
    ("loss", "outputs", "targets"),
    [
        (hinge, 1, (-1, 1)),
        (squared_hinge, 1, (-1, 1)),
        (logistic, 1, (-1, 1)),
        (exponential, 1, (-1, 1)),
        (crammer_singer, 4, (0, 3)),
        (multinomial, 4, (0, 3)),
        (l2, 1, (0.3, -2.0)),
        (l2, 3, (np.array([0.1, -0.5, 2.0]),)),
        (l1, 3, (np.array([0.1, -0.5, 2.0]), 0.3)),
        (epsilon_insensitive(0.4), 3, (np.array([0.1, -0.5, 2.0]),)),
        (huber(0.7), 3, (np.array([0.1, -0.5, 2.0]),)),
        (quantile(0.8), 3, (np.array([0.1, -0.5, 2.0]),)),
    ],
)
def test_loss_gradients(loss, outputs, targets):
    rng = np.random.default_rng(1)
    step = 1e-6
    for y in targets:
        for _ in range(30):
            z = 1.5 * rng.normal(size=outputs)
            _, g = loss(y, z)
            assert g.shape == (outputs,)
            for i in range(outputs):
                e = np.zeros(outputs)
                e[i] = step
                slope = (loss(y, z + e)[0] - loss(y, z - e)[0]) / (2 * step)
                assert g[i] == pytest.approx(slope, abs=2e-6 * max(1.0, abs(slope)))


def test_loss_values_and_edges():
    assert hinge(1, np.array([1.0]))[1][0] == 0.0
    assert hinge(-1, np.array([0.5])) == (1.5, np.array([1.0]))
    assert logistic(1, np.array([0.0]))[0] == pytest.approx(math.log(2))
    assert logistic(-1, np.array([2000.0]))[0] == 2000.0
    assert logistic(1, np.array([2000.0]))[1][0] == 0.0
    value, g = crammer_singer(1, np.array([0.5, 0.0, 0.5]))
    assert value == 1.5
    np.testing.assert_array_equal(g, [1.0, -1.0, 0.0])  # the lowest of the equal wrong classes
    assert not crammer_singer(1, np.array([0.0, 1.0, 0.0]))[1].any()
    assert multinomial(2, np.zeros(5))[0] == pytest.approx(math.log(5))
    assert l1(1.0, np.array([1.0]))[1][0] == 0.0
    assert huber(0.5)(0.0, np.array([2.0]))[0] == pytest.approx(0.5 * (2 - 0.25))
    assert quantile(0.9)(1.0, np.array([0.0]))[0] == pytest.approx(0.9)
    assert quantile(0.9)(-1.0, np.array([0.0]))[0] == pytest.approx(0.1)


@pytest.mark.parametrize(
    "kernel",
    [
        gaussian(0.7),
        laplacian(0.4),
        cauchy(1.3),
        inverse_multiquadric(0.8),
        polynomial(3, 0.5, 1.0),
        linear(),
    ],
)
def test_kernels_are_positive_semidefinite(kernel):
    K = random_expansion(12, 1, 3, kernel).gram()
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * np.trace(K)


def test_expansion_positions_values_and_norm():
    f = random_expansion(5, 3, 0)
    x, z = np.array([0.2, -0.4]), f.value(np.array([0.2, -0.4]))
    by_hand = sum(f.a[j] * math.exp(-0.5 * np.sum((f.x[j] - x) ** 2)) for j in range(5))
    np.testing.assert_allclose(z, by_hand)
    # ||f||^2 = sum_j a_j . f(x_j)
    assert f.norm2() == pytest.approx(sum(float(f.a[j] @ f.value(f.x[j])) for j in range(5)))
    f.remove(1)
    assert f.age == [0, 4, 2, 3]
    f.remove(3)
    assert f.age == [0, 4, 2]
    f.scale(0.0)
    assert len(f) == 0
    assert f.norm2() == 0.0
    assert f.snapshot().sv.shape == (0, 2)
    assert f.snapshot().coef.shape == (0, 3)


def test_distance_and_ball():
    f, g = random_expansion(4, 2, 1), random_expansion(6, 2, 2)
    inner = sum(float(f.a[i] @ g.value(f.x[i])) for i in range(4))
    assert distance(f, g) == pytest.approx(math.sqrt(f.norm2() + g.norm2() - 2 * inner))
    assert distance(f, f.copy()) == 0.0
    h = f.copy()
    h.ball(0.5 * math.sqrt(f.norm2()))
    assert h.norm2() == pytest.approx(0.25 * f.norm2())
    h.ball(10.0)
    assert h.norm2() == pytest.approx(0.25 * f.norm2())


def test_oldest_of_equals():
    assert oldest_of_equals([1.0, 1.0 + 1e-12, 2.0], [5, 3, 1]) == 1
    assert oldest_of_equals([1.0, 1.0 + 1e-6, 2.0], [5, 3, 1]) == 0
    assert oldest_of_equals([2.0, 1.0, 1.0], [0, 4, 4]) == 1
    assert oldest_of_equals([-1.0, -1.0 + 1e-12, 2.0], [5, 3, 1]) == 1
    assert oldest_of_equals([-1.0, -1.0 + 1e-6, 2.0], [5, 3, 1]) == 0


# -------------------------------------------------------------------------------------- SGD and Pegasos


def test_sgd_coefficients_have_a_closed_form():
    X, Y = blobs(40)
    lam = 0.05
    steps = pegasos.kernel_sgd(X, Y, kernel=gaussian(1.0), loss=hinge, lam=lam)
    for t, step in enumerate(steps, start=1):
        np.testing.assert_allclose(np.abs(step.coef), 1 / (lam * t), rtol=1e-12)
    offset = pegasos.kernel_sgd(X, Y, kernel=gaussian(1.0), loss=hinge, lam=lam, t0=2 / lam)
    np.testing.assert_allclose(np.abs(offset[-1].coef), 1 / (lam * (40 + 2 / lam)), rtol=1e-12)


def test_pegasos_approaches_the_optimum_inside_the_ball():
    """Kernel ridge regression has a closed form; SGD on shuffled repeats comes close to it."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(12, 1))
    Y = np.sin(X[:, 0])
    lam, kernel = 0.3, gaussian(1.0)
    order = np.concatenate([rng.permutation(12) for _ in range(8)])
    steps = pegasos.pegasos(X[order], Y[order], kernel=kernel, loss=l2, lam=lam, radius=1.0, t0=5.0)
    K = np.array([[kernel(a, b) for b in X] for a in X])
    alpha = np.linalg.solve(K + 12 * lam * np.eye(12), Y)
    best = K @ alpha
    got = np.array([step_value(kernel, steps[-1], x)[0] for x in X])
    assert np.max(np.abs(got - best)) < 0.1 * np.max(np.abs(best))
    assert all(s.norm2 <= 1.0 + 1e-12 for s in steps)


def test_minibatch_evaluates_before_it_adds():
    X = np.array([[0.0], [0.1], [0.2], [0.3]])
    Y = np.array([1.0, 1.0, 1.0, 1.0])
    steps = pegasos.run(X, Y, kernel=gaussian(1.0), loss=l2, rate=constant(0.5), decay=no_decay, batch=2)
    assert len(steps) == 2
    np.testing.assert_allclose(steps[0].coef[:, 0], [0.25, 0.25])  # -eta/m (0 - 1) at both
    f2 = 0.25 * (math.exp(-0.04) + math.exp(-0.01))
    assert steps[1].coef[2, 0] == pytest.approx(0.25 * (1 - f2))
    np.testing.assert_array_equal(steps[1].sv[:, 0], [0.0, 0.1, 0.2, 0.3])


# ------------------------------------------------------------------------------------------------ BSGD

ALL = ["random", "smallest", "oldest", "project", "project-best", "project-nearest", "merge", "merge-all"]


def bsgd_run(X, Y, maintenance, budget, loss=hinge, outputs=1, lam=0.02, **more):
    return bsgd.run(
        X,
        Y,
        kernel=gaussian(0.8),
        loss=loss,
        rate=inverse_time(lam),
        decay=weight_decay(lam),
        radius=1 / math.sqrt(lam),
        budget=budget,
        maintenance=maintenance,
        outputs=outputs,
        **more,
    )


@pytest.mark.parametrize("maintenance", ALL)
@pytest.mark.parametrize("classes", [2, 3])
def test_bsgd_budget_ball_and_large_budget(maintenance, classes):
    X, Y = blobs(60, seed=classes, classes=classes)
    loss, outputs = (hinge, 1) if classes == 2 else (crammer_singer, 3)
    steps = bsgd_run(X, Y, maintenance, 8, loss, outputs, seed=3)
    assert max(len(s.sv) for s in steps) == 8
    assert all(s.norm2 <= 1 / 0.02 * (1 + 1e-12) for s in steps)
    assert any(s.delta > 0.0 for s in steps)
    assert not any(s.delta for s in steps[:8])
    free = bsgd_run(X, Y, maintenance, 1000, loss, outputs, seed=3)
    plain = pegasos.pegasos(
        X, Y, kernel=gaussian(0.8), loss=loss, lam=0.02, radius=1 / math.sqrt(0.02), outputs=outputs
    )
    same(free, plain)


@pytest.mark.parametrize("maintenance", ALL)
def test_bsgd_minibatch_returns_to_the_budget(maintenance):
    X, Y = blobs(40, seed=5)
    steps = bsgd_run(X, Y, maintenance, 6, batch=4)
    assert len(steps) == 10
    assert max(len(s.sv) for s in steps) == 6


def test_removal_with_equal_coefficients_drops_the_oldest():
    """With hinge and eta = 1/(lam t) all |a_j| are equal but for rounding."""
    X, Y = blobs(60, seed=1)
    same(bsgd_run(X, Y, "smallest", 10), bsgd_run(X, Y, "oldest", 10))


def test_removal_counts_the_kernel_diagonal():
    f = Expansion(polynomial(2, 1.0, 0.0), 1, 1)
    f.append(np.array([3.0]), np.array([1.0]), 1)  # a^2 k = 81
    f.append(np.array([1.0]), np.array([2.0]), 2)  # a^2 k = 4
    assert bsgd.smallest(f) == 1


@pytest.mark.parametrize("seed", range(5))
def test_projection_residual_is_orthogonal(seed):
    f = random_expansion(7, 3, seed)
    p = bsgd.smallest(f)
    before, loss = f.copy(), bsgd.projection_losses(f)[p]
    bsgd.maintain(f, "project", Draws(0))
    assert len(f) == 6
    for x in f.x:
        np.testing.assert_allclose(before.value(x), f.value(x), atol=1e-9)
    assert distance(before, f) ** 2 == pytest.approx(loss, rel=1e-6)
    # orthogonality: the projection is the nearest point
    for j in range(6):
        moved = f.copy()
        moved.a[j] = moved.a[j] + 1e-3
        assert distance(before, moved) > distance(before, f)


@pytest.mark.parametrize("seed", range(5))
def test_project_best_has_the_least_loss(seed):
    f = random_expansion(7, 2, seed)
    Q = np.linalg.inv(f.gram())
    expected = [float(f.a[p] @ f.a[p]) / Q[p, p] for p in range(7)]
    np.testing.assert_allclose(bsgd.projection_losses(f), expected, rtol=1e-6)
    before = f.copy()
    bsgd.maintain(f, "project-best", Draws(0))
    assert distance(before, f) ** 2 == pytest.approx(min(expected), rel=1e-6)


def test_project_nearest_uses_the_normalised_kernel():
    f = Expansion(linear(), 2, 1)
    for i, x in enumerate([[1.0, 0.0], [9.0, 9.0], [2.0, 0.1], [0.0, 5.0], [-3.0, 0.2]]):
        f.append(np.array(x), np.array([1.0 + i]), i)
    assert bsgd.nearest(f, 0, 2) == [2, 4]
    g = random_expansion(9, 1, 4)
    p = bsgd.smallest(g)
    near = sorted(bsgd.others(g, p), key=lambda i: float(np.sum((g.x[i] - g.x[p]) ** 2)))
    assert bsgd.nearest(g, p, 4) == near[:4]
    before, kept = g.copy(), [g.x[i] for i in near[:4]]
    bsgd.maintain(g, "project-nearest", Draws(0))
    for x in kept:
        np.testing.assert_allclose(before.value(x), g.value(x), atol=1e-10)
    exact = before.copy()
    bsgd.maintain(exact, "project", Draws(0))
    assert distance(before, g) > distance(before, exact)


@pytest.mark.parametrize("rho", [1.0, 0.6, 0.0, -0.4, -1.0])
@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.01])
@pytest.mark.parametrize("kappa", [0.9999, 0.8, 0.4, 0.1, 1e-3])
def test_best_h_against_a_grid(rho, ratio, kappa):
    A, C, D = ratio**2, rho * ratio, 1.0
    h = bsgd.best_h(A, C, D, kappa)
    assert h <= 0.5
    if rho >= 0:
        assert h >= 0.0
    reach = 1.0 + 4.0 / math.sqrt(-math.log(kappa))
    grid = np.linspace(-reach, 1 + reach, 40001)
    highest = max(bsgd.merge_objective(A, C, D, kappa, g) for g in grid)
    top = bsgd.merge_objective(A, C, D, kappa, h)
    assert top >= highest - 1e-13
    assert top <= highest + 1e-4
    for shift in (1e-3, -1e-3):
        assert bsgd.merge_objective(A, C, D, kappa, h + shift) <= top


def test_merge_slope_is_the_derivative():
    A, C, D, kappa = 0.3, 0.2, 0.9, 0.35
    for h in (-0.7, 0.0, 0.2, 0.45):
        e = 1e-6
        numeric = bsgd.merge_objective(A, C, D, kappa, h + e) - bsgd.merge_objective(A, C, D, kappa, h - e)
        factor = -4 * math.log(kappa) * kappa ** (2 * h**2)
        assert bsgd.merge_slope(A, C, D, kappa, h) * factor == pytest.approx(numeric / (2 * e), rel=1e-6)


def test_symmetric_tie_is_settled():
    assert bsgd.best_h(1.0, 1.0, 1.0, 0.5) == pytest.approx(0.5, abs=1e-12)
    far = bsgd.best_h(1.0, 1.0, 1.0, 0.01)  # kappa < e^-2: two equal bumps, h and 1 - h
    assert 0.0 < far < 0.1
    mirrored = bsgd.merge_objective(1.0, 1.0, 1.0, 0.01, 1 - far)
    assert bsgd.merge_objective(1.0, 1.0, 1.0, 0.01, far) == pytest.approx(mirrored, rel=1e-14)


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_merge_is_the_best_single_point_in_the_plane(outputs, seed):
    """Against every z on a grid over the plane, not only on the line, with the least-squares coefficient."""
    kernel = gaussian(0.5)
    f = random_expansion(2, outputs, seed, kernel)
    f.a[1] = np.abs(f.a[1])
    f.a[0] = 0.6 * np.abs(f.a[0])
    m = bsgd.smallest(f)
    before, (loss, h) = f.copy(), bsgd.merge_loss(f, m, 1 - m)
    age = f.age[1 - m]
    bsgd.maintain(f, "merge", Draws(0))
    assert len(f) == 1
    assert f.age == [age]
    np.testing.assert_allclose(f.x[0], h * before.x[m] + (1 - h) * before.x[1 - m])
    assert distance(before, f) ** 2 == pytest.approx(loss, rel=1e-6, abs=1e-13)
    low = np.minimum(*before.x) - 1.0
    high = np.maximum(*before.x) + 1.0
    least, norm2 = np.inf, before.norm2()
    for u in np.linspace(low[0], high[0], 61):
        for v in np.linspace(low[1], high[1], 61):
            value = before.value(np.array([u, v]))  # the best coefficient at z is f(z), since k(z, z) = 1
            least = min(least, norm2 - float(value @ value))
    assert loss <= least + 1e-12
    assert least <= loss + 0.05 * norm2


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_merge_picks_the_best_partner_and_merge_all_the_best_pair(outputs, seed):
    f = random_expansion(7, outputs, seed)
    m = bsgd.smallest(f)

    def after(i, j):
        """Distance made by merging i and j, h from a fine grid."""
        A, C, D = f.a[i] @ f.a[i], f.a[i] @ f.a[j], f.a[j] @ f.a[j]
        kappa = f.kernel(f.x[i], f.x[j])
        h = max(np.linspace(0.0, 1.0, 8001), key=lambda h: bsgd.merge_objective(A, C, D, kappa, h))
        z = h * f.x[i] + (1 - h) * f.x[j]
        g = Expansion(f.kernel, 2, outputs)
        pair = Expansion(f.kernel, 2, outputs)
        for p in (i, j):
            pair.append(f.x[p], f.a[p], 0)
        g.append(z, pair.value(z), 0)
        return distance(pair, g)

    agreeing = [n for n in bsgd.others(f, m) if f.a[m] @ f.a[n] >= 0]
    assert agreeing
    merged = f.copy()
    bsgd.maintain(merged, "merge", Draws(0))
    assert len(merged) == 6
    assert distance(f, merged) == pytest.approx(min(after(m, n) for n in agreeing), rel=1e-3)

    pairs = [(i, j) for i in range(7) for j in range(i + 1, 7) if f.a[i] @ f.a[j] >= 0]
    everywhere = f.copy()
    bsgd.maintain(everywhere, "merge-all", Draws(0))
    assert distance(f, everywhere) == pytest.approx(min(after(i, j) for i, j in pairs), rel=1e-3)
    assert distance(f, everywhere) <= distance(f, merged) * (1 + 1e-9)


def test_merge_without_a_partner():
    opposed = Expansion(gaussian(1.0), 1, 1)
    opposed.append(np.array([0.0]), np.array([1.0]), 1)
    opposed.append(np.array([1.0]), np.array([-0.5]), 2)
    before = opposed.copy()
    bsgd.maintain(opposed, "merge", Draws(0))
    assert opposed.x[0][0] < 0.0  # extrapolates beyond the larger one
    removed = before.copy()
    removed.remove(1)
    assert distance(before, opposed) < distance(before, removed)
    alone = Expansion(gaussian(1.0), 1, 1)
    alone.append(np.array([0.0]), np.array([1.0]), 1)
    bsgd.maintain(alone, "merge", Draws(0))
    assert len(alone) == 0


def test_merge_takes_the_position_of_the_partner():
    f = Expansion(gaussian(1.0), 1, 1)
    for x, a, age in [(0.0, 0.1, 1), (5.0, 1.0, 2), (0.2, 1.0, 3), (9.0, 1.0, 4)]:
        f.append(np.array([x]), np.array([a]), age)
    bsgd.maintain(f, "merge", Draws(0))
    assert f.age == [4, 2, 3]
    assert 0.1 < f.x[2][0] < 0.2


def test_merging_refuses_other_kernels():
    f = random_expansion(3, 1, 0, cauchy(1.0))
    f.a = [np.abs(a) for a in f.a]
    with pytest.raises(ValueError, match="Gaussian"):
        bsgd.maintain(f, "merge", Draws(0))


def test_random_removal_is_uniform_over_all_positions():
    count = np.zeros(5)
    for seed in range(2000):
        f = random_expansion(5, 1, 0)
        bsgd.maintain(f, "random", Draws(seed))
        count[(set(range(5)) - set(f.age)).pop()] += 1
    assert np.sum((count - 400.0) ** 2 / 400.0) < 18.5  # chi-square, 4 degrees, p = 0.001


# ----------------------------------------------------------------------------------------------- NBSGD


@pytest.mark.parametrize("maintenance", nbsgd.MAINTENANCE)
def test_nbsgd_with_a_sure_coin_is_bsgd(maintenance):
    X, Y = blobs(50, seed=2)
    sure = nbsgd.run(X, Y, kernel=gaussian(0.8), loss=hinge, lam=0.02, budget=8, beta=1e9, maintenance=maintenance)
    reference = bsgd.run(
        X,
        Y,
        kernel=gaussian(0.8),
        loss=hinge,
        rate=inverse_time(0.02),
        decay=weight_decay(0.02),
        budget=8,
        maintenance=maintenance,
    )
    same(sure, reference)


def test_nbsgd_size_follows_the_coins():
    X, Y = blobs(120, seed=3)
    beta, budget = 30.0, 5
    steps = nbsgd.run(X, Y, kernel=gaussian(2.0), loss=logistic, lam=0.02, budget=budget, beta=beta, seed=9)
    draws, size = Draws(9), 0
    for t, step in enumerate(steps, start=1):  # logistic: every example is added
        size += 1
        if size > budget and draws.uniform() < min(beta / t, 1.0):
            size -= 1
            assert step.delta > 0.0
        else:
            assert step.delta == 0.0
        assert len(step.sv) == size
    assert size > 2 * budget
    # the expected growth is sum over t > beta of (1 - beta/t)
    expected = budget + sum(1 - beta / t for t in range(31, 121))
    assert abs(size - expected) < 4 * math.sqrt(sum(beta / t * (1 - beta / t) for t in range(31, 121)))


def test_nbsgd_draws_only_after_an_addition():
    X, Y = blobs(80, seed=3)
    beta, budget, kernel, lam = 10.0, 3, gaussian(0.5), 0.01
    steps = nbsgd.run(X, Y, kernel=kernel, loss=hinge, lam=lam, budget=budget, beta=beta, seed=1)
    draws, size, idle = Draws(1), 0, 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True), start=1):
        margin = y * step_value(kernel, steps[t - 2], x)[0] if t > 1 else 0.0
        if margin < 1.0:
            size += 1
            if size > budget and draws.uniform() < min(beta / t, 1.0):
                size -= 1
        elif size > budget:
            idle += 1
        assert len(steps[t - 1].sv) == size
    assert idle > 0


def test_nbsgd_ball_only_with_l2_and_small_lambda():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(40, 1))
    Y = 3 * np.sign(X[:, 0])
    y_max, more = 3.0, {"kernel": gaussian(1.0), "budget": 10, "beta": 20.0, "seed": 1}
    small = nbsgd.run(X, Y, loss=l2, lam=0.04, y_max=y_max, **more)
    assert max(s.norm2 for s in small) == pytest.approx(y_max**2 / 0.04)
    assert max(s.norm2 for s in nbsgd.run(X, Y, loss=l2, lam=0.04, y_max=1e9, **more)) > 2 * y_max**2 / 0.04
    free = nbsgd.run(X, Y, loss=l2, lam=1.5, **more)
    assert max(math.sqrt(s.norm2) for s in free) <= y_max / (1.5 - 1.0)  # Theorem 2


# ------------------------------------------------------------------------------------------------ POLK


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_komp_is_greedy_optimal_within_eps(outputs, seed):
    f = random_expansion(8, outputs, seed)
    eps = 0.4 * math.sqrt(f.norm2())
    tilde = f.copy()
    polk.komp(f, eps)
    assert 0 < len(f) < 8
    assert distance(tilde, f) <= eps
    for x in f.x:  # a re-fit interpolates f~ at the kept SVs
        np.testing.assert_allclose(tilde.value(x), f.value(x), atol=1e-9)
    # one more removal would break the bound: the increments ||a_j||^2 / Q_jj add up
    Q = np.linalg.inv(f.gram())
    total = distance(tilde, f) ** 2
    for j in range(len(f)):
        assert math.sqrt(total + float(f.a[j] @ f.a[j]) / Q[j, j]) > eps

    # the same path with the inverse Gram matrix
    g, spent = tilde.copy(), 0.0
    while len(g) > 0:
        Q = np.linalg.inv(g.gram())
        cost = [float(g.a[j] @ g.a[j]) / Q[j, j] for j in range(len(g))]
        j = int(np.argmin(cost))
        if math.sqrt(spent + cost[j]) > eps:
            break
        spent += cost[j]
        for i in bsgd.others(g, j):
            g.a[i] = g.a[i] - Q[i, j] / Q[j, j] * g.a[j]
        g.remove(j)
    assert g.age == f.age
    np.testing.assert_allclose(g.coefficients(), f.coefficients(), atol=1e-7)
    assert distance(tilde, f) ** 2 == pytest.approx(spent, rel=1e-6)


def test_komp_extremes():
    f = random_expansion(5, 2, 0)
    polk.komp(f, 0.0)
    assert len(f) == 5
    polk.komp(f, 1.01 * math.sqrt(f.norm2()))
    assert len(f) == 0


@pytest.mark.parametrize("batch", [1, 4])
def test_polk_stays_within_eps_at_every_update(batch):
    X, Y = blobs(60, seed=4, classes=3)
    eta, K, lam = 0.5, 0.4, 1e-3
    more = {
        "kernel": gaussian(0.8),
        "loss": crammer_singer,
        "rate": constant(eta),
        "decay": weight_decay(lam),
        "outputs": 3,
        "batch": batch,
    }
    steps = polk.run(X, Y, eps=polk.budget_constant(K), **more)
    assert all(s.delta <= K * eta**1.5 for s in steps)
    assert any(s.delta > 0 for s in steps)
    free = pegasos.run(X, Y, **more)
    assert len(steps[-1].sv) < 0.7 * len(free[-1].sv)
    same(polk.run(X, Y, eps=lambda eta: 0.0, **more), free)


def test_polk_diminishing():
    X, Y = blobs(40, seed=6)
    rate = inverse_time(0.5, 3.0)
    steps = polk.run(
        X,
        Y,
        kernel=gaussian(0.8),
        loss=logistic,
        rate=rate,
        decay=weight_decay(0.5),
        eps=polk.budget_diminishing,
    )
    assert all(s.delta <= rate(t) ** 2 for t, s in enumerate(steps, start=1))
    assert len(steps[-1].sv) < 40


# ------------------------------------------------------------------------------------- OLK, OLRU, OLRD


def test_olk_ball_and_sure_coin():
    X, Y = blobs(50, seed=7)
    more = {"kernel": gaussian(0.8), "loss": hinge, "rate": power(0.5, 0.5)}
    steps = olk.olk(X, Y, U=1.0, **more)
    assert max(s.norm2 for s in steps) == pytest.approx(1.0)
    same(olk.olru(X, Y, U=1.0, probability=constant(7.0), seed=5, **more), steps)
    same(olk.olrd(X, Y, U=1.0, budget=lambda t: 100, bound_kind="ball", **more), steps)
    free = pegasos.run(X, Y, decay=no_decay, **more)
    same(olk.olk(X, Y, U=None, **more), free)


def test_olru_is_unbiased():
    """Over many seeds the mean of the second iterate is the OLK step."""
    kernel, p, N = gaussian(1.0), 0.3, 4000
    X, Y = np.array([[0.0], [0.5]]), np.array([0.7, -1.0])
    x = np.array([0.1])
    first = np.zeros(N)
    for seed in range(N):
        steps = olk.olru(X, Y, kernel=kernel, loss=l2, rate=constant(0.2), probability=constant(p), U=None, seed=seed)
        first[seed] = step_value(kernel, steps[0], x)[0]
        if len(steps[0].sv):
            assert steps[0].coef[0, 0] == pytest.approx(0.2 * 0.7 / p)
    target = 0.2 * 0.7 * kernel(X[0], x)
    assert first.std() > 0
    assert abs(first.mean() - target) < 4 * first.std() / math.sqrt(N)


def test_olru_draws_one_number_per_example():
    X = np.zeros((6, 1))
    Y = np.array([1, 1, 1, 1, -1, 1])  # the step of 5 silences every positive example once one is in
    steps = olk.olru(
        X, Y, kernel=gaussian(1.0), loss=hinge, rate=constant(5.0), probability=constant(0.5), U=None, seed=2
    )
    draws, f, sizes = Draws(2), 0.0, []
    size = 0
    for y in Y:
        u = draws.uniform()
        if 1 - y * f > 0 and u < 0.5:
            f += y * 10.0
            size += 1
        sizes.append(size)
    assert [len(s.sv) for s in steps] == sizes
    assert 0 < sizes[-1] < 6


def test_discard_is_exactly_unbiased():
    f = random_expansion(6, 2, 8)
    x = np.array([0.3, 0.1])
    mean = np.zeros(2)
    for i in range(6):
        g = f.copy()
        olk.discard(g, i, olk.uniform_q(f))
        assert len(g) == 5
        mean += g.value(x) / 6
        # ||Delta||^2 = [q^2 ||f||^2 - 2 q a_i . f(x_i) + ||a_i||^2 k_ii] / (1 - q)^2
        q = 1 / 6
        shift = q**2 * f.norm2() - 2 * q * float(f.a[i] @ f.value(f.x[i])) + float(f.a[i] @ f.a[i])
        assert distance(f, g) ** 2 == pytest.approx(shift / (1 - q) ** 2)
    np.testing.assert_allclose(mean, f.value(x))


@pytest.mark.parametrize("q", [olk.uniform_q, olk.least_variance_q, weighted_q])
def test_any_discard_is_exactly_unbiased(q):
    f = random_expansion(6, 2, 8)
    x, shares = np.array([0.3, 0.1]), q(f)
    assert sum(shares) == pytest.approx(1.0) and min(shares) >= 0.0
    mean, spread = np.zeros(2), 0.0
    for i, share in enumerate(shares):
        g = f.copy()
        olk.discard(g, i, shares)
        mean += share * g.value(x)
        spread += share * distance(f, g) ** 2
    np.testing.assert_allclose(mean, f.value(x))
    assert spread <= bound_18(f, shares) * (1 + 1e-9)


def bound_18(f, q):
    """The right-hand side of (18)."""
    return sum(qi * float(f.a[i] @ f.a[i]) * f.self_kernel(i) / (1 - qi) ** 2 for i, qi in enumerate(q))


def test_least_variance_minimises_18():
    for seed in range(5):
        f = random_expansion(6, 2, seed)
        q = np.array(olk.least_variance_q(f))
        best, rng = bound_18(f, q), np.random.default_rng(seed)
        assert best < min(bound_18(f, olk.uniform_q(f)), bound_18(f, weighted_q(f)))
        for _ in range(200):
            near = np.abs(q + 0.01 * rng.normal(size=6))
            assert bound_18(f, near / near.sum()) >= best * (1 - 1e-9)


def test_theorem_3():
    """Constant: U sqrt(4 + 1/c^2) / sqrt(G T); falling: U sqrt(2 + 1/c^2) / sqrt(G t), with B = 1 + c sqrt(T or t)."""
    assert olk.theorem_3(3.0, lambda t: 1 + 2 * 10, G=4.0, T=100)(7) == pytest.approx(3 * math.sqrt(4.25) / 20)
    assert olk.theorem_3(3.0, olk.sqrt_budget(2.0))(25) == pytest.approx(3 * 1.5 / 5)


def test_olrd_is_unbiased_over_many_draws():
    """Without a bound and with a linear loss derivative, the mean over seeds of the discarded f is f."""
    kernel, N = gaussian(1.0), 3000
    X, Y = blobs(4, seed=11)
    x = np.array([0.2, 0.2])
    values = np.zeros(N)
    for seed in range(N):
        steps = olk.olrd(
            X,
            Y,
            kernel=kernel,
            loss=exponential,
            rate=constant(0.4),
            budget=lambda t: 3,
            U=1.0,
            bound_kind=None,
            seed=seed,
        )
        values[seed] = step_value(kernel, steps[3], x)[0]
    assert len(steps[3].sv) == 3
    target = olk.olk(X, Y, kernel=kernel, loss=exponential, rate=constant(0.4), U=None)[3]
    assert values.std() > 0
    assert abs(values.mean() - step_value(kernel, target, x)[0]) < 4 * values.std() / math.sqrt(N)


@pytest.mark.parametrize("kind", ["clip", "scale", "ball"])
def test_olrd_bounds(kind):
    X, Y = blobs(60, seed=12, classes=3)
    U, c = 2.0, 0.8
    steps = olk.olrd(
        X,
        Y,
        kernel=gaussian(0.8),
        loss=crammer_singer,
        rate=power(0.9, 0.5),
        budget=olk.sqrt_budget(c),
        U=U,
        bound_kind=kind,
        outputs=3,
        seed=1,
    )
    touched = 0
    for t, s in enumerate(steps, start=1):
        B = math.floor(1 + c * math.sqrt(t) + 0.5)
        assert len(s.sv) <= B
        assert s.norm2 <= U**2 * (1 + 1e-12)
        largest = float(np.linalg.norm(s.coef, axis=1).max())
        if kind != "ball":
            assert B * largest <= U * (1 + 1e-12)
            touched += B * largest > U * (1 - 1e-12)
    assert any(s.delta > 0 for s in steps)
    assert touched > 0 or kind == "ball"


def test_olrd_bound_keeps_what_it_should():
    f = Expansion(polynomial(2, 1.0, 0.0), 1, 2)  # k(x, x) = x^4
    f.append(np.array([2.0]), np.array([3.0, 4.0]), 1)  # ||a|| sqrt(k) = 20
    f.append(np.array([1.0]), np.array([0.6, 0.8]), 2)  # 1
    clip, scale = f.copy(), f.copy()
    olk.bound(clip, "clip", 10.0, 2)  # limit 5
    np.testing.assert_allclose(clip.coefficients(), [[0.75, 1.0], [0.6, 0.8]])
    olk.bound(scale, "scale", 10.0, 2)
    np.testing.assert_allclose(scale.coefficients(), [[0.75, 1.0], [0.15, 0.2]])


def test_olrd_budget_of_one_empties():
    X, Y = np.array([[0.0], [3.0]]), np.array([1, 1])
    steps = olk.olrd(X, Y, kernel=gaussian(1.0), loss=hinge, rate=constant(0.5), budget=lambda t: 1.4, U=9.0)
    np.testing.assert_allclose(steps[1].coef, [[0.5]])
    assert steps[1].sv[0, 0] == 3.0
    assert steps[1].delta == pytest.approx(0.5)


# ------------------------------------------------------------------------------------------------ OSKL


@pytest.mark.parametrize("G", [1.0, 4.0])
def test_oskl_number_of_support_vectors(G):
    X, Y = blobs(250, seed=13)
    kernel, R = gaussian(0.5), 4.0
    steps = oskl.run(X, Y, kernel=kernel, loss=logistic, eta=0.9 / G, G=G, R=R, seed=4)
    total = abs(logistic(Y[0], np.zeros(1))[1][0])
    for t in range(1, len(X)):
        total += abs(logistic(Y[t], step_value(kernel, steps[t - 1], X[t]))[1][0])
    count = len(steps[-1].sv)
    assert 0 < count < 250
    assert abs(count - total / G) <= 4 * math.sqrt(total / G)
    assert all(s.norm2 <= R**2 * (1 + 1e-12) for s in steps)
    assert [len(s.sv) for s in steps] == sorted(len(s.sv) for s in steps)  # nothing is removed


def test_oskl_step_is_unbiased_and_of_fixed_size():
    kernel, G, eta, N = gaussian(1.0), math.sqrt(2.0), 0.5, 3000
    X, Y = np.array([[0.0]]), np.array([1])
    mean = np.zeros(3)
    for seed in range(N):
        (step,) = oskl.run(X, Y, kernel=kernel, loss=multinomial, eta=eta, G=G, R=None, outputs=3, seed=seed)
        if len(step.sv):
            assert np.linalg.norm(step.coef) == pytest.approx(eta * G)
            mean += step.coef[0] / N
    g = multinomial(1, np.zeros(3))[1]
    P = np.linalg.norm(g) / G
    spread = eta * G * math.sqrt(P * (1 - P) / N)
    assert np.linalg.norm(mean + eta * g) < 4 * spread


def test_oskl_draws_one_number_per_example():
    X = np.zeros((12, 1))
    Y = np.array([1, 1, 1, -1, 1, 1, -1, -1, 1, -1, -1, 1])  # f is +5, 0 or -5: hinge is silent at times
    G = 2.0
    steps = oskl.run(X, Y, kernel=gaussian(1.0), loss=hinge, eta=2.5, G=G, R=None, seed=3)
    draws, f, size, silent = Draws(3), 0.0, 0, 0
    for t, y in enumerate(Y):
        u = draws.uniform()
        if y * f < 1.0:
            if u < 1 / G:
                f += y * 2.5 * G
                size += 1
        else:
            silent += 1
        assert len(steps[t].sv) == size
    assert silent > 0
    assert size > 1


def test_oskl_mean_excludes_the_last_and_includes_the_first():
    X, Y = blobs(5, seed=14)
    kernel = gaussian(0.5)
    steps = oskl.run(X, Y, kernel=kernel, loss=hinge, eta=0.1, G=1.0, R=None)
    x = np.array([0.1, 0.2])
    values = [step_value(kernel, s, x)[0] for s in steps]
    assert values[-1] != 0.0
    expected = (0.0 + values[0] + values[1] + values[2] + values[3]) / 5
    assert oskl.mean_value(kernel, steps, x)[0] == pytest.approx(expected)
