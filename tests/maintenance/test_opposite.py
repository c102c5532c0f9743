"""Partners of opposite sign: left to the last by default, free to compete with `opposite`."""

import numpy as np
import pytest

from kernelstream import Function, Model, Recipe, kernels, losses, steps
from kernelstream.maintenance import Merge, MergeBestPair

pytestmark = pytest.mark.engine
KERNEL = kernels.Gaussian(1.0)
# the smallest coefficient has a far partner of its own sign and a near one of the other
POINTS, COEFFICIENTS = np.array([[0.0], [1.5], [-0.2]]), np.array([[0.1], [1.0], [-1.0]])
FAR_AWAY = np.array([50.0])


def distance(first, second):
    """‖f − g‖ of two functions."""
    sv = np.concatenate([first.support_vectors, second.support_vectors]).astype(np.float64)
    a = np.concatenate([first.coefficients, -second.coefficients])
    return float(np.sqrt(max(np.sum(a * (KERNEL(sv) @ a)), 0.0)))


def after_one_merge(maintenance):
    """The model after a fourth support vector has come, far from the others, and its distance from f before that."""
    recipe = Recipe(KERNEL, losses.Hinge(), steps.Constant(2.0), maintenance=maintenance, budget=3)
    model = Model.from_recipe(recipe, POINTS, np.ones(3), dtype="float64").adopt(Function(POINTS, COEFFICIENTS))
    model.learn_one(FAR_AWAY, 1.0)
    four = Function(np.vstack([POINTS, FAR_AWAY]), np.vstack([COEFFICIENTS, [[2.0]]]))
    return model, distance(four, model.function)


def least(partner):
    """The least ‖Δ‖ of merging the first point with this one, over all h, by trying them."""
    kappa = float(KERNEL(POINTS[:1], POINTS[partner : partner + 1])[0, 0])
    a, b = COEFFICIENTS[0, 0], COEFFICIENTS[partner, 0]
    h = np.linspace(-30.0, 1.0, 2_000_001)
    best = np.abs(a * kappa ** ((1 - h) ** 2) + b * kappa ** (h**2)).max()
    return np.sqrt(a * a + b * b + 2 * a * b * kappa - best**2)


@pytest.mark.parametrize("kind", [Merge, MergeBestPair])
def test_the_least_loss_of_all_partners(kind):
    own, lost_own = after_one_merge(kind())
    free, lost_free = after_one_merge(kind(opposite=True))
    assert lost_own == pytest.approx(least(1), rel=1e-6) and own.record.distance == pytest.approx(lost_own, rel=1e-6)
    assert lost_free == pytest.approx(least(2), rel=1e-6) and free.record.distance == pytest.approx(lost_free, rel=1e-6)
    assert lost_free < 0.5 * lost_own
