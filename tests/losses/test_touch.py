"""The parabolas of a running refit: they touch the loss, or the squared hinges in its place; and what a mistake is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream.losses import LOSSES, CrammerSinger, Hinge, Huber, Quantile, Squared
from properties.common import examples

TOUCHING = [Hinge(), CrammerSinger(), Squared(), Huber(0.5), Huber(3.0), Quantile(0.2)]
every_loss = pytest.mark.parametrize("loss", TOUCHING, ids=repr)
numbers = st.floats(-6.0, 6.0)
scores = st.lists(numbers, min_size=1, max_size=4).map(np.array)
STEP = 1e-6


def target(loss, choice: float, outputs: int) -> np.ndarray:
    """A target of the kind that the loss takes, from a number in [0, 1]."""
    if loss.target == "class":
        return np.array([float(int(choice * outputs * 0.999))])
    if loss.target == "signs":
        return np.where((int(choice * 15) >> np.arange(outputs)) & 1, 1.0, -1.0)
    return np.linspace(-2.0, 3.0, outputs) * (2.0 * choice - 1.0)


def touched(loss, f, y):
    s = np.full(len(f), np.nan)
    return loss.touch(f, y, s), s


def squared_hinges(y, z) -> float:
    return float((np.maximum(0.0, 1.0 - y * z) ** 2).sum())


def value(loss, y, z) -> float:
    """The loss that is fitted."""
    if isinstance(loss, Quantile):  # with a rounded corner
        return float(loss.smooth().loss(z[None], y[None])[0][0])
    return squared_hinges(y, z) if loss.target == "signs" else loss.gradient(z, y, np.zeros(len(z)))


def slope(loss, y, z) -> np.ndarray:
    """Its derivative, by central differences."""
    steps = STEP * np.eye(len(z))
    return np.array([value(loss, y, z + u) - value(loss, y, z - u) for u in steps]) / (2.0 * STEP)


def test_which_losses_have_parabolas():
    assert {type(loss) for loss in LOSSES.values() if loss.touches} == {type(loss) for loss in TOUCHING}


@pytest.mark.parametrize("loss", [Hinge(), Squared(), Huber(0.5), Huber(3.0), Quantile(0.2)], ids=repr)
@examples(60)
@given(f=numbers, choice=st.floats(0.0, 1.0), other=numbers)
def test_one_output_is_touched_from_above(loss, f, choice, other):
    f, y, z = np.array([f]), target(loss, choice, 1), np.array([other])
    h, s = touched(loss, f, y)
    np.testing.assert_allclose(h * (f - s), slope(loss, y, f), rtol=1e-4, atol=1e-4)
    raised = value(loss, y, f) - 0.5 * h * ((f - s) ** 2).sum()
    if h > 0.0:
        assert 0.5 * h * ((z - s) ** 2).sum() + raised >= value(loss, y, z) - 1e-9


@every_loss
@examples(60)
@given(f=scores, choice=st.floats(0.0, 1.0))
def test_several_outputs(loss, f, choice):
    """One curvature for all: that of the squared loss, of the farthest residual, of a rounded corner, or of a margin
    that is violated."""
    y = target(loss, choice, len(f))
    before = f.tobytes(), y.tobytes()
    h, s = touched(loss, f, y)
    assert (f.tobytes(), y.tobytes()) == before
    violated = loss.gradient(f, y, np.zeros(len(f))) > 0.0
    if isinstance(loss, Quantile):
        np.testing.assert_allclose(h * (f - s), loss.smooth().loss(f[None], y[None])[1][0], rtol=1e-9, atol=1e-12)
        assert h == pytest.approx(loss.smooth().curvature)
    elif loss.target == "values":
        np.testing.assert_array_equal(s, y)
        farthest = np.abs(f - y).max()
        assert h == pytest.approx(min(1.0, loss.delta / farthest) if isinstance(loss, Huber) and farthest else 1.0)
    else:
        signs = y if loss.target == "signs" else np.where(np.arange(len(f)) == y[0], 1.0, -1.0)
        np.testing.assert_array_equal(s, signs)
        assert h == (2.0 if violated else 0.0)


@examples(60)
@given(f=scores, choice=st.floats(0.0, 1.0), other=st.lists(numbers, min_size=4, max_size=4))
def test_hinges_are_touched_where_they_are_violated_and_bounded_everywhere(f, choice, other):
    y = target(Hinge(), choice, len(f))
    h, s = touched(Hinge(), f, y)
    short, z = y * f < 1.0, np.array(other[: len(f)])
    np.testing.assert_allclose(h * (f - s)[short], slope(Hinge(), y, f)[short], rtol=1e-4, atol=1e-4)
    if h > 0.0:
        assert 0.5 * h * ((z - s) ** 2).sum() >= squared_hinges(y, z) - 1e-9


def test_the_edges():
    assert touched(Hinge(), np.array([1.0]), np.array([1.0]))[0] == 0.0  # on the margin is beyond it
    assert touched(CrammerSinger(), np.array([0.5, -0.5, -2.0]), np.array([0.0]))[0] == 0.0
    assert touched(CrammerSinger(), np.array([0.5, -0.4, -2.0]), np.array([0.0]))[0] == 2.0
    assert touched(CrammerSinger(), np.array([-3.0]), np.array([0.0]))[0] == 0.0  # a single class
    assert touched(Huber(0.5), np.array([1.0]), np.array([1.0]))[0] == 1.0


@every_loss
@examples(60)
@given(f=scores, choice=st.floats(0.0, 1.0))
def test_mistakes(loss, f, choice):
    y = target(loss, choice, len(f))
    found = loss.mistaken(f, y)
    if loss.target == "values":
        assert found == pytest.approx(loss.gradient(f, y, np.zeros(len(f))), rel=1e-12)
    elif len(f) == 1:
        wrong = loss.target == "signs" and (1.0 if f[0] > 0.0 else -1.0) != y[0]
        assert found == float(wrong)
    else:
        right = int(y[0]) if loss.target == "class" else int(np.argmax(y))
        assert found == float(int(np.argmax(f)) != right)


def test_a_score_of_0_is_the_negative_class():
    assert Hinge().mistaken(np.zeros(1), np.array([1.0])) == 1.0
    assert Hinge().mistaken(np.zeros(1), np.array([-1.0])) == 0.0
