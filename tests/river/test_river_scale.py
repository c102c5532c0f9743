"""Features of any scale: River's estimators measure it while they run."""

import pickle

import numpy as np
import pandas as pd
import pytest
from river import preprocessing

from kernelstream.river import KernelClassifier, KernelRegressor
from kernelstream.tracking.running_scale import GATHERED, RunningScale


def stream(rows=1500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, (X[:, 0] * X[:, 1] > 0.0).tolist()


def accuracy(model, X, y, names="abc"):
    right = 0
    for row, label in zip(X.tolist(), y, strict=True):
        x = dict(zip(names, row, strict=True))
        right += model.predict_one(x) == label
        model.learn_one(x, label)
    return right / len(y)


def classifier(**more):
    return KernelClassifier("bsgd", budget=30, lam=1e-4, seed=1, **more)


def test_units_do_not_matter():
    X, y = stream()
    plain = accuracy(classifier(), X, y)
    assert accuracy(classifier(), X * [1e6, 1.0, 1e-6] + [3e6, -500.0, 0.0], y) == pytest.approx(plain, abs=0.02)
    assert plain > 0.8 > accuracy(classifier(scale=None), X * [1e6, 1.0, 1e-6], y) + 0.1


def test_it_is_about_what_a_scaler_before_the_model_gives():
    X, y = stream(seed=1)
    X = X * [30.0, 0.1, 1.0]
    before = accuracy(preprocessing.StandardScaler() | classifier(scale=None), X, y)
    assert accuracy(classifier(), X, y) > before - 0.03


def test_a_scale_that_changes_is_followed():
    """The first rows are a hundred times smaller than the others."""
    X, y = stream(4000, seed=2)
    X[:200] *= 0.01
    model = classifier()
    accuracy(model, X, y)
    assert accuracy(model, *stream(500, seed=3)) > 0.85
    # they are replaced when a deviation has moved by 30 %, and those of the first rows were 100
    assert (model._units.factors < 1.45).all() and (model._units.factors > 0.7).all()


def test_a_row_number_is_ignored_and_named():
    X, y = stream(2000, seed=4)
    numbered = np.column_stack([X, np.arange(2000.0)])
    model = classifier()
    with pytest.warns(UserWarning, match="Feature 'n' has only risen for 512 rows") as noticed:
        accuracy(model, numbered, y, "abcn")
    assert len(noticed) == 1 and noticed[0].filename == __file__
    assert model._units.factors[3] == 0.0
    later = np.column_stack([X[:500], np.arange(500.0) + 1e6])
    assert accuracy(model, later, y[:500], "abcn") > 0.85


def test_a_rare_flag_does_not_dominate():
    scale = RunningScale(2)
    rng = np.random.default_rng(5)
    rows = np.column_stack([rng.normal(size=640), np.arange(640) % 100 == 0])
    for row in rows:
        scale.observe(row)
    np.testing.assert_allclose(scale.deviations(), [1.0, 0.5], atol=0.1)


def test_deviations_are_those_of_all_rows():
    rows = np.random.default_rng(6).normal(size=(10 * GATHERED, 3)) * [1.0, 5.0, 1e4] + [0.0, 1e6, -3.0]
    scale = RunningScale(3)
    for row in rows:
        scale.observe(row)
    np.testing.assert_allclose(scale.deviations(), rows.std(axis=0), rtol=1e-9)
    np.testing.assert_allclose(scale.mean, rows.mean(axis=0), rtol=1e-9)
    recent = RunningScale(1, half_life=64.0)
    for value in np.concatenate([10.0 * rows[:, 0], rows[:, 0]]):
        recent.observe(np.array([value]))
    assert recent.deviations()[0] < 1.5  # the first half is forgotten


def test_new_features_and_predictions():
    X, y = stream(600, seed=7)
    model = classifier()
    accuracy(model, X[:300, :2] * 1e3, y[:300], "ab")
    accuracy(model, X[300:] * 1e3, y[300:])
    before = pickle.dumps(model)
    model.predict_one({"a": 1.0, "b": 2.0, "c": 3.0})
    assert pickle.dumps(model) == before
    again = pickle.loads(before)
    x = {"a": 500.0, "b": -200.0, "c": 10.0}
    assert again.predict_proba_one(x) == model.predict_proba_one(x)
    for row, label in zip((1e3 * X).tolist(), y, strict=True):
        for one in (model, again):
            one.learn_one(dict(zip("abc", row, strict=True)), label)
    assert again.predict_proba_one(x) == model.predict_proba_one(x)


def test_the_regressor_too():
    X, _ = stream(1000, seed=8)
    y = (np.sin(X[:, 0]) + X[:, 1]).tolist()
    model = KernelRegressor(budget=30, seed=1)
    errors = []
    for row, target in zip((X * [1e5, 1.0, 1e-3]).tolist(), y, strict=True):
        x = dict(zip("abc", row, strict=True))
        errors.append(abs(model.predict_one(x) - target))
        model.learn_one(x, target)
    assert np.mean(errors[500:]) < 0.4


def test_parameter():
    with pytest.raises(ValueError, match="scale is 'standard'; it must be 'auto', or None"):
        KernelClassifier(scale="standard")


def test_one_outlier_does_not_remove_a_feature():
    X, y = stream(3000, seed=9)
    X[500, 0] = 1e6
    model = classifier()
    accuracy(model, X, y)
    assert accuracy(model, *stream(800, seed=10)) > 0.85
    np.testing.assert_allclose(model._units.factors, 1.0, atol=0.35)


def test_a_feature_that_was_sorted_at_first_comes_back():
    X, y = stream(6000, seed=11)
    X[:640, 2] = np.sort(X[:640, 2])
    model = classifier()
    with pytest.warns(UserWarning, match="Feature 'c' has only risen"):
        accuracy(model, X, y)
    assert model._units.factors[2] > 0.5


def test_a_jump_of_any_size_is_learned():
    """A row far outside of what was seen is legal, and the next ones teach the scale."""
    X, y = stream(2000, seed=12)
    X[:300, 0] *= 1e-30
    X[300:, 0] *= 1e10
    model = classifier()
    accuracy(model, X, y)
    assert model._model.record.examples == 2000
    frame = pd.DataFrame(X[:10] * 1e20, columns=list("abc"))
    model.learn_many(frame, pd.Series(y[:10]))
    assert model._model.record.examples == 2010


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(value):
    X, y = stream(200, seed=13)
    model = classifier()
    accuracy(model, X, y)
    before = model._model.record.examples
    with pytest.raises(ValueError, match="Feature 'b' is"):
        model.learn_one({"a": 1.0, "b": value, "c": 0.0}, True)
    with pytest.raises(ValueError):
        model.predict_one({"a": 1.0, "b": value, "c": 0.0})
    assert model._model.record.examples == before


def test_rounding_errors_are_no_differences():
    scale = RunningScale(1)
    for i in range(2 * GATHERED):
        scale.observe(np.array([(0.3, 0.1 + 0.2, 0.30000000000000016)[i % 3]]))
    assert abs(scale.scaled(np.array([0.1 + 0.2]))[0]) < 1e-6
    assert (1.0 / scale.deviations())[0] < 1e10


def test_a_new_feature_that_is_nearly_nothing():
    X, y = stream(200, seed=14)
    model = classifier()
    accuracy(model, X[:, :2], y, "ab")
    model.learn_one({"a": 1.0, "b": 1.0, "late": 1e-310}, True)
    model.learn_one({"a": 1.0, "b": 1.0, "late": 5.0}, True)
    assert np.isfinite(model._units.factors).all()
