"""Checks of the baselines' oracles against mathematics, independent of any engine."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from . import bogd, bsgd, fogd, forgetron, krls, norma, passive_aggressive, pegasos, perceptron, projectron, sparse_klr
from .common import (
    Draws,
    Expansion,
    constant,
    crammer_singer,
    distance,
    exponential,
    gaussian,
    gram,
    hinge,
    inverse_time,
    l2,
    linear,
    logistic,
    multinomial,
    no_decay,
    polynomial,
    power,
    step_value,
    weight_decay,
)
from .test_reference import blobs, random_expansion, same


def expansion(kernel, step):
    """The function of a recorded state."""
    f = Expansion(kernel, step.sv.shape[1], step.coef.shape[1])
    for x, a in zip(step.sv, step.coef, strict=True):
        f.append(x, a, 0)
    return f


def separable(n, seed, dim=15, margin=0.08):
    """Unit vectors with |u.x| >= margin, labels sgn(u.x), and g = u / margin, which has margin 1 on all."""
    rng = np.random.default_rng(seed)
    u = np.eye(dim)[0]
    X = rng.normal(size=(20 * n, dim))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X @ u) >= margin][:n]
    assert len(X) == n
    return X, np.sign(X @ u).astype(int), u / margin


def before(steps, t):
    """The state before example t (from 0); None for the zero function."""
    return steps[t - 1] if t else None


def scores(kernel, step, x, outputs):
    return step_value(kernel, step, x) if step is not None else np.zeros(outputs)


# ----------------------------------------------------------------------------------- perceptron and RBP


def test_direction():
    assert perceptron.direction(-1, np.array([2.0])) == (-2.0, np.array([-1.0]))
    margin, v = perceptron.direction(1, np.array([0.5, 0.0, 0.5]))
    assert margin == -0.5
    np.testing.assert_array_equal(v, [-1.0, 1.0, 0.0])  # the lowest of the equal wrong classes
    margin, v = perceptron.direction(0, np.array([0.5, 0.1, 0.2]))
    assert margin == 0.3
    np.testing.assert_array_equal(v, [1.0, 0.0, -1.0])


def test_perceptron_mistake_bound_and_its_hypothesis():
    X, Y, g = separable(400, seed=1)
    steps = perceptron.run(X, Y, kernel=linear())
    w, mistakes = np.zeros(X.shape[1]), 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True)):
        if y * (w @ x) <= 0:
            w, mistakes = w + y * x, mistakes + 1
        assert len(steps[t].sv) == mistakes
    np.testing.assert_allclose(steps[-1].coef[:, 0] @ steps[-1].sv, w, atol=1e-12)
    assert 20 < mistakes <= g @ g  # Novikoff


def test_two_classes_are_the_binary_perceptron():
    X, Y = blobs(80, seed=6)
    binary = perceptron.run(X, Y, kernel=gaussian(5.0))
    classes = perceptron.run(X, (Y + 1) // 2, kernel=gaussian(5.0), outputs=2)
    assert len(binary[-1].sv) > 10
    for b, c in zip(binary, classes, strict=True):
        np.testing.assert_array_equal(c.sv, b.sv)
        np.testing.assert_array_equal(c.coef, np.hstack([-b.coef, b.coef]))


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("lam", [None, 0.5])
def test_rbp_budget_and_newest(outputs, lam):
    X, Y = blobs(150, seed=6, classes=max(2, outputs))
    B = 7
    steps = perceptron.rbp(X, Y, kernel=gaussian(2.0), budget=B, lam=lam, outputs=outputs, seed=5)
    removed = 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True)):
        z = scores(gaussian(2.0), before(steps, t), x, outputs)
        margin, v = perceptron.direction(y, z)
        assert len(steps[t].sv) <= B
        removed += steps[t].delta > 0
        if margin <= 0:  # the newest is never removed, and has weight 1
            np.testing.assert_array_equal(steps[t].sv[-1], x)
            np.testing.assert_array_equal(steps[t].coef[-1], v)
            if steps[t].delta > 0 and lam is None:
                assert steps[t].delta == pytest.approx(math.sqrt(v @ v))
        elif t:
            np.testing.assert_array_equal(steps[t].coef, steps[t - 1].coef)
    assert removed > 5


def test_rbp_without_need_of_its_budget_is_the_perceptron():
    X, Y = blobs(60, seed=4)
    free = perceptron.run(X, Y, kernel=gaussian(2.0))
    same(perceptron.rbp(X, Y, kernel=gaussian(2.0), budget=len(free[-1].sv), seed=5), free, 0.0)


def test_rbp_removes_uniformly():
    X = np.eye(6)  # orthogonal: every example is a mistake
    count = np.zeros(5)
    for seed in range(1000):
        step = perceptron.rbp(X, np.ones(6, int), kernel=linear(), budget=5, seed=seed)[-1]
        count += 1 - step.sv[:, :5].sum(axis=0)
    assert count.sum() == 1000
    assert np.sum((count - 200.0) ** 2 / 200.0) < 18.5  # chi-square, 4 degrees, p = 0.001


def test_shifting_decay():
    lam = 0.7
    step = perceptron.rbp(np.eye(5), np.ones(5, int), kernel=linear(), budget=5, lam=lam)[-1]
    # the i-th mistake fades at those after it, each of which counts the mistakes before itself
    expected = [math.prod(1 - lam / (lam + k) for k in range(i, 5)) for i in range(1, 6)]
    np.testing.assert_allclose(step.coef[:, 0], expected)


# ----------------------------------------------------------------------------------------- Forgetron


def test_forgetron_closed_form_is_the_largest():
    rng = np.random.default_rng(0)
    grid = np.linspace(0.0, 1.0, 2001)[1:]
    concave = shrunk = 0
    for _ in range(400):
        sigma, mu, k_rr, c = rng.uniform(0.01, 1.5), rng.normal(), rng.uniform(0.1, 2), rng.uniform(0.01, 3)
        phi = forgetron.self_tuned(sigma, mu, k_rr, c)
        largest = grid[forgetron.psi(grid, sigma, mu, k_rr) <= c + 1e-12].max(initial=0.0)
        assert 0.0 < phi <= 1.0
        assert forgetron.psi(phi, sigma, mu, k_rr) <= c + 1e-12
        assert largest - 1e-9 <= phi <= largest + 1.01 / 2000
        shrunk += phi < 1.0
        concave += phi < 1.0 and sigma * k_rr < 2 * mu
    assert shrunk - concave > 50
    assert concave > 10


@pytest.mark.parametrize("unit", [1.0, math.sqrt(2.0)])
@pytest.mark.parametrize("outputs", [1, 3])
def test_forgetron_never_overspends(outputs, unit):
    X, Y = blobs(200, seed=6, classes=max(2, outputs))
    record = forgetron.trace(X, Y, kernel=gaussian(2.0), budget=6, unit=unit, outputs=outputs)
    assert all(15 / 32 * e.mistakes - e.Q > -1e-9 for e in record)
    assert all(len(e.step.sv) <= 6 for e in record)
    assert sum(e.phi < 1.0 for e in record) > 10
    assert sum(e.phi == 1.0 and e.step.delta > 0 for e in record) > 3
    assert any(15 / 32 * e.mistakes - e.Q < 1e-9 for e in record[-50:])  # the bound is touched
    for e, later in pairwise(record):
        assert (later.step.delta > 0) <= (later.mistakes == e.mistakes + 1)


@pytest.mark.parametrize("budget", [4, 12])
@pytest.mark.parametrize("seed", range(3))
def test_forgetron_mistakes_on_separable_data(budget, seed):
    """The potential argument of the paper, for any budget.

    ||f - g||^2 falls at a mistake by at least 2 - 1 (k = 1, g of margin 1), less the damage by removals, at most
    Q, and by shrinking, at most ||g||^2 (1 - phi) / (1 + phi) each:
    M - Q - ||g||^2 sum (1 - phi) / (1 + phi) <= ||g||^2 - ||f - g||^2, and Q <= (15/32) M.
    """
    X, Y, g = separable(300, seed)
    record = forgetron.trace(X, Y, kernel=linear(), budget=budget)
    teacher = Expansion(linear(), X.shape[1], 1)
    teacher.append(g, np.ones(1), 0)
    shrunk = 0.0
    for e in record:
        shrunk += (1 - e.phi) / (1 + e.phi)
        left = e.mistakes - e.Q - (g @ g) * shrunk
        right = (g @ g) - distance(expansion(linear(), e.step), teacher) ** 2
        assert left <= right + 1e-9
    assert record[-1].mistakes <= 32 / 17 * (g @ g) * (1 + shrunk)
    assert record[-1].mistakes > budget


def test_forgetron_mistake_bound_of_the_paper():
    """B >= 83, k <= 1 and ||g|| <= U: M <= 2 ||g||^2 + 4 sum of the hinge losses of g."""
    rng = np.random.default_rng(3)
    B, T = 83, 400
    angle = rng.uniform(-0.2, 0.2, size=T)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    Y = rng.permutation([-1] * 46 + [1] * (T - 46))
    g = np.array([1.02, 0.0])
    assert math.sqrt((B + 1) / math.log(B + 1)) / 4 > 1.02
    bound = 2 * g @ g + 4 * np.maximum(0.0, 1.0 - Y * (X @ g)).sum()
    record = forgetron.trace(X, Y, kernel=linear(), budget=B)
    assert B < record[-1].mistakes <= bound < T


def test_forgetron_within_its_budget_is_the_perceptron():
    X, Y = blobs(60, seed=4)
    free = perceptron.run(X, Y, kernel=gaussian(2.0))
    same(forgetron.run(X, Y, kernel=gaussian(2.0), budget=len(free[-1].sv)), free, 0.0)


def test_forgetron_basic_shrinks_by_the_budget_and_stays_in_the_ball():
    X, Y = blobs(200, seed=6)
    B = 6
    U = 0.25 * math.sqrt((B + 1) / math.log(B + 1))
    record = forgetron.trace(X, Y, kernel=gaussian(2.0), budget=B, variant="basic")
    shrinks = [e for e in record if e.step.delta > 0]
    assert len(shrinks) > 20
    assert all(e.phi <= (B + 1) ** (-0.5 / (B + 1)) for e in shrinks)
    assert forgetron.basic(2 * U, B) == pytest.approx(0.5)
    assert forgetron.basic(1e-3, B) == pytest.approx((B + 1) ** (-0.5 / (B + 1)))


@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
@pytest.mark.parametrize("outputs", [1, 3])
def test_forgetron_forgets_the_oldest_of_the_shrunk(outputs, variant):
    X, Y = blobs(120, seed=6, classes=max(2, outputs))
    kernel, age = gaussian(2.0), {tuple(x): t for t, x in enumerate(X)}
    record = forgetron.trace(X, Y, kernel=kernel, budget=6, variant=variant, outputs=outputs)
    shrinks = 0
    for t in range(1, len(X)):
        old, new = record[t - 1], record[t]
        coef = {age[tuple(x)]: a for x, a in zip(old.step.sv, old.step.coef, strict=True)}
        if new.mistakes > old.mistakes:
            margin, coef[t] = perceptron.direction(Y[t], step_value(kernel, old.step, X[t]))
            assert margin <= 0
        if len(coef) > 6:
            shrinks += 1
            r = min(coef)
            f = expansion(kernel, old.step)
            f.append(X[t], coef[t], 0)
            size = np.linalg.norm(coef[r])
            mu = float(coef[r] @ f.value(X[r])) / size
            spent = new.Q - old.Q
            assert spent == pytest.approx((size * new.phi) ** 2 + 2 * size * new.phi * (1 - new.phi * mu))
            coef = {j: new.phi * a for j, a in coef.items() if j != r}
        found = {age[tuple(x)]: a for x, a in zip(new.step.sv, new.step.coef, strict=True)}
        assert found.keys() == coef.keys()
        for j, a in coef.items():
            np.testing.assert_allclose(found[j], a, atol=1e-12)
    assert shrinks > 10


def test_forgetron_two_classes_in_units_of_sqrt_2_are_binary():
    X, Y = blobs(150, seed=6)
    more = {"kernel": gaussian(2.0), "budget": 6}
    for variant in ("self-tuned", "basic"):
        binary = forgetron.trace(X, Y, variant=variant, **more)
        classes = forgetron.trace(X, (Y + 1) // 2, variant=variant, unit=math.sqrt(2), outputs=2, **more)
        assert binary[-1].mistakes > 30
        for b, c in zip(binary, classes, strict=True):
            np.testing.assert_allclose(c.step.coef, np.hstack([-b.step.coef, b.step.coef]), atol=1e-9)
            assert c.phi == pytest.approx(b.phi)
            assert pytest.approx(b.Q) == c.Q


# ---------------------------------------------------------------------------------------- Projectron


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("outputs", [1, 3])
def test_projectron_residuals(outputs, plus):
    X, Y = blobs(150, seed=9, classes=max(2, outputs))
    kernel, eta = gaussian(0.8), 0.3
    steps = projectron.run(X, Y, kernel=kernel, eta=eta, plus=plus, outputs=outputs)
    added = folded = margins = skipped = 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True)):
        last = before(steps, t)
        n = len(last.sv) if last is not None else 0
        f = expansion(kernel, last) if n else Expansion(kernel, X.shape[1], outputs)
        margin, v = perceptron.direction(y, f.value(x))
        # the distance from the span, by a Cholesky factor of the Gram matrix with x last
        with_x = np.array(gram(kernel, [*f.x, x]))
        residual = np.linalg.cholesky(with_x + 1e-15 * np.eye(n + 1))[-1, -1]
        if len(steps[t].sv) > n:
            added += 1
            assert margin <= 0
            assert residual > eta
            np.testing.assert_array_equal(steps[t].coef[-1], v)
        elif margin <= 0:
            folded += 1
            assert residual <= eta + 1e-6
            assert steps[t].delta == pytest.approx(math.sqrt(v @ v) * residual, abs=1e-6)
        elif plus and margin < 1 and 1 - margin > residual / eta + 1e-6:
            margins += 1
            new = float(v @ step_value(kernel, steps[t], x))
            assert margin < new <= 1 + 1e-9
            size = float(v @ v) * (1 - residual**2)
            tau = min((1 - margin) / size, 2 * (1 - margin - residual / eta) / size, 1.0)
            assert new - margin == pytest.approx(tau * size, abs=1e-6)
        elif t:
            skipped += 1
            assert steps[t].norm2 == last.norm2
    assert min(added, folded, skipped) > 3
    assert (margins > 3) == plus


@pytest.mark.parametrize("plus", [False, True])
def test_projectron_dictionary_is_finite_on_an_interval(plus):
    """eta^2 < delta^2 <= 1 - k(x, x_j)^2 keeps the SVs apart, so that an interval holds finitely many."""
    rng = np.random.default_rng(10)
    X = rng.uniform(0, 3, size=(120, 1))
    Y = np.where(rng.uniform(size=120) < 0.5, -1, 1)  # noise: mistakes for ever
    gamma, eta = 1.0, 0.5
    gap = math.sqrt(-math.log(1 - eta**2) / (2 * gamma))
    steps = projectron.run(X, Y, kernel=gaussian(gamma), eta=eta, plus=plus)
    assert 1 < len(steps[-1].sv) <= 1 + 3 / gap
    assert len(steps[-1].sv) == len(steps[79].sv)
    assert np.diff(np.sort(steps[-1].sv[:, 0])).min() >= gap
    assert len(perceptron.run(X, Y, kernel=gaussian(gamma))[-1].sv) > 40


@pytest.mark.parametrize("outputs", [1, 3])
def test_projectron_plus_never_moves_away_from_a_good_teacher(outputs):
    """At a margin error, for every g of margin 1 with ||g|| ||v|| <= 1 / eta; this is why delta is not squared.

    The worst such g has all the weight that it can have along the residual of x.
    """
    bound = overshoot = squared = 0
    for seed in range(60):
        f = random_expansion(4, outputs, seed, gaussian(0.3))
        rng = np.random.default_rng(1000 + seed)
        x, y, target = rng.normal(size=2), 1, rng.uniform(0.05, 0.95)
        f.scale(math.copysign(1.0, perceptron.direction(y, f.value(x))[0]))
        f.scale(target / perceptron.direction(y, f.value(x))[0])
        margin, v = perceptron.direction(y, f.value(x))
        if not 0 < margin < 1:  # multi-class: the best wrong class changed with the sign
            continue
        d, kd, delta = projectron.projection(f, x)
        v2, loss = float(v @ v), 1.0 - margin
        eta = delta / (loss * rng.uniform(0.1, 0.99))
        if delta**2 + kd < eta**2:  # no g of margin 1 is that small
            continue
        tau = projectron.step_size(loss, delta / eta, v2 * kd)
        # g = v (c1 P phi + c2 (phi - P phi)) / ||v||^2 with c1 kd + c2 delta^2 = 1 and ||g|| = 1 / (eta ||v||)
        A, B, C = delta**2 + delta**4 / kd, -2 * delta**2 / kd, 1 / kd - 1 / eta**2
        c2 = (-B + math.sqrt(B * B - 4 * A * C)) / (2 * A)
        c1 = (1 - c2 * delta**2) / kd
        teacher = Expansion(f.kernel, 2, outputs)
        for xj, dj in zip(f.x, d, strict=True):
            teacher.append(xj, v / v2 * (c1 - c2) * dj, 0)
        teacher.append(x, v / v2 * c2, 0)
        assert float(v @ teacher.value(x)) == pytest.approx(1.0)
        assert teacher.norm2() * v2 == pytest.approx(1 / eta**2, rel=1e-6)

        def after(size, f=f, x=x, d=d, v=v):
            moved = f.copy()
            projectron.fold(moved, x, d, size * v)
            return moved

        start = distance(f, teacher)
        assert distance(after(tau), teacher) <= start + 1e-9
        if tau < min(1.0, loss / (v2 * kd)):  # the second term decides
            bound += 1
            overshoot += distance(after(1.5 * tau), teacher) > start
            wrong = projectron.step_size(loss, delta**2 / eta, v2 * kd)
            squared += distance(after(wrong), teacher) > start + 1e-9
    assert min(bound, overshoot, squared) > 3


@pytest.mark.parametrize("plus", [False, True])
def test_projectron_on_own_support_vectors(plus):
    """The same with one output or two classes; with more, nothing is gained outside of the class's own."""
    X, Y = blobs(120, seed=9)
    options = {"kernel": gaussian(0.8), "eta": 0.3, "plus": plus}
    same(projectron.run_own(X, Y, **options), projectron.run(X, Y, **options))
    labels = (Y + 1) // 2
    same(projectron.run_own(X, labels, outputs=2, **options), projectron.run(X, labels, outputs=2, **options))
    X, Y = blobs(120, seed=9, classes=4)
    steps = projectron.run_own(X, Y, outputs=4, **options)
    for last, step in pairwise(steps):
        assert not step.coef[: len(last.coef)][last.coef == 0.0].any()
    assert len(steps[-1].sv) > len(projectron.run(X, Y, outputs=4, **options)[-1].sv)


