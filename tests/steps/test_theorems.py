"""Steps that theorems prescribe, and where they come from when a recipe leaves them open."""

import math

import numpy as np
import pytest

from kernelstream import Model, recipes, steps
from kernelstream.budgets import Growing
from kernelstream.kernels import Gaussian, Polynomial
from kernelstream.losses import CrammerSinger, Exponential, Hinge, Huber, Multinomial, Squared
from kernelstream.steps import Constant, Discarding, InverseTime, Power, SelfBounded, Updating, from_theorem
from properties.common import pure_only
from tests.reference import common, olk

pytestmark = pytest.mark.engine

X = np.random.default_rng(0).normal(size=(60, 3))
Y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
KERNEL = Gaussian(1.0)


def step_of(recipe, y=Y, **more):
    return Model.from_recipe(recipe, X, y, **more).recipe.step


def assert_same(step, expected):
    assert type(step) is type(expected)
    assert tuple(step) == pytest.approx(tuple(expected))


def test_the_steps_of_he_and_kwok():
    """Theorem 1: 2U/√(GT), √2 U/√G; 2: 2U√c/√G T^−b, 2U√(cb)/√G; 3: U√(4 + 1/c²)/√(GT), U√(2 + 1/c²)/√G."""
    given = {"U": 5.0, "G": 2.0, "c": 3.0}
    T, b = 400, 0.625
    constant = {name: from_theorem(name, T=T, **given) for name in ("olk", "olru", "olrd")}
    assert all(isinstance(step, Constant) for step in constant.values())
    assert constant["olk"].eta == pytest.approx(10 / math.sqrt(800))
    assert constant["olru"].eta == pytest.approx(10 * math.sqrt(1.5) * T**-b)
    assert constant["olrd"].eta == pytest.approx(5 * math.sqrt(4 + 1 / 9) / math.sqrt(800))
    assert_same(from_theorem("olk", **given), Power(5.0, 0.5))
    assert_same(from_theorem("olru", **given), Power(10 * math.sqrt(3 * b / 2), b))
    assert_same(from_theorem("olrd", **given), Power(5 * math.sqrt((2 + 1 / 9) / 2), 0.5))


def test_the_steps_of_the_others():
    assert_same(from_theorem("oskl", L=2.0, G=3.0), Constant(0.15))
    assert from_theorem("bsgd", lam=0.01) == from_theorem("nbsgd", lam=0.01) == InverseTime(0.01)


def test_wrong_questions():
    with pytest.raises(ValueError, match=r"no theorem gives the step of 'polk'\. Available: bsgd, nbsgd, olk"):
        from_theorem("polk")
    with pytest.raises(ValueError, match="give lam"):
        from_theorem("bsgd")
    with pytest.raises(ValueError, match="U must be a number above 0, not 0"):
        from_theorem("olk", U=0)


def test_olrd_takes_its_step_from_the_budget_and_the_length_of_the_stream():
    known = step_of(recipes.olrd(KERNEL, budget=21, U=3.0), total=100)
    assert_same(known, Constant(olk.theorem_3(3.0, lambda t: 21.0, T=100)(1)))
    unknown = step_of(recipes.olrd(KERNEL, budget=21, U=3.0))
    growing = step_of(recipes.olrd(KERNEL, budget=Growing(0.7), U=3.0))
    for t in (1, 10, 10_000):
        assert unknown.rate(t, 1.0, 1.0) == pytest.approx(olk.theorem_3(3.0, lambda t: 21.0)(t))
        assert growing.rate(t, 1.0, 1.0) == pytest.approx(olk.theorem_3(3.0, olk.sqrt_budget(0.7))(t))


def test_olrd_in_memory_takes_the_budget_that_fits():
    model = Model.from_recipe(recipes.olrd(KERNEL, budget="16 KiB", U=3.0), X, Y, total=60)
    B = model.recipe.budget.size
    assert B > 10
    assert model.recipe.step.eta == pytest.approx(olk.theorem_3(3.0, lambda t: float(B), T=60)(1))


