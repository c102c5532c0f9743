"""Rows: dicts, data frames, features that come and go, and what is refused."""

import copy
import itertools
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelClassifier as Estimator
from kernelstream import KernelRegressor as RegressionEstimator
from tests.river.data import NAMES, assert_same, blobs, curve, learned, plain, regressor

ROWS, LABELS = blobs(400)


def frame(rows):
    return pd.DataFrame(rows)


@pytest.mark.parametrize("half_life", [None, 50.0])
def test_a_stream_is_what_partial_fit_makes_of_it(half_life):
    rows, labels = blobs(400, ("no", "yes"))
    model = learned(plain(gamma="scale", half_life=half_life), rows, labels)
    X, y = frame(rows).to_numpy(), np.array([model._index[label] for label in labels])
    estimator = Estimator("bsgd", gamma="scale", lam=1e-4, budget=30, half_life=half_life, random_state=1)
    estimator.initialize(X[:128], y[:128], [0, 1]).partial_fit(X, y)
    found = [model._model.scores_one(model._features.read(x))[0] for x in rows]
    np.testing.assert_array_equal(found, estimator.decision_function(X))


def test_the_scale_of_targets_comes_from_the_warm_up():
    rows, y = curve(400)
    model = learned(regressor(warm_up=64), rows, y)
    X = frame(rows).to_numpy()
    estimator = RegressionEstimator(gamma=0.5, budget=30, random_state=1).initialize(X[:64], np.array(y[:64]))
    estimator.partial_fit(X, np.array(y))
    np.testing.assert_allclose([model.predict_one(x) for x in rows], estimator.predict(X), rtol=1e-12)
    assert np.abs(np.array([model.predict_one(x) for x in rows]) - y).mean() < 8


@pytest.mark.parametrize("cuts", [[0, 400], [0, 50, 300, 400]])
def test_learn_many_is_a_loop_of_learn_one(cuts):
    one, many = learned(plain(), ROWS, LABELS), plain()
    for start, stop in itertools.pairwise(cuts):
        many.learn_many(frame(ROWS[start:stop]), pd.Series(LABELS[start:stop]))
    assert_same(one, many)


def test_learn_many_meets_new_columns_and_labels_like_learn_one():
    rows = [{k: x[k] for k in NAMES[:2]} for x in ROWS[:200]] + ROWS[200:]
    labels = ["red" if label == "blue" else label for label in LABELS[:300]] + LABELS[300:]
    one, many = learned(plain(), rows, labels), plain()
    for part in (slice(0, 200), slice(200, 400)):
        many.learn_many(frame(rows[part]), pd.Series(labels[part]), w=pd.Series(np.ones(200)))
    assert_same(one, many)
    assert one._model.n_features == 4 and one._model.n_outputs == 3


def test_frames_give_what_rows_give():
    model, X = learned(plain(), ROWS, LABELS), frame(ROWS).set_index(np.arange(400) + 7)
    labels, chances = model.predict_many(X), model.predict_proba_many(X)
    assert labels.tolist() == [model.predict_one(x) for x in ROWS]
    assert list(labels.index) == list(chances.index) == list(range(7, 407))
    np.testing.assert_allclose(chances.to_numpy(), [list(model.predict_proba_one(x).values()) for x in ROWS])
    assert chances.idxmax(axis=1).tolist() == labels.tolist()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)


def test_nothing_is_known_before_anything_is_learned():
    X = frame(ROWS[:3])
    assert plain().predict_one(ROWS[0]) is None and plain().predict_proba_one(ROWS[0]) == {}
    assert plain().predict_many(X).tolist() == [None] * 3 and plain().predict_proba_many(X).shape == (3, 0)
    assert regressor().predict_one(ROWS[0]) == 0.0 and regressor().predict_many(X).tolist() == [0.0] * 3
    first = plain()
    first.learn_one(ROWS[0], "red")
    assert first.predict_one(ROWS[1]) == "red" and first.predict_proba_one(ROWS[1]) == {"red": 1.0}