def test_projectron_with_a_large_eta_learns_nothing_and_with_a_small_one_is_the_perceptron():
    X, Y = blobs(40, seed=3)
    assert len(projectron.run(X, Y, kernel=gaussian(2.0), eta=1.0)[-1].sv) == 0
    same(projectron.run(X, Y, kernel=gaussian(2.0), eta=1e-12), perceptron.run(X, Y, kernel=gaussian(2.0)))


# ------------------------------------------------------------------------------- passive-aggressive


@pytest.mark.parametrize("variant", ["PA-I", "PA-II"])
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("kernel", [gaussian(0.8), polynomial(2)])
def test_pa_margin_after_the_update(variant, outputs, kernel):
    X, Y = blobs(80, seed=13, classes=max(2, outputs))
    C = 0.4 if variant == "PA-I" else 1.5
    steps = passive_aggressive.run(X, Y, kernel=kernel, C=C, variant=variant, outputs=outputs)
    idle = capped = 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True)):
        margin, v = perceptron.direction(y, scores(kernel, before(steps, t), x, outputs))
        if margin >= 1:
            assert t
            np.testing.assert_array_equal(steps[t].coef, steps[t - 1].coef)
            continue
        tau = float(np.abs(steps[t].coef[-1]).max())
        np.testing.assert_allclose(steps[t].coef[-1], tau * v, atol=1e-15)
        new = float(v @ step_value(kernel, steps[t], x))
        if variant == "PA-I":
            assert 0 < tau <= C
            if tau < C:
                idle += 1
                assert new == pytest.approx(1.0)
            else:
                capped += 1
                assert new <= 1.0 + 1e-12
        else:  # stationarity: 2 C xi = tau
            assert 2 * C * (1 - new) == pytest.approx(tau)
            idle, capped = idle + 1, capped + 1
    assert min(idle, capped) > 3


