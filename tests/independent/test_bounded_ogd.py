"""Checks of BOGD, BOGD++, OLRU and OLRD: the mean by enumeration, bounds, closed forms, two classes against binary."""

import numpy as np
import pytest

from . import bounded_ogd as ogd
from .budget_parts import draw_index, gram, squared_norm, value

RULES = [ogd.uniform_rule, ogd.norm_rule, ogd.least_bound_rule]


class Draws:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def uniform(self):
        return float(self.rng.random())

    def below(self, n):
        return int(self.rng.integers(n))


class Fixed:
    """Draws that are given in advance."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def uniform(self):
        return self.numbers.pop(0)

    below = lambda self, n: int(self.numbers.pop(0))  # noqa: E731


def gauss(x, z):
    return float(np.exp(-0.5 * np.sum((x - z) ** 2)))


def linear(x, z):
    return float(x @ z)


def stream(n=80, classes=1, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    if classes == 1:
        return X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0, 1, -1)
    return X, np.floor((np.arctan2(X[:, 1], X[:, 0]) / np.pi + 1) / 2 * classes).astype(int) % classes


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("outputs", [1, 3])
def test_discard_keeps_the_mean(rule, outputs):
    rng = np.random.default_rng(2)
    for scale in [0.1, 1.0, 3.0]:
        coef = rng.normal(size=(6, outputs)) * np.exp(scale * rng.normal(size=(6, 1)))
        diagonal = rng.uniform(0.5, 2, size=6)
        q = rule(coef, diagonal)
        assert q.sum() == pytest.approx(1) and (q >= 0).all() and (q < 1).all()
        assert np.allclose(ogd.expected_after_discard(coef, q), coef, rtol=1e-12)


def test_norm_rule_repairs_the_printed_example():
    coef = np.append(np.ones(99), 1.1)[:, None]
    printed = ogd.printed_norm_rule(coef, np.ones(100))
    assert printed[-1] == pytest.approx(1 - 108.9 / 100.1) and printed[-1] < 0
    q = ogd.norm_rule(coef, np.ones(100))
    assert q[-1] == 0 and q[:99] == pytest.approx(np.full(99, 1 / 99))
    calm = np.array([[1.0], [1.1], [0.9]])
    assert np.allclose(ogd.norm_rule(calm, np.ones(3)), ogd.printed_norm_rule(calm, np.ones(3)))


def test_norm_rule_with_zeros():
    assert np.allclose(ogd.norm_rule(np.array([[0.0], [1.0], [1.0]]), np.ones(3)), [1, 0, 0])
    assert np.allclose(ogd.norm_rule(np.array([[0.0], [0.0], [1.0]]), np.ones(3)), [0.5, 0.5, 0])
    assert np.allclose(ogd.norm_rule(np.zeros((2, 1)), np.ones(2)), [0.5, 0.5])


def test_error_chain_of_equation_18():
    rng = np.random.default_rng(4)
    points, coef = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    K = gram(gauss, points, points)
    for rule in RULES:
        q = rule(coef, np.diag(K))
        scaled = coef / (1 - q)[:, None]
        mean = q[:, None] * scaled
        exact = float(np.sum(q * np.sum(scaled**2, axis=1) * np.diag(K)) - np.sum(mean * (K @ mean)))
        assert ogd.expected_squared_error(coef, K, q) == pytest.approx(exact)
        assert exact <= ogd.error_bound(q, coef, np.diag(K)) + 1e-12
    q, f2 = 1 / 5, float(np.sum(coef * (K @ coef)))
    for i in range(5):
        change = ogd.discard(coef, np.full(5, q), i) - coef
        known = q**2 * f2 - 2 * q * coef[i] @ (K[i] @ coef) + coef[i] @ coef[i] * K[i, i]
        assert np.sum(change * (K @ change)) == pytest.approx(known / (1 - q) ** 2)


def test_least_bound_rule_is_least():
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(6)
    for _ in range(5):
        coef, diagonal = np.exp(rng.normal(size=(5, 1))), np.ones(5)
        q = ogd.least_bound_rule(coef, diagonal)
        best = ogd.error_bound(q, coef, diagonal)
        goal = lambda p, a=coef, k=diagonal: ogd.error_bound(p, a, k)  # noqa: E731
        total = {"type": "eq", "fun": lambda p: p.sum() - 1}
        found = optimize.minimize(
            goal, np.full(5, 0.2), bounds=[(0, 0.999)] * 5, constraints=total, options={"ftol": 1e-14}
        )
        assert best == pytest.approx(found.fun, rel=1e-5) and best <= found.fun * (1 + 1e-7)
        assert all(best <= ogd.error_bound(r(coef, diagonal), coef, diagonal) for r in RULES[:2])
    assert np.allclose(ogd.least_bound_rule(np.ones((4, 1)), np.ones(4)), 0.25)


def test_draw_index():
    assert [draw_index([0.2, 0.0, 0.8], Fixed([u])) for u in [0.0, 0.19, 0.2, 0.99]] == [0, 0, 2, 2]
    assert draw_index([0.5, 0.4, 0.0], Fixed([0.95])) == 1


@pytest.mark.parametrize("rule", [None, ogd.norm_rule])
@pytest.mark.parametrize("outputs", [1, 3])
def test_bogd_keeps_budget_and_bounds(rule, outputs):
    X, Y = stream(80, outputs)
    steps = ogd.run_bogd(X, Y, gauss, 6, 0.2, 0.05, 2.0, outputs, rule, draws=Draws(0))
    for step in steps:
        assert len(step.support) <= 6
        assert (np.linalg.norm(step.coef, axis=1) <= 0.4 + 1e-12).all()
    assert len(steps[-1].support) == 6


def test_bogd_one_step_mean_is_plain_gradient_descent():
    """The step enumerated over its draw, without the clip: (1 - eta lam) f - eta g k(x, .)."""
    X, Y = stream(200)
    plain = ogd.run_bogd(X, Y, gauss, 10**6, 0.2, 0.1, 1e9)[5]
    n = len(plain.support)
    index = next(t for t in range(6, 200) if Y[t] * value(*plain, gauss, X[t])[0] < 1)
    rows, Y2 = np.vstack([X[:6], X[index]]), np.append(Y[:6], Y[index])
    mean = 0.0
    probe = np.array([0.3, -0.4])
    for r in range(n):
        mean += value(*ogd.run_bogd(rows, Y2, gauss, n, 0.2, 0.1, 1e9, draws=Fixed([r]))[-1], gauss, probe)[0] / n
    expected = 0.98 * value(*plain, gauss, probe)[0] + 0.2 * Y[index] * gauss(X[index], probe)
    assert mean == pytest.approx(expected)


def test_bogd_decays_without_a_loss_and_grows_as_ogd():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    steps = ogd.run_bogd(X, [1, 1, 1], linear, 5, 1.0, 0.1, 1.0)
    assert [len(s.coef) for s in steps] == [1, 1, 2]
    assert [float(s.coef.sum()) for s in steps] == pytest.approx([1.0, 0.9, 0.81 + 1.0])


def test_equal_norms_make_bogd_plus_plus_uniform():
    coef = np.array([[1.0], [-1.0], [1.0]])
    assert np.allclose(ogd.norm_rule(coef, np.ones(3)), 1 / 3)


@pytest.mark.parametrize("rule", [None, *RULES])
@pytest.mark.parametrize("schedule", ["constant", "root"])
@pytest.mark.parametrize("budget", [7, ogd.growing_budget(1.0)])
def test_olrd_keeps_budget_and_ball(rule, schedule, budget):
    X, Y = stream(60)
    steps = ogd.run_olrd(X, Y, gauss, budget, 0.4, 1.5, schedule, rule=rule, draws=Draws(3))
    for t, step in enumerate(steps, start=1):
        assert len(step.support) <= (budget(t) if callable(budget) else budget)
        assert squared_norm(*step, gauss) <= 1.5**2 * (1 + 1e-12)


def test_uniform_rule_as_none_and_as_a_rule_agree():
    X, Y = stream(40)
    numbers = list(np.random.default_rng(1).random(40))
    by_u = ogd.run_olrd(X, Y, gauss, 4, 0.4, None, rule=ogd.uniform_rule, draws=Fixed(numbers))
    by_n = ogd.run_olrd(X, Y, gauss, 4, 0.4, None, draws=Fixed([int(4 * u) for u in numbers]))
    assert all(
        np.allclose(a.coef, b.coef) and np.array_equal(a.support, b.support) for a, b in zip(by_u, by_n, strict=True)
    )


def test_large_budget_is_olk_and_olru_with_p_one_too():
    X, Y = stream(40)
    a = ogd.run_olrd(X, Y, gauss, 1000, 0.4, 1.5)[-1]
    b = ogd.run_olru(X, Y, gauss, 0.4, 1.5, 1e9, 0.25, horizon=40, draws=Draws(0))[-1]
    assert np.array_equal(a.coef, b.coef)


def test_olru_probability_and_step():
    assert ogd.admission(16, 1.0, 0.25) == pytest.approx(0.5)
    assert ogd.admission(16, 1.0, 0.25, horizon=81) == pytest.approx(1 / 3)
    X, Y = stream(3)
    steps = ogd.run_olru(X, Y, gauss, 0.1, None, 0.5, 0.5, draws=Fixed([0.49, 0.9, 0.28]))
    assert [len(s.coef) for s in steps] == [1, 1, 2]
    assert steps[0].coef[0, 0] == pytest.approx(Y[0] * 0.1 / 0.5)
    assert steps[2].coef[1, 0] == pytest.approx(Y[2] * 0.1 * 3**-0.75 / (0.5 * 3**-0.5))


def test_olru_step_is_unbiased_before_the_ball():
    X, Y = stream(1)
    p = ogd.admission(1, 0.3, 0.5)
    admitted = ogd.run_olru(X, Y, gauss, 0.1, None, 0.3, 0.5, draws=Fixed([0.0]))[0]
    assert p * admitted.coef[0, 0] == pytest.approx(0.1 * Y[0])
    assert len(ogd.run_olru(X, Y, gauss, 0.1, None, 0.3, 0.5, draws=Fixed([p]))[0].coef) == 0


def test_growing_budget():
    assert [ogd.growing_budget(0.5)(t) for t in [1, 4, 9, 16, 25]] == [2, 2, 2, 3, 4]


def half(kernel):
    return lambda x, z: 0.5 * kernel(x, z)


@pytest.mark.parametrize("rule", [None, ogd.norm_rule])
def test_two_classes_with_half_the_kernel_are_binary(rule):
    """z_1 - z_0 with steps (-1, +1) and k/2 is the binary f with k: same losses, same coefficients but for sqrt(2)."""
    X, Y = stream(90)
    two = ((Y + 1) // 2).astype(int)
    one = ogd.run_olrd(X, Y, gauss, 5, 0.3, 1.2, rule=rule, draws=Draws(5))
    pair = ogd.run_olrd(X, two, half(gauss), 5, 0.3, 1.2, outputs=2, rule=rule, draws=Draws(5))
    bogd = ogd.run_bogd(X, Y, gauss, 5, 0.3, 0.1, 1.3, rule=rule, draws=Draws(5))
    bogd2 = ogd.run_bogd(X, two, half(gauss), 5, 0.3, 0.1, 1.3 * np.sqrt(2), 2, rule, draws=Draws(5))
    for a, b in [*zip(one, pair, strict=True), *zip(bogd, bogd2, strict=True)]:
        assert np.array_equal(a.support, b.support)
        assert np.allclose(np.hstack([-a.coef, a.coef]), b.coef)