@pytest.mark.parametrize("make, stream", [(plain, blobs), (regressor, curve)])
def test_a_new_feature_changes_nothing_that_was_learned(make, stream):
    rows, y = stream(300)
    model = learned(make(), rows[:299], y[:299])
    wide, before = copy.deepcopy(model), [model._scores_one(x) for x in rows]
    wide._features = wide._features.joined(["late", 7])
    wide._model = wide._grow(wide._model, wide._features.width, wide._row(rows[0]))
    np.testing.assert_array_equal([wide._scores_one(x) for x in rows], before)
    model.learn_one(rows[299], y[299])
    wide.learn_one({**rows[299], "late": 0.0}, y[299])
    np.testing.assert_array_equal([wide._scores_one(x) for x in rows], [model._scores_one(x) for x in rows])


def test_absent_is_zero_and_strangers_are_left_out():
    model = learned(plain(), ROWS, LABELS)
    some, whole = {"b": 1.0, "d": -2.0}, {"a": 0, "b": 1.0, "c": False, "d": np.float32(-2.0)}
    np.testing.assert_array_equal(model._scores_one(some), model._scores_one(whole))
    np.testing.assert_array_equal(model._scores_one(Counter(b=1, d=-2, e=3)), model._scores_one(whole))
    assert model.predict_proba_one({**some, "never": 9.0}) == model.predict_proba_one(some)
    assert "never" not in model._features.columns


def test_the_order_of_features_does_not_matter():
    rng = np.random.default_rng(0)
    other = [{k: x[k] for k in rng.permutation(NAMES).tolist()} for x in ROWS]
    assert_same(learned(plain(), ROWS, LABELS), learned(plain(), other, LABELS))


BAD = {
    "words": ({"a": "red"}, "Feature 'a' is 'red', which is not a number.*OneHotEncoder"),
    "numbers in words": ({"a": "1.5", "b": 1, "c": 1, "d": 1}, "Feature 'a' is '1.5', which is not a number"),
    "nothing": ({"b": None}, "Feature 'b' is None, which is missing.*StatImputer"),
    "nan": ({"c": float("nan")}, "Feature 'c' is nan, which is NaN.*StatImputer"),
    "too large": ({"a": 1.0, "d": 1e300}, "Feature 'd' is 1e[+]300, which is too large for float32.*StandardScaler"),
    "beyond floats": ({"d": 10**400}, "Feature 'd' is 1000.*too large"),
    "no dict": ([1.0, 2.0], "x must be a dict of features"),
    "new and bad": ({"e": float("inf")}, "Feature 'e' is inf, which is too large"),
}


@pytest.mark.parametrize("x, message", BAD.values(), ids=BAD)
def test_a_bad_row_is_refused_in_a_sentence(x, message):
    for rows in (10, 300):
        model = learned(plain(), ROWS[:rows], LABELS[:rows])
        before = pickle.dumps(model)
        with pytest.raises(ValueError, match=message):
            model.learn_one(x, "red")
        if "e" not in x:
            with pytest.raises(ValueError, match=message):
                model.predict_one(x)
        assert pickle.dumps(model) == before


@pytest.mark.parametrize("y", [None, float("nan"), [1], pd.NA])
def test_what_is_no_label(y):
    with pytest.raises(ValueError, match="not a label"):
        learned(plain(), ROWS[:9], LABELS[:9]).learn_one(ROWS[0], y)


@pytest.mark.parametrize("y", [None, float("inf"), "12"])
def test_what_is_no_number(y):
    with pytest.raises(ValueError, match="not a finite number"):
        regressor().learn_one({"u": 1.0}, y)


@pytest.mark.parametrize("rows", [0, 300])
def test_a_bad_frame_is_refused_whole(rows):
    model, X = learned(plain(), ROWS[:rows], LABELS[:rows]), frame(ROWS[:40]).astype(object)
    before = pickle.dumps(model)
    for value, message in (("red", "Row 30: Feature 'c' is 'red'"), (np.nan, "Row 30: Feature 'c' is nan")):
        X.loc[30, "c"] = value
        with pytest.raises(ValueError, match=message):
            model.learn_many(X, pd.Series(LABELS[:40]))
    good = frame(ROWS[:40])
    for y, w, message in (
        (LABELS[:39], 1.0, "40 rows and y has 39"), ([*LABELS[:39], None], 1.0, "not a label"),
        (LABELS[:40], -1.0, "weight of row 0 is -1.0"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            model.learn_many(good, pd.Series(y, dtype=object), w)
    assert pickle.dumps(model) == before