def best_change(f, x, v, loss, C, r, maintenance, variant):
    """The least of 1/2 ||f' - f||^2 + C xi (or xi^2) over f' in f - a_r k(x_r, .) + V_r, numerically."""
    points = [f.x[r], *[f.x[i] for i in passive_aggressive.kept(f, r, maintenance)], x]
    K = gram(f.kernel, points)
    free = (len(points) - 1, f.outputs)

    def unpack(p):
        return np.vstack([-f.a[r], p[:-1].reshape(free)])

    def objective(p):
        b = unpack(p)
        slack = p[-1] if variant == "PA-I" else p[-1] ** 2
        return 0.5 * float(np.sum((b @ b.T) * K)) + C * slack

    def gradient(p):
        slope = C if variant == "PA-I" else 2 * C * p[-1]
        return np.append((K @ unpack(p))[1:].ravel(), slope)

    constraints = [
        {"type": "ineq", "fun": lambda p: float(v @ (K[-1] @ unpack(p))) - (loss - p[-1])},
        {"type": "ineq", "fun": lambda p: p[-1]},
    ]
    first = np.append(np.zeros(math.prod(free)), loss)
    found = minimize(
        objective, first, jac=gradient, constraints=constraints, method="SLSQP", options={"ftol": 1e-13, "maxiter": 500}
    )
    assert found.success
    return found.fun, found.x[:-1].reshape(free)


