"""Whole trajectories of every recipe against the literal transcription of its paper."""

import numpy as np
import pytest

from tests.catalogue import RUNNABLE, data, model_for

pytestmark = pytest.mark.engine


def function_of(model):
    """Support vectors and coefficients of the last iterate, in their storage order."""
    ex = model._state.expansion
    n = int(ex.n[0])
    return ex.sv[:, :n].T.copy(), (ex.coef[:, :n] * ex.scale[0]).T.copy()


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.xdist_group(case.name), id=case.name) for case in RUNNABLE]
)
def test_every_iterate_equals_the_oracles(case):
    X, y, outputs = data(case.task, case.rows)
    steps = case.oracle(X, y, outputs=outputs, seed=5)
    model = model_for(case, "float64", seed=5)
    batch = case.recipe.batch
    assert len(steps) == len(X) // batch
    for t, step in enumerate(steps):
        model.learn_many(X[t * batch : (t + 1) * batch], y[t * batch : (t + 1) * batch])
        sv, coef = function_of(model)
        assert len(sv) == len(step.sv), f"update {t + 1}"
        np.testing.assert_allclose(sv, step.sv, rtol=1e-7, atol=1e-7, err_msg=f"update {t + 1}")
        np.testing.assert_allclose(coef, step.coef, rtol=1e-7, atol=1e-8, err_msg=f"update {t + 1}")
        delta = float(model._state.run.delta[0])
        if batch == 1 and not np.isnan(delta):
            assert delta == pytest.approx(step.delta, rel=1e-6, abs=1e-7), f"update {t + 1}"
