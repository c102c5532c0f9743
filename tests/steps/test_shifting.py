"""RBP's shifting decay, on mistakes whose coefficients can be written down."""

import numpy as np
import pytest

from kernelstream import Model, kernels, recipes

pytestmark = pytest.mark.engine


def test_the_decay_counts_the_mistakes_before_this_one():
    """On orthogonal rows every example is a mistake; what came i-th is then multiplied by Π k/(λ + k) over later k."""
    lam, X = 0.5, np.eye(6)
    model = Model.from_recipe(recipes.rbp(kernels.Linear(), 10, lam), X, np.ones(6), dtype="float64")
    model.learn_many(X, np.ones(6))
    expected = [np.prod([k / (lam + k) for k in range(i + 1, 6)]) for i in range(6)]
    np.testing.assert_allclose(model.scores_many(X)[:, 0], expected, rtol=1e-12)
