"""Losses: slopes, convexity, and the constants that radii and bounds are made of."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from kernelstream.losses import (
    Absolute,
    CrammerSinger,
    EpsilonInsensitive,
    Exponential,
    Hinge,
    Huber,
    Logistic,
    Multinomial,
    Quantile,
    Squared,
    SquaredHinge,
)
from properties.common import examples, rows, seeds

MARGIN = [Hinge(), SquaredHinge(), Logistic(), Exponential()]
REGRESSION = [
    Squared(), Absolute(), EpsilonInsensitive(0.3), Huber(0.5), Huber(3.0), Quantile(0.2), Quantile(0.9),
]  # fmt: skip
CLASSES = [CrammerSinger(), Multinomial()]
SMOOTH = {Squared: True, SquaredHinge: True, Logistic: True, Exponential: True, Huber: True, Multinomial: True}
every_loss = pytest.mark.parametrize("loss", MARGIN + REGRESSION + CLASSES, ids=repr)

numbers = st.floats(-8.0, 8.0)
scores = st.lists(numbers, min_size=3, max_size=3)


def targets(loss, choice: float, outputs: int = 3):
    """A target of the kind that the loss takes, from a number in [0, 1]."""
    if loss.target == "class":
        return np.array([float(int(choice * outputs * 0.999))])
    if loss.target == "signs":
        return np.where((int(choice * 8) >> np.arange(outputs)) & 1, 1.0, -1.0)
    return np.linspace(-2.0, 3.0, outputs) * (2.0 * choice - 1.0)


def evaluate(loss, f, y):
    g = np.full(len(f), np.nan)
    return loss.gradient(np.asarray(f, np.float64), y, g), g


@every_loss
@examples(30)
@given(f=scores, choice=st.floats(0.0, 1.0), direction=scores)
def test_gradient_is_the_slope_of_the_loss(loss, f, choice, direction):
    f, u, y = np.array(f), np.array(direction), targets(loss, choice)
    value, g = evaluate(loss, f, y)
    step = 1e-5
    up, down = evaluate(loss, f + step * u, y)[0], evaluate(loss, f - step * u, y)[0]
    # convex: a subgradient lies between the one-sided slopes, whether there is a kink or not
    slack = 1e-5 * (1.0 + abs(value) + np.abs(u).max() ** 2 * math.exp(min(np.abs(f).max(), 30.0)))
    assert (value - down) / step - slack <= g @ u <= (up - value) / step + slack
    assert value >= 0.0


@every_loss
@examples(30)
@given(f=scores, other=scores, choice=st.floats(0.0, 1.0), share=st.floats(0.0, 1.0))
def test_convex(loss, f, other, choice, share):
    f, other, y = np.array(f), np.array(other), targets(loss, choice)
    between = evaluate(loss, share * f + (1.0 - share) * other, y)[0]
    chord = share * evaluate(loss, f, y)[0] + (1.0 - share) * evaluate(loss, other, y)[0]
    assert between <= chord * (1.0 + 1e-12) + 1e-12
    value, g = evaluate(loss, f, y)
    assert evaluate(loss, other, y)[0] >= value + g @ (other - f) - 1e-9 * (1.0 + np.abs(g).sum() * 20.0)


def descent(loss, z, y) -> float:
    """−g·z."""
    return -float(evaluate(loss, z, y)[1] @ z)


@pytest.mark.parametrize("loss", MARGIN + REGRESSION, ids=repr)
@pytest.mark.parametrize("y_max", [0.3, 1.0, 4.0])
def test_reach_is_the_supremum(loss, y_max):
    grid = np.linspace(-6.0, 6.0, 6001)
    ys = [1.0, -1.0] if loss.target == "signs" else [-y_max, -0.5 * y_max, 0.0, y_max]
    greatest = max(descent(loss, np.array([z]), np.array([y])) for y in ys for z in grid)
    slack = 4e-3 + getattr(loss, "epsilon", 0.0)  # ε-insensitive: y_max stands for y_max − ε
    assert loss.reach(1, y_max) - slack <= greatest <= loss.reach(1, y_max) + 1e-9
    assert loss.reach(3, y_max) == pytest.approx(3 * loss.reach(1, y_max))


@pytest.mark.parametrize("loss", CLASSES, ids=repr)
@pytest.mark.parametrize("outputs", [2, 3, 10])
def test_reach_of_class_losses(loss, outputs):
    rng = np.random.default_rng(0)
    y = np.array([0.0])
    best = -np.inf
    for start in [np.zeros(outputs), *rng.normal(size=(4, outputs)) * 3]:
        found = minimize(
            lambda z: -descent(loss, z, y), start, method="Nelder-Mead", options={"maxiter": 300 * outputs}
        )
        best = max(best, -found.fun)
    for margin in np.linspace(0.0, 8.0, 2001):  # the symmetric direction, where the supremum is
        z = np.full(outputs, -margin / outputs)
        z[0] += margin
        best = max(best, descent(loss, z, y))
    assert best <= loss.reach(outputs, 1.0) + 1e-9
    assert best >= loss.reach(outputs, 1.0) - 2e-3


@every_loss
@examples(4)
@given(seed=seeds, lam=st.sampled_from([0.003, 0.1, 1.0]))
def test_the_ball_holds_the_optimum(loss, seed, lam):
    n, c = 8, 3 if loss.target == "class" else 1
    X = rows(seed, n, 2)
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    rng = np.random.default_rng(seed)
    ys = {"class": rng.integers(c, size=(n, 1)), "signs": rng.choice([-1.0, 1.0], (n, 1))}.get(
        loss.target, rng.uniform(-2.0, 2.0, (n, 1))
    )
    ys = np.asarray(ys, np.float64)
    L = np.linalg.cholesky(K + 1e-9 * np.eye(n))

    def objective(w):
        w = w.reshape(n, c)
        F = L @ w
        value, G = 0.0, np.empty((n, c))
        for i in range(n):
            value += loss.gradient(F[i], ys[i], G[i])
        return value / n + 0.5 * lam * np.sum(w * w), (L.T @ G / n + lam * w).ravel()

    best = minimize(objective, np.zeros(n * c), jac=True, method="BFGS", options={"maxiter": 2000, "gtol": 1e-9}).x
    radius = math.sqrt(loss.reach(c, float(np.abs(ys).max())) / lam)
    # a kinked loss stops BFGS a little early: its norm is good to a percent
    assert np.linalg.norm(best) <= radius * (1.0 if type(loss) in SMOOTH else 1.01) + 1e-6


@every_loss
@examples(30)
@given(f=scores, choice=st.floats(0.0, 1.0))
def test_steepest_and_self_bound(loss, f, choice):
    value, g = evaluate(loss, np.array(f), targets(loss, choice))
    size = float(np.linalg.norm(g))
    if loss.steepest(3) is not None:
        assert size <= loss.steepest(3) * (1.0 + 1e-12)
    if loss.self_bound is not None:
        assert size <= loss.self_bound * value * (1.0 + 1e-9) + 1e-300


@pytest.mark.parametrize("loss", [x for x in MARGIN + REGRESSION + CLASSES if x.steepest(3) is not None], ids=repr)
def test_steepest_is_attained(loss):
    far = [np.array(z) for z in ([60.0, 60.0, 60.0], [-60.0, -60.0, -60.0], [-60.0, 60.0, -60.0])]
    sizes = [np.linalg.norm(evaluate(loss, z, targets(loss, c))[1]) for z in far for c in (0.0, 0.5, 1.0)]
    assert max(sizes) == pytest.approx(loss.steepest(3), rel=1e-6)


@examples(40)
@given(scores, st.integers(2, 6))
def test_probabilities(f, classes):
    f = np.array(f)
    binary = Logistic().probabilities(f[:, None])
    np.testing.assert_allclose(binary.sum(axis=1), 1.0, rtol=1e-14)
    # the probability of a class is e^−loss
    for i, y in ((0, -1.0), (1, 1.0)):
        np.testing.assert_allclose(binary[:, i], [math.exp(-Logistic().value(z, y)) for z in f], rtol=1e-12)
    scores_ = np.resize(f, (4, classes)) * 30.0
    many = Multinomial().probabilities(scores_)
    np.testing.assert_allclose(many.sum(axis=1), 1.0, rtol=1e-12)
    for i in range(classes):
        values = [evaluate(Multinomial(), z, np.array([float(i)]))[0] for z in scores_]
        np.testing.assert_allclose(many[:, i], np.exp(-np.array(values)), rtol=1e-9, atol=1e-300)
    assert Hinge().probabilities(f[:, None]) is None
