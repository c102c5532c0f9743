"""Test-then-train in one call is `predict` and then `partial_fit`, with the rows scored once."""

import numpy as np
import pytest

from kernelstream import Model
from kernelstream.evaluate import as_learner
from tests.estimators.data import classifier, curve, regressor, two_classes


@pytest.mark.parametrize("make, data", [(classifier, two_classes), (regressor, curve)], ids=["labels", "numbers"])
def test_the_same_as_two_calls(make, data):
    X, y = data(700)
    one, two = make().initialize(X[:100], y[:100]), make().initialize(X[:100], y[:100])
    for start in range(0, 700, 64):
        rows = slice(start, start + 64)
        expected = two.predict(X[rows])
        np.testing.assert_array_equal(one.predict_then_learn(X[rows], y[rows]), expected)
        two.partial_fit(X[rows], y[rows])
    np.testing.assert_array_equal(one.predict(X), two.predict(X))
    assert one.n_iter_ == two.n_iter_ == 11
    if hasattr(one, "predict_proba"):
        np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-6)


def test_rows_are_scored_once(monkeypatch):
    X, y = two_classes(300)
    model, scored, score = classifier().initialize(X, y), [], Model.scores_many

    def counted(self, rows):
        scored.append(len(rows))
        return score(self, rows)

    monkeypatch.setattr(Model, "scores_many", counted)
    learner = as_learner(model)
    for start in range(0, 300, 100):
        assert len(learner.test_then_train(X[start : start + 100], y[start : start + 100])) == 100
    assert scored == [100, 100, 100]


def test_a_bad_row_changes_nothing():
    X, y = two_classes(300)
    model = classifier().fit(X, y)
    before = model.decision_function(X), model.n_iter_, model.calibration_
    with pytest.raises(ValueError, match="Input X contains NaN at row 3, column 1"):
        model.predict_then_learn(np.where(np.arange(600).reshape(300, 2) == 7, np.nan, X), y)
    np.testing.assert_array_equal(model.decision_function(X), before[0])
    assert (model.n_iter_, model.calibration_) == before[1:]
