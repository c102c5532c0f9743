"""For callers that go beside `learn_one`: the work that an output waits for, and the compiled code of a model."""

import numpy as np
import pytest

from kernelstream.refit import jobs
from tests.output.refit_cases import DEFAULT, begun, bits, own, stream
from tests.output.running_refit_cases import running

pytestmark = pytest.mark.engine
RECIPE = running(budget=30)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(jobs, "PIECE", 10.0)


def in_the_middle():
    """A model in the middle of a job, and the rest of its stream."""
    X, y, _ = stream("binary", 300)
    model = begun(RECIPE).learn_many(X[:260], y[:260])
    assert own(model).job.phase[0] != jobs.IDLE and RECIPE.output.due(own(model))
    return model, X[260:], y[260:]


def test_to_catch_up_is_what_the_next_example_would_do():
    model, X, y = in_the_middle()
    other = model.copy()
    for x, target in zip(X, y, strict=True):
        if RECIPE.output.due(own(other)):
            other.catch_up()
            assert not RECIPE.output.due(own(other))
        model.learn_one(x, target)
        other.learn_one(x, target)
        assert bits(model) == bits(other)


@pytest.mark.parametrize("recipe", [RECIPE, DEFAULT], ids=["running", "refit"])
def test_there_may_be_nothing_to_catch_up_with(recipe):
    X, y, _ = stream("binary", 280)
    model = begun(recipe).learn_many(X[:262], y[:262])
    if recipe.output.due(own(model)):
        model.catch_up()
    before = bits(model)
    assert bits(model.catch_up()) == before


def test_compiled_code_can_be_called_directly():
    """Until the output is due: then the row is not learned, and the model has to catch up."""
    model, X, y = in_the_middle()
    direct, scores = model.copy(), np.empty((len(X), 1))
    code = direct.entry_points()
    assert code.predict(code.predict_handle, X, scores, code.workspace) >= 0
    np.testing.assert_array_equal(scores, model.scores_many(X))
    waited = 0
    for i in range(len(X)):
        row = X[i : i + 1], y[i : i + 1, None], np.ones(1)
        if code.learn(code.learn_handle, *row, 0) != 1:
            direct.catch_up()
            waited += 1
            assert code.learn(code.learn_handle, *row, 0) == 1
    assert bits(direct) == bits(model.learn_many(X, y))
    assert waited > 10