@pytest.mark.parametrize("variant", ["PA-I", "PA-II"])
@pytest.mark.parametrize("maintenance", ["S", "NN", "P"])
@pytest.mark.parametrize("outputs", [1, 3])
def test_bpa_victim_and_coefficients_are_optimal(outputs, maintenance, variant):
    for seed in range(2):
        f = random_expansion(5, outputs, seed, gaussian(0.4))
        rng = np.random.default_rng(100 + seed)
        x, y, C = rng.normal(size=2), 1, 0.3
        margin, v = perceptron.direction(y, f.value(x))
        loss = 1.0 - margin
        if loss <= 0:
            f.scale(-1.0)
            margin, v = perceptron.direction(y, f.value(x))
            loss = 1.0 - margin
        assert loss > 0
        tau = passive_aggressive.step_size(loss, float(v @ v), C, variant)
        values = []
        for r in range(len(f)):
            value, b = best_change(f, x, v, loss, C, r, maintenance, variant)
            h = passive_aggressive.change(f, x, tau * v, r, maintenance)
            np.testing.assert_allclose(h.coefficients()[1:], b, atol=2e-4)
            slack = max(0.0, loss - float(v @ h.value(x)))
            ours = 0.5 * h.norm2() + C * (slack if variant == "PA-I" else slack**2)
            assert ours <= value + 1e-9
            values.append(value)
        r = passive_aggressive.victim(f, x, tau * v, maintenance)
        assert values[r] == pytest.approx(min(values), abs=1e-8)
        assert max(values) > 1.05 * min(values)
        g = f.copy()
        passive_aggressive.replace(g, x, tau * v, r, maintenance, 9)
        expected = f.copy()
        h = passive_aggressive.change(f, x, tau * v, r, maintenance)
        for xi, ai in zip(h.x, h.a, strict=True):
            expected.append(xi, ai, 0)
        for z in rng.normal(size=(4, 2)):
            np.testing.assert_allclose(g.value(z), expected.value(z), atol=1e-12)
        assert f.age[r] not in g.age