@pure_only
def test_an_unknown_length_runs_as_the_oracle_does():
    model = Model.from_recipe(recipes.olrd(KERNEL, budget=7, U=3.0), X, Y, dtype="float64", seed=4).learn_many(X, Y)
    rate = olk.theorem_3(3.0, lambda t: 7.0)
    last = olk.olrd(
        X, Y, kernel=common.gaussian(1.0), loss=common.hinge, rate=rate, budget=lambda t: 7.0, U=3.0, seed=4
    )[-1]  # fmt: skip
    for x in X[:5]:
        np.testing.assert_allclose(model.scores_one(x), common.step_value(common.gaussian(1.0), last, x), rtol=1e-9)


def test_the_gradient_bound_comes_from_the_loss():
    def eta(loss, y=Y, **more):
        return step_of(recipes.olrd(KERNEL, loss, budget=21, U=3.0), y, total=100, **more).eta

    classes = np.arange(60.0) % 3
    assert eta(CrammerSinger(), classes) == pytest.approx(eta(Hinge()) / math.sqrt(2))
    assert eta(Huber(0.5)) == pytest.approx(2 * eta(Hinge()))
    assert eta(Squared(), 4 * Y) == pytest.approx(eta(Hinge()) / 7)  # |z − y| ≤ U + y_max
    with pytest.raises(ValueError, match=r"no bound on the gradient of .* is known.*eta"):
        step_of(recipes.olrd(Polynomial(2), budget=21))


def test_olk_and_olru_take_theirs_from_the_radius():
    assert step_of(recipes.olk(KERNEL, eta=None, U=3.0)) == from_theorem("olk", U=3.0)
    assert step_of(recipes.olk(KERNEL, eta=None, U=3.0, schedule="constant"), total=50) == from_theorem(
        "olk", U=3.0, T=50
    )
    assert step_of(recipes.olru(KERNEL, eta=None, U=3.0, c=2.0)) == from_theorem("olru", U=3.0, c=2.0)
    assert step_of(recipes.olru(KERNEL, eta=None, U=3.0, c=2.0, total=50)) == from_theorem("olru", U=3.0, c=2.0, T=50)
    with pytest.raises(ValueError, match="give U, or eta"):
        recipes.olk(KERNEL, eta=None)
    with pytest.raises(ValueError, match="length of the stream, which is not known"):
        step_of(recipes.olk(KERNEL, eta=None, U=3.0, schedule="constant"))


def test_oskl_takes_the_least_g_and_refuses_less():
    classes = np.arange(60.0) % 3
    model = Model.from_recipe(recipes.oskl(KERNEL, Multinomial()), X, classes)
    assert pytest.approx(math.sqrt(2)) == model.recipe.admission.G
    assert model.recipe.step.eta == pytest.approx(0.45)  # 0.9/(LG), L = √2
    assert step_of(recipes.oskl(KERNEL, G=4.0)) == Constant(0.9 / 4.0)
    with pytest.raises(ValueError, match=r"G = 1 is less than 1\.41421.*biased\. Use G = 1\.4143 or more"):
        step_of(recipes.oskl(KERNEL, Multinomial(), G=1.0), classes)
    with pytest.raises(ValueError, match=r"less than 20\.0855, the largest derivative of Exponential"):
        step_of(recipes.oskl(KERNEL, Exponential(), G=5.0, R=3.0))
    with pytest.raises(ValueError, match="not known for functions of norm up to 100"):
        step_of(recipes.oskl(KERNEL, Exponential(), R=100.0))


def test_oskl_with_the_squared_loss_has_l_of_two_over_delta():
    step = step_of(recipes.oskl(KERNEL, Squared(), R=3.0, delta=0.5))
    assert step.eta == pytest.approx(0.9 / (4.0 * 4.0))  # L = 2/δ, G₁ = R + y_max
    with pytest.warns(UserWarning, match="no constant L"):
        recipes.oskl(KERNEL, Squared())
    with pytest.raises(ValueError, match="delta"):
        recipes.oskl(KERNEL, delta=0.5)


def test_open_steps_are_decided_before_learning():
    for step in (SelfBounded(), Updating()):
        with pytest.raises(NotImplementedError):
            step.rate(1, 1.0, 1.0)
    assert Discarding() == steps.Discarding(10.0)
