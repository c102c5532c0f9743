"""Models of every recipe merge, and go on as their recipe has it."""

import numpy as np
import pytest

from kernelstream import merge
from properties.common import distance, pure_only
from tests.catalogue import RUNNABLE, data, model_for

FIRST = {case.name.split()[0]: case for case in reversed(RUNNABLE)}  # one case of each recipe


@pure_only
@pytest.mark.parametrize("case", FIRST.values(), ids=FIRST.keys())
def test_two_halves_make_one(case):
    X, y, _ = data(case.task, case.rows)
    half = case.rows // 2
    # models of random features must have drawn the same
    first, second = (model_for(case, seed=seed) for seed in (3, 3 if case.recipe.kernel.fixed else 4))
    first.learn_many(X[:half], y[:half])
    second.learn_many(X[half:], y[half:])
    merged, error = merge([first, second], weights=[1.0, 3.0])
    kernel, budget = merged.recipe.kernel, merged.recipe.budget
    mean = 0.25 * first.scores_many(X) + 0.75 * second.scores_many(X)
    if kernel.fixed:
        np.testing.assert_allclose(merged.scores_many(X), mean, rtol=1e-9, atol=1e-9)
    else:
        parts = [first.function, second.function]
        union = np.concatenate([part.support_vectors for part in parts])
        coef = np.concatenate([share * part.coefficients for share, part in zip((0.25, 0.75), parts, strict=True)])
        assert error == pytest.approx(distance(kernel, (union, coef), merged.function), rel=1e-4, abs=1e-6)
        assert not budget.limited or merged.n_support <= budget.at(merged.record.updates)
    assert merged.record.examples == first.record.examples + second.record.examples
    merged.learn_many(X, y)
    assert np.isfinite(merged.scores_many(X)).all()
    if case.recipe.needs_norm:
        assert merged.state.norm.square[0] == pytest.approx(merged.norm**2, rel=1e-6, abs=1e-9)