def test_bpa_s_is_the_printed_formula():
    f = random_expansion(6, 1, 1, polynomial(2))
    x, tau, y = np.array([0.3, -0.4]), 0.2, -1
    kxx = f.kernel(x, x)
    costs = []
    for r in range(6):
        k_rx, a = f.kernel(f.x[r], x), f.a[r][0]
        b = a * k_rx / kxx + y * tau
        h = passive_aggressive.change(f, x, np.array([y * tau]), r, "S")
        assert h.a[-1][0] == pytest.approx(b)
        costs.append(a**2 * f.self_kernel(r) - 2 * a * b * k_rx + b**2 * kxx)
        assert h.norm2() == pytest.approx(costs[-1])
    assert passive_aggressive.victim(f, x, np.array([y * tau]), "S") == int(np.argmin(costs))


@pytest.mark.parametrize("outputs", [1, 3])
def test_bpa_budget_and_order_of_quality(outputs):
    X, Y = blobs(30, seed=14, classes=max(2, outputs))
    kernel, B, C = gaussian(1.5), 8, 0.5
    more = {"kernel": kernel, "C": C, "outputs": outputs}
    free = passive_aggressive.run(X, Y, **more)
    same(passive_aggressive.bpa(X, Y, budget=len(free[-1].sv), **more), free, 0.0)
    for maintenance in ("S", "NN", "P"):
        steps = passive_aggressive.bpa(X, Y, budget=B, maintenance=maintenance, **more)
        assert max(len(s.sv) for s in steps) == B
        full = 0
        for t in range(1, len(X)):
            margin, v = perceptron.direction(Y[t], step_value(kernel, steps[t - 1], X[t]))
            if margin < 1 and len(steps[t - 1].sv) == B:
                full += 1
                f = expansion(kernel, steps[t - 1])
                tau = passive_aggressive.step_size(1 - margin, float(v @ v), C, "PA-I")
                assert float(v @ step_value(kernel, steps[t], X[t])) == pytest.approx(margin + tau * float(v @ v))
                least = {}
                for kind in ("S", "NN", "P"):  # what is lost shrinks as V_r grows
                    costs = [passive_aggressive.change(f, X[t], tau * v, r, kind).norm2() for r in range(B)]
                    least[kind] = math.sqrt(max(0.0, min(costs) - tau**2 * float(v @ v)))
                assert steps[t].delta == pytest.approx(least[maintenance], abs=1e-6)
                assert least["P"] <= least["NN"] + 1e-6
                assert least["NN"] <= least["S"] + 1e-6
        assert full > 4


# ------------------------------------------------------------------------------------- NORMA, BOGD


