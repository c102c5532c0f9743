"""Features in other units: the model is the one that had been taught in them."""

import numpy as np
import pytest
from numba import config

from kernelstream import Model, recipes
from kernelstream.core.state import arrays
from tests.catalogue import RUNNABLE, data

pytestmark = pytest.mark.engine
# one of them compiled: each costs seconds, and the conversion itself is not compiled
CASES = [case for case in RUNNABLE if not case.recipe.kernel.fixed and case.recipe.keeper.rescales][
    : None if config.DISABLE_JIT else 1
]
POWERS = np.array([0.5, 4.0, 0.25])  # of two: products are exact


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_there_and_back_is_nothing(case):
    X, y, outputs = data(case.task, case.rows)
    model = Model.from_recipe(case.recipe, X, y, n_outputs=outputs, total=case.rows, dtype="float64").learn_many(X, y)
    before = model.copy()
    model.rescale_features(POWERS).rescale_features(1.0 / POWERS)
    for name in ("expansion", "batch", "norm"):
        for ours, theirs in zip(arrays(getattr(model.state, name)), arrays(getattr(before.state, name)), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.scores_many(X), before.scores_many(X), rtol=1e-9, atol=1e-9)
    assert model.state.run.intact[0] == 0.0  # no certificate
    model.rescale_features(np.full(3, 2.0))
    sv, coef = model.function
    np.testing.assert_allclose(sv, 2.0 * before.function.support_vectors, rtol=1e-12)
    expected = case.recipe.kernel(2.0 * X[:20], sv) @ coef
    np.testing.assert_allclose(model.scores_many(2.0 * X[:20]), expected, rtol=1e-9, atol=1e-9)
    assert np.isfinite(model.learn_many(2.0 * X[:20], y[:20]).scores_many(X)).all()


def test_what_cannot_be_a_factor_is_refused():
    X, y, _ = data("binary")
    model = Model.from_recipe(recipes.bsgd(budget=10), X, y)
    for factors in ([1.0], [1.0, np.nan, 1.0], [1.0, -1.0, 1.0]):
        with pytest.raises(ValueError, match="3 finite numbers"):
            model.rescale_features(factors)


def test_support_vectors_that_would_overflow_are_refused():
    X, y, _ = data("binary")
    model = Model.from_recipe(recipes.bsgd(budget=10), X, y).learn_many(X, y)
    before = model.scores_many(X).tobytes()
    with pytest.raises(ValueError, match="too large for float32"):
        model.rescale_features(np.full(3, 1e38)).rescale_features(np.full(3, 1e38))
    fresh = Model.from_recipe(recipes.bsgd(budget=10), X, y).learn_many(X, y)
    with pytest.raises(ValueError, match="too large"):
        fresh.rescale_features(np.full(3, 1e39))
    assert fresh.scores_many(X).tobytes() == before


def test_a_basis_that_is_fixed_cannot_be_converted():
    X, y, _ = data("binary")
    for recipe in (recipes.nogd(budget=6), recipes.fogd(0.5, 8)):
        model = Model.from_recipe(recipe, X, y).learn_many(X, y)
        assert not model.rescalable
        with pytest.raises(ValueError, match="scale them beforehand"):
            model.rescale_features(np.ones(3))
