"""Maintenance around another needs what the other needs."""

import math

import numpy as np
import pytest

from kernelstream import Model, Recipe, kernels, losses, steps
from kernelstream.maintenance import Before, Cheapest, ForgetBasic, Keep, Merge, Project, Remove, Sometimes

pytestmark = pytest.mark.engine
BUDGET = 10
INNER = [Remove(), Merge(), Project(Cheapest()), ForgetBasic()]


@pytest.mark.parametrize("wrap", [Before, lambda inner: Sometimes(inner, 5.0)], ids=["Before", "Sometimes"])
@pytest.mark.parametrize("inner", INNER, ids=repr)
def test_needs_are_forwarded(wrap, inner):
    outer = wrap(inner)
    for name in ("needs_inverse", "needs_norm", "needs_merging", "needs_budget", "keeper"):
        assert getattr(outer, name) == getattr(inner, name), name
    assert outer.removals(7, 1) == inner.removals(7, 1)


@pytest.mark.parametrize("wrap", [Before, lambda inner: Sometimes(inner, 5.0)], ids=["Before", "Sometimes"])
def test_what_cannot_be_wrapped_is_refused(wrap):
    with pytest.raises(ValueError, match=r"cannot remove a single support vector. Use Remove\(\)"):
        wrap(Keep())
    with pytest.raises(ValueError, match="inner must be a Maintenance"):
        wrap(kernels.Gaussian())


def test_the_basic_forgetron_keeps_its_cap_inside_before():
    """φ ≤ U/‖f‖ needs ‖f‖: without it the norm grew to 1.99 where the cap, and one step after it, allow 1.54."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(rng.random(300) < 0.5, 1.0, -1.0)
    recipe = Recipe(
        kernels.Gaussian(0.5),
        losses.Perceptron(),
        steps.Constant(1.0),
        maintenance=Before(ForgetBasic()),
        budget=BUDGET,
    )
    model = Model.from_recipe(recipe, X, y, dtype="float64")
    cap, largest = 0.25 * math.sqrt((BUDGET + 1) / math.log(BUDGET + 1)), 0.0
    for x, sign in zip(X, y, strict=True):
        before = model.record.maintenance
        model.learn_one(x, sign)
        if model.record.maintenance > before:
            largest = max(largest, model.norm)
    assert 0.0 < largest <= cap + 1.0