def test_norma_truncation():
    X, Y = blobs(80, seed=15)
    kernel, eta, lam, B = gaussian(0.8), 0.3, 0.2, 10
    more = {"kernel": kernel, "loss": hinge, "budget": B}
    steps = norma.run(X, Y, rate=constant(eta), lam=lam, **more)
    bound = eta * (1 - eta * lam) ** B
    cut = [s.delta for s in steps if s.delta > 0]
    assert len(cut) > 10
    assert max(cut) <= bound + 1e-12  # the paper's truncation error
    assert max(cut) > 0.99 * bound
    same(steps, bsgd.run(X, Y, rate=constant(eta), decay=weight_decay(lam), maintenance="oldest", **more), 0.0)
    rate = power(0.5, 0.5)
    free = pegasos.run(X, Y, kernel=kernel, loss=logistic, rate=rate, decay=weight_decay(lam))
    windowed = norma.run(X, Y, kernel=kernel, loss=logistic, rate=rate, lam=lam, budget=B)
    for w, s in zip(windowed, free, strict=True):  # until the first cut the same; then the newest B
        assert len(w.sv) == min(B, len(s.sv))
    order = np.argsort([list(map(tuple, X)).index(tuple(x)) for x in windowed[-1].sv])
    np.testing.assert_array_equal(windowed[-1].sv[order], X[-B:])


@pytest.mark.parametrize("outputs", [1, 3])
def test_bogd_discards_are_exactly_unbiased(outputs):
    x = np.array([0.3, 0.1])
    for seed in range(5):
        f = random_expansion(6, outputs, seed, polynomial(2))
        for q in (bogd.uniform_q(f), bogd.weighted_q(f)):
            assert sum(q) == pytest.approx(1.0)
            assert 0.0 <= min(q) < max(q) + 1e-15 <= 1.0 + 1e-15
            mean = np.zeros(outputs)
            for r in range(6):
                if q[r] > 0:
                    g = f.copy()
                    bogd.discard(g, r, q)
                    assert len(g) == 5
                    mean += q[r] * g.value(x)
            np.testing.assert_allclose(mean, f.value(x))


def test_bogd_plus_prefers_small_weights_and_clips_the_negative():
    f = Expansion(gaussian(1.0), 1, 1)
    for j, a in enumerate([1.0] * 99 + [1.1]):  # the example of He and Kwok: raw q_100 = -0.088
        f.append(np.array([float(j)]), np.array([a]), j)
    q = bogd.weighted_q(f)
    assert q[99] == 0.0
    assert min(q[:99]) == max(q[:99]) == pytest.approx(1 / 99)
    g = Expansion(polynomial(2, 1.0, 0.0), 1, 1)  # k(x, x) = x^4, so w = |a| x^2 = 4, 3, 4
    for x, a in [(1.0, 4.0), (1.0, -3.0), (2.0, 1.0)]:
        g.append(np.array([x]), np.array([a]), 0)
    np.testing.assert_allclose(bogd.weighted_q(g), [3 / 11, 5 / 11, 3 / 11])
    g.a[1] = np.array([0.0])  # w = 4, 0, 4: raw q = 0, 1, 0
    assert bogd.weighted_q(g) == [0.0, 1.0, 0.0]
    bogd.discard(g, 1, bogd.weighted_q(g))
    np.testing.assert_array_equal(g.coefficients(), [[4.0], [1.0]])


def test_bogd_inverse_cdf():
    q = [0.0, 0.25, 0.0, 0.5, 0.25, 0.0]
    assert [bogd.position(u, q) for u in (0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999999)] == [1, 1, 3, 3, 4, 4]
    assert bogd.position(1.0 - 1e-17, [0.3, 0.7 - 1e-15, 0.0]) == 1


@pytest.mark.parametrize("plus", [False, True])
def test_bogd_is_unbiased_over_many_draws_before_the_clip(plus):
    kernel, N = gaussian(1.0), 1000
    X, Y = blobs(4, seed=11)
    x = np.array([0.2, 0.2])
    more = {"kernel": kernel, "loss": exponential, "rate": constant(0.4), "lam": 0.3}
    values = np.zeros(N)
    for seed in range(N):
        step = bogd.run(X, Y, budget=3, plus=plus, seed=seed, **more)[3]
        assert len(step.sv) == 3
        values[seed] = step_value(kernel, step, x)[0]
    target = bogd.run(X, Y, budget=9, plus=plus, **more)[3]
    assert values.std() > 0
    assert abs(values.mean() - step_value(kernel, target, x)[0]) < 4 * values.std() / math.sqrt(N)


@pytest.mark.parametrize("plus", [False, True])
def test_bogd_clip_and_budget(plus):
    X, Y = blobs(50, seed=16, classes=3)
    more = {"kernel": gaussian(0.8), "loss": multinomial, "rate": constant(0.3), "lam": 0.05, "outputs": 3}
    B, gamma = 6, 1.1
    steps = bogd.run(X, Y, budget=B, gamma=gamma, plus=plus, seed=1, **more)
    free = bogd.run(X, Y, budget=B, plus=plus, seed=1, **more)
    assert max(len(s.sv) for s in steps) == B
    sizes = np.concatenate([np.linalg.norm(s.coef, axis=1) for s in steps])
    assert sizes.max() == pytest.approx(gamma * 0.3)
    assert np.linalg.norm(free[-1].coef, axis=1).max() > 1.05 * gamma * 0.3
    for t, s in enumerate(steps):
        np.testing.assert_array_equal(s.sv[-1], X[t])  # every example has a gradient and enters
        assert (s.delta > 0) == (t >= B)
    same(
        bogd.run(X, Y, budget=99, **more),
        pegasos.run(
            X,
            Y,
            kernel=more["kernel"],
            loss=multinomial,
            rate=constant(0.3),
            decay=weight_decay(0.05),
            outputs=3,
        ),
        0.0,
    )


