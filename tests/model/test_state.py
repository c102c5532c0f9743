"""The public interface of `Model` for code that saves, merges or distributes models."""

import numpy as np
import pytest

from kernelstream import Function, Model, kernels, losses, recipes

pytestmark = pytest.mark.engine
RECIPE = recipes.bsgd(kernels.Linear(), losses.Hinge(), 1e-2, 10, "smallest")


def learned(rows=60):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 3))
    y = np.sign(X[:, 0] + 0.1)
    return Model.from_recipe(RECIPE, X, y).learn_many(X, y), X, y


def test_a_model_is_its_recipe_dims_and_state():
    model, X, y = learned()
    again = Model.from_state(model.recipe, model.dims, model.state)
    np.testing.assert_array_equal(again.learn_many(X, y).scores_many(X), model.copy().learn_many(X, y).scores_many(X))
    # each has memory of its own
    assert model.record.examples == 60 and again.record.examples == 120


def test_new_outputs_are_zero():
    model, X, _ = learned()
    before = model.scores_many(X)
    after = model.add_outputs(3).scores_many(X)
    np.testing.assert_array_equal(after, np.column_stack([before, np.zeros((60, 2))]))
    with pytest.raises(ValueError, match="has 3 outputs and cannot shrink to 2"):
        model.add_outputs(2)


def test_a_given_function_is_adopted_and_learned_on():
    model, X, y = learned()
    function = Function(np.eye(3, dtype=np.float32), np.array([[1.0], [-2.0], [0.5]]))
    model.adopt(function)
    np.testing.assert_allclose(
        model.scores_many(X)[:, 0], X.astype(np.float32) @ [1.0, -2.0, 0.5], rtol=1e-5, atol=1e-6
    )
    assert model.n_support == 3 and model.record.examples == 60
    assert model.learn_many(X, y).n_support == 10
