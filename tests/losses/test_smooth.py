"""Losses as second-order fitting takes them: values, slopes, and the parabolas that touch them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import losses
from kernelstream.losses.smooth import Hubers, Logistics, PairedHinges, Pinballs, Softmax, SquaredHinges
from properties.common import examples, seeds
from tests.reference import refit

SMOOTH = {
    "squared hinges": SquaredHinges(),
    "paired hinges": PairedHinges(),
    "logistics": Logistics(),
    "steep logistics": Logistics(2.0),
    "softmax": Softmax(),
    "squares": Hubers(),
    "hubers": Hubers(0.7),
    "pinballs": Pinballs(0.3, 0.5),
}
ABOVE = [name for name in SMOOTH if "hinges" not in name]
ORACLES = {
    "squared hinges": refit.squared_hinge(),
    "paired hinges": refit.paired_hinge(),
    "logistics": refit.logistic(),
    "steep logistics": refit.logistic(2.0),
    "softmax": refit.multinomial(),
    "squares": refit.squared(),
    "hubers": refit.huber(0.7),
    "pinballs": refit.pinball(0.3, 0.5),
}
every_loss = pytest.mark.parametrize("name", SMOOTH)
outputs = st.integers(1, 4)


def drawn(name: str, seed: int, c: int, rows: int = 6, spread: float = 3.0):
    """Scores, targets in the form of the loss, and targets as the loss that it stands for has them."""
    rng = np.random.default_rng(seed)
    c = max(c, 2) if name in ("softmax", "paired hinges") else c
    F = spread * rng.normal(size=(rows, c))
    if name in ("squares", "hubers"):
        Y = rng.normal(size=(rows, c))
        return F, SMOOTH[name].targets(Y, c), Y
    Y = rng.choice([-1.0, 1.0], size=(rows, 1)) if c == 1 else rng.integers(c, size=(rows, 1)).astype(float)
    return F, SMOOTH[name].targets(Y, c), Y


def plain(name: str, y: np.ndarray):
    """A target as the oracle takes it."""
    return y if name in ("squares", "hubers") else int(y[0])


@every_loss
@examples(25)
@given(seed=seeds, c=outputs)
def test_values_and_slopes_are_the_oracles(name, seed, c):
    F, T, Y = drawn(name, seed, c)
    values, slopes = SMOOTH[name].loss(F, T)
    for f, y, value, slope in zip(F, Y, values, slopes, strict=True):
        wanted = ORACLES[name].loss(plain(name, y), f)
        assert value == pytest.approx(wanted[0], rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(slope, wanted[1], rtol=1e-9, atol=1e-12)


@every_loss
@examples(25)
@given(seed=seeds, c=outputs)
def test_slopes_are_those_of_the_loss(name, seed, c):
    F, T, _ = drawn(name, seed, c)
    slopes, step = SMOOTH[name].loss(F, T)[1], 1e-5
    for column in range(F.shape[1]):
        e = step * np.eye(F.shape[1])[column]
        measured = (SMOOTH[name].loss(F + e, T)[0] - SMOOTH[name].loss(F - e, T)[0]) / (2.0 * step)
        # where the second derivative jumps, the difference is off by as much as a step
        np.testing.assert_allclose(slopes[:, column], measured, rtol=1e-5, atol=3e-5)


@every_loss
@examples(25)
@given(seed=seeds, c=outputs)
def test_curvature_bounds_the_second_derivative(name, seed, c):
    F, T, _ = drawn(name, seed, c)
    G, _, _ = drawn(name, seed + 1, c)
    way = G - F
    climbed = np.sum((SMOOTH[name].loss(G, T)[1] - SMOOTH[name].loss(F, T)[1]) * way, axis=1)
    assert (climbed <= SMOOTH[name].curvature * np.sum(way * way, axis=1) * (1.0 + 1e-9)).all()


SAME = {
    "squared hinges": losses.SquaredHinge(),
    "logistics": losses.Logistic(),
    "softmax": losses.Multinomial(),
    "squares": losses.Squared(),
    "hubers": losses.Huber(0.7),
}


@pytest.mark.parametrize("name", SAME)
@examples(25)
@given(seed=seeds, c=outputs)
def test_the_same_loss_as_the_engines(name, seed, c):
    loss = SAME[name]
    smooth = loss.smooth()
    assert type(smooth) is type(SMOOTH[name])
    rng = np.random.default_rng(seed)
    F, _, Y = drawn(name, seed, c)
    if loss.target == "signs":
        Y = rng.choice([-1.0, 1.0], size=F.shape)
    values, slopes = smooth.loss(F, smooth.targets(Y, F.shape[1]))
    for f, y, value, slope in zip(F, Y, values, slopes, strict=True):
        g = np.empty(len(f))
        assert value == pytest.approx(loss.gradient(f, y, g), rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(slope, g, rtol=1e-9, atol=1e-12)


def test_which_loss_stands_for_which():
    for loss in (losses.Hinge(), losses.CrammerSinger(), losses.Perceptron(), losses.PerceptronClasses()):
        assert isinstance(loss.smooth(), SquaredHinges)
    assert isinstance(losses.CrammerSinger().smooth().rival, PairedHinges)
    assert losses.Hinge().smooth().rival is None  # with two classes both are the same
    assert losses.Exponential().smooth().s == 2.0 and losses.Logistic().smooth().s == 1.0
    assert losses.Squared().smooth().delta == math.inf and losses.Huber(0.3).smooth().delta == 0.3
    assert losses.Quantile(0.3).smooth().tau == 0.3
    for loss in (losses.Absolute(), losses.EpsilonInsensitive(0.1)):
        assert loss.smooth() is None


def test_the_exponential_loss_keeps_its_link():
    """Both are least, in expectation over y = ±1 with P(+1) = p, at f = ln(p / (1 − p)) / 2."""
    F = np.linspace(-3.0, 3.0, 60001)[:, None]
    for p in (0.1, 0.5, 0.9, 0.97):
        up, down = (Logistics(2.0).loss(F, np.full_like(F, sign))[0] for sign in (1.0, -1.0))
        assert F[np.argmin(p * up + (1.0 - p) * down), 0] == pytest.approx(0.5 * math.log(p / (1.0 - p)), abs=2e-4)


@every_loss
@examples(25)
@given(seed=seeds, c=outputs)
def test_parabolas_are_the_oracles(name, seed, c):
    F, T, Y = drawn(name, seed, c)
    h, s = SMOOTH[name].touching(F, T)
    assert h.shape == (len(F),)
    for i, y in enumerate(Y):
        wanted_h, wanted_s = ORACLES[name].parabola(plain(name, y), F[i])
        assert h[i] == pytest.approx(wanted_h, rel=1e-6)
        np.testing.assert_allclose(s[i], wanted_s, rtol=1e-6, atol=1e-6)


@every_loss
@examples(25)
@given(seed=seeds, c=outputs)
def test_parabolas_touch(name, seed, c):
    F, T, _ = drawn(name, seed, c)
    h, s = SMOOTH[name].touching(F, T)
    np.testing.assert_allclose(h[:, None] * (F - s), SMOOTH[name].loss(F, T)[1], rtol=1e-6, atol=1e-9)
    assert (h >= 0.0).all() and (h <= SMOOTH[name].curvature * (1.0 + 1e-12)).all()


@pytest.mark.parametrize("name", ABOVE)
@examples(60)
@given(seed=seeds, c=outputs, near=st.booleans())
def test_parabolas_lie_above(name, seed, c, near):
    """ℓ(G) ≤ ℓ(F) + ½h(‖G − s‖² − ‖F − s‖²): to lower the parabola lowers the loss by as much or more."""
    F, T, _ = drawn(name, seed, c)
    G = F + (0.01 if near else 4.0) * np.random.default_rng(seed + 1).normal(size=F.shape)
    h, s = SMOOTH[name].touching(F, T)
    at, there = SMOOTH[name].loss(F, T)[0], SMOOTH[name].loss(G, T)[0]
    above = at + 0.5 * h * (np.sum((G - s) ** 2, axis=1) - np.sum((F - s) ** 2, axis=1))
    assert (there <= above + 1e-9 * (1.0 + np.abs(above))).all()


@pytest.mark.parametrize("name", ABOVE)
@pytest.mark.parametrize("score", [0.0, 1e-12, 1e-4, 9.99e-4, 1.01e-3, 30.0, 600.0])
def test_parabolas_at_the_edges(name, score):
    """Where h is a quotient of small numbers or of large ones, it stays finite and above the loss."""
    c = 2 if name == "softmax" else 1
    for y in (0.0, 1.0) if name == "softmax" else (-1.0, 1.0):
        F = np.full((1, c), score) * np.array([1.0, -1.0])[:c]
        T = SMOOTH[name].targets(np.array([[y]]), c)
        h, s = SMOOTH[name].touching(F, T)
        assert np.isfinite(s).all() and h[0] > 0.0
        for G in (F + 1e-3, F - 1e-3, -F, F * 0.5, F + 2.0, F - 2.0):
            drop = 0.5 * h[0] * (np.sum((G - s) ** 2) - np.sum((F - s) ** 2))
            assert SMOOTH[name].loss(G, T)[0][0] <= SMOOTH[name].loss(F, T)[0][0] + drop + 1e-8 * (1.0 + score**2)


def test_what_counts_as_wrong():
    two, three = np.array([[0.3], [-0.3], [0.0]]), np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    for loss in (SquaredHinges(), Logistics()):
        assert loss.wrong(two, loss.targets(np.array([[1.0], [1.0], [-1.0]]), 1)).tolist() == [False, True, False]
    for loss in (SquaredHinges(), Softmax()):
        assert loss.wrong(three, loss.targets(np.array([[1.0], [2.0], [0.0]]), 3)).tolist() == [False, True, False]
    np.testing.assert_allclose(Hubers().wrong(two, np.zeros((3, 1))), 0.5 * two[:, 0] ** 2)


def test_a_class_against_the_rest():
    T = SquaredHinges().targets(np.array([[2.0], [0.0]]), 3)
    assert T.tolist() == [[-1.0, -1.0, 1.0], [1.0, -1.0, -1.0]]
    signs = np.array([[1.0, -1.0], [-1.0, -1.0]])
    assert SquaredHinges().targets(signs, 2) is signs