# ------------------------------------------------------------------------------------- sparse KLR


def test_sparse_klr_probabilities_and_steps():
    for z in np.concatenate([np.linspace(-8, 8, 33), [-900.0, 900.0]]):
        for eta in (0.01, 0.5, 1.0, 1.9):
            P, c = sparse_klr.margin_rule(z, eta)
            assert (2 - eta) / 2 <= P <= 1
            assert c == pytest.approx(-logistic(1, np.array([z]))[1][0])
        for gamma in (1.001, 2.0, 50.0):
            P, c = sparse_klr.auxiliary_rule(z, gamma)
            assert 0 <= P <= 1
            assert 0 <= c <= 1
            if abs(z) < 9:
                assert math.log(1 + math.exp(-z)) / math.log(gamma + math.exp(-z)) == pytest.approx(P)
                slope = (math.log(gamma + math.exp(-z - 1e-6)) - math.log(gamma + math.exp(-z + 1e-6))) / 2e-6
                assert c == pytest.approx(-slope, abs=1e-8)
    assert sparse_klr.margin_rule(-5.0, 0.5)[0] > sparse_klr.margin_rule(5.0, 0.5)[0]
    assert sparse_klr.auxiliary_rule(-5.0, 2.0)[0] > 10 * sparse_klr.auxiliary_rule(5.0, 2.0)[0]


@pytest.mark.parametrize("rule", ["margin", "auxiliary"])
def test_sparse_klr_draws_and_ball(rule):
    X, Y = blobs(100, seed=17)
    kernel, R = gaussian(0.8), 2.0
    if rule == "margin":
        eta = 1.0
        steps = sparse_klr.margin(X, Y, kernel=kernel, eta=eta, R=R, seed=3)
    else:
        eta = 0.5
        steps = sparse_klr.auxiliary(X, Y, kernel=kernel, eta=eta, gamma=2.0, R=R, seed=3)
    draws, expected, variance, size = Draws(3), 0.0, 0.0, 0
    for t, (x, y) in enumerate(zip(X, Y, strict=True)):
        z = y * scores(kernel, before(steps, t), x, 1)[0]
        P = sparse_klr.margin_rule(z, eta)[0] if rule == "margin" else sparse_klr.auxiliary_rule(z, 2.0)[0]
        expected, variance = expected + P, variance + P * (1 - P)
        size += draws.uniform() < P
        assert len(steps[t].sv) == size
        assert steps[t].norm2 <= R**2 * (1 + 1e-12)
    assert 10 < size < 95
    assert abs(size - expected) < 4 * math.sqrt(variance)
    assert max(s.norm2 for s in steps) == pytest.approx(R**2)


def test_sparse_klr_refuses_what_is_no_probability():
    X, Y = blobs(5)
    with pytest.raises(ValueError, match="eta"):
        sparse_klr.margin(X, Y, kernel=gaussian(1.0), eta=2.0)
    with pytest.raises(ValueError, match="gamma"):
        sparse_klr.auxiliary(X, Y, kernel=gaussian(1.0), eta=0.1, gamma=1.0)


# -------------------------------------------------------------------------------------------- KRLS


def test_krls_interpolates_independent_points():
    rng = np.random.default_rng(18)
    X, Y = rng.uniform(-3, 3, size=(12, 2)), rng.normal(size=(12, 2))
    kernel = gaussian(1.0)
    steps = krls.run(X, Y, kernel=kernel, nu=0.0, outputs=2)
    for t, step in enumerate(steps, start=1):
        batch = np.linalg.solve(gram(kernel, list(X[:t])), Y[:t])
        np.testing.assert_allclose(step.coef, batch, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("nu", [0.01, 0.2])
@pytest.mark.parametrize("outputs", [1, 2])
def test_krls_is_batch_least_squares_on_the_projected_examples(nu, outputs):
    rng = np.random.default_rng(19)
    X = rng.uniform(-2, 2, size=(60, 1))
    Y = np.sin(2 * X) + 0.1 * rng.normal(size=(60, outputs))
    if outputs == 1:
        Y = Y[:, 0]
    kernel = gaussian(0.7)
    steps = krls.run(X, Y, kernel=kernel, nu=nu, outputs=outputs)
    rows = []
    for t, step in enumerate(steps):
        sv = list(step.sv)
        n, K = len(sv), gram(kernel, sv)
        m = len(steps[t - 1].sv) if t else 0
        k = np.array([kernel(s, X[t]) for s in sv[:m]])
        a = np.linalg.solve(K[:m, :m], k)
        residual = 1.0 - k @ a
        assert (n > m) == (residual > nu)
        rows.append(np.eye(n)[-1] if n > m else a)
        A = np.array([np.pad(row, (0, n - len(row))) for row in rows])
        batch = np.linalg.lstsq(A @ K, Y[: t + 1].reshape(t + 1, outputs), rcond=None)[0]
        np.testing.assert_allclose(step.coef, batch, atol=1e-6)
    assert 2 < n < 20
    fit = np.array([step_value(kernel, steps[-1], x) for x in X])
    assert np.abs(fit - np.sin(2 * X)).mean() < (0.1 if nu < 0.1 else 0.5)


# -------------------------------------------------------------------------------------- FOGD, NOGD


def test_box_muller():
    normal = np.array(fogd.normals(Draws(7), 20001))
    assert len(normal) == 20001
    for power_, moment, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs(np.mean(normal**power_) - moment) < 4 * math.sqrt(spread / 20001)
    assert abs(np.mean(normal[0:20000:2] * normal[1:20000:2])) < 0.04
    draws = Draws(7)
    u, v = draws.uniform(), draws.uniform()
    assert normal[0] == math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * v)
    assert normal[1] == math.sqrt(-2 * math.log(1 - u)) * math.sin(2 * math.pi * v)
    w = fogd.frequencies(Draws(7), 3, 2, 0.5)  # 2 gamma = 1
    np.testing.assert_array_equal(w, normal[:6].reshape(3, 2))


def test_fourier_features_approximate_the_gaussian_kernel():
    rng = np.random.default_rng(20)
    X, gamma = rng.normal(size=(15, 3)), 0.4
    kernel = gaussian(gamma)
    for D in (50, 5000):
        w = fogd.frequencies(Draws(1), D, 3, gamma)
        Z = np.array([fogd.features(w, x) for x in X])
        assert Z.shape == (15, 2 * D)
        np.testing.assert_allclose(np.sum(Z**2, axis=1), 1.0)
        error = np.abs(Z @ Z.T - gram(kernel, list(X))).max()
        assert error < 4 / math.sqrt(D)  # a mean of D cosines, each of variance at most 1
    assert error < 0.06


@pytest.mark.parametrize("outputs", [1, 3])
def test_fogd_is_kernel_gradient_descent_with_the_approximate_kernel(outputs):
    X, Y = blobs(50, seed=21, classes=max(2, outputs))
    loss = hinge if outputs == 1 else crammer_singer
    w = fogd.frequencies(Draws(5), 20, 2, 0.6)

    def kernel(x, z):
        return float(fogd.features(w, x) @ fogd.features(w, z))

    for decay in (no_decay, weight_decay(0.1)):
        more = {"loss": loss, "rate": constant(0.8), "decay": decay, "outputs": outputs}
        steps = fogd.fogd(X, Y, gamma=0.6, D=20, seed=5, **more)
        reference = pegasos.run(X, Y, kernel=kernel, **more)
        for s, r in zip(steps, reference, strict=True):
            Z = np.array([fogd.features(w, x) for x in r.sv])
            np.testing.assert_allclose(s.weights, Z.T @ r.coef, atol=1e-12)
            assert s.norm2 == pytest.approx(r.norm2)
        assert 5 < len(reference[-1].sv) < 50


@pytest.mark.parametrize("outputs", [1, 3])
def test_nogd_of_full_rank_is_gradient_descent_with_the_nystrom_kernel(outputs):
    X, Y = blobs(30, seed=22, classes=max(2, outputs))
    loss = hinge if outputs == 1 else crammer_singer
    true, B = gaussian(2.0), 8
    more = {"loss": loss, "rate": constant(0.4), "decay": weight_decay(0.05), "outputs": outputs}
    steps = fogd.nogd(X, Y, kernel=true, budget=B, rank=B, **more)
    sv = list(steps[-1].sv)
    assert len(sv) == B
    inverse = np.linalg.inv(gram(true, sv))

    def kernel(x, z):
        return float(np.array([true(s, x) for s in sv]) @ inverse @ np.array([true(s, z) for s in sv]))

    reference = pegasos.run(X, Y, kernel=kernel, **more)
    assert len(reference[-1].sv) > 2 * B
    assert max(s.delta for s in steps) < 1e-6
    for s, r in zip(steps, reference, strict=True):
        for x in X[:5]:
            np.testing.assert_allclose(step_value(true, s, x), step_value(kernel, r, x), atol=1e-7)


def test_nogd_of_low_rank_projects_on_the_leading_eigenfunctions():
    X, Y = blobs(40, seed=23)
    kernel, B, k = gaussian(0.8), 10, 4
    more = {"kernel": kernel, "loss": logistic, "rate": inverse_time(0.1, 20.0)}
    steps = fogd.nogd(X, Y, budget=B, rank=k, **more)
    free = pegasos.run(X, Y, decay=no_decay, **more)
    same(steps[: B - 1], free[: B - 1], 0.0)
    values, V = np.linalg.eigh(gram(kernel, list(X[:B])))
    alpha = free[B - 1].coef[:, 0]
    lost = sum(values[i] * (V[:, i] @ alpha) ** 2 for i in range(B - k))
    assert steps[B - 1].delta == pytest.approx(math.sqrt(lost))
    assert steps[B - 1].norm2 == pytest.approx(free[B - 1].norm2 - lost)
    for s in steps[B - 1 :]:  # nothing ever leaves the leading eigenspace
        np.testing.assert_allclose(V[:, : B - k].T @ s.coef, 0.0, atol=1e-9)
    assert steps[-1].norm2 != steps[B - 1].norm2


def test_nogd_on_a_line_has_the_rank_of_the_line():
    X, Y = np.linspace(-1, 1, 20).reshape(20, 1) + 0.01, np.tile([1.0, -0.5], 10)
    steps = fogd.nogd(X, Y, kernel=linear(), loss=l2, rate=constant(0.1), budget=6, rank=3)
    w = 0.0
    for s, x, y in zip(steps, X[:, 0], Y, strict=True):
        w -= 0.1 * (w * x - y) * x
        assert float(s.coef[:, 0] @ s.sv[:, 0]) == pytest.approx(w)
