"""A model that sets itself up: however rows are cut into calls, it is the same, and what waits for the warm-up is not
lost."""

import copy
import pickle
import threading

import numpy as np
import pytest

from kernelstream import KernelRegressor
from kernelstream.tracking import AdaptiveModel
from kernelstream.tracking.adaptive_model import BEGINNINGS, WARM_UP
from tests.tracking.streams import board, recipe_for

engine = pytest.mark.engine
SCALE = np.array([1e4, 1e-3])


def new(classes=2, features=2, **more):
    return AdaptiveModel(recipe_for(2, 40), features, classes, seed=3, **more)


def rows(count, seed=1, classes=2):
    X, y = board(count, seed=seed, classes=classes)
    return X * SCALE, y.astype(np.float64)


def same(one, other, X):
    return pickle.dumps(one.scores_many(X)) == pickle.dumps(other.scores_many(X)) and one.rows == other.rows


@engine
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("size", [1, 7, 100])
def test_chunking_never_matters(classes, size):
    X, y = rows(300, classes=classes)
    whole, parts = new(classes).learn_many(X, y), new(classes)
    for start in range(0, 300, size):
        parts.learn_many(X[start : start + size], y[start : start + size])
    assert same(whole, parts, X) and whole.rows == 300
    again = new(classes)
    for x, target in zip(X, y.tolist(), strict=True):
        again.learn_one(x, target)
    assert same(whole, again, X)


@engine
def test_scores_of_rows_before_they_are_learned():
    X, y = rows(220)
    one, two, found = new(), new(), []
    for x, target in zip(X, y.tolist(), strict=True):
        found.append(two.scores_one(x))
        two.learn_one(x, target)
    np.testing.assert_array_equal(one.score_then_learn(X, y), found)
    assert same(one, two, X)


@engine
@pytest.mark.parametrize("seen", [0, 5, 20, 100, 128, 190])
def test_interrupted_or_not(seen):
    X, y = rows(seen + 60)
    one = new().learn_many(X[:seen], y[:seen])
    others = [pickle.loads(pickle.dumps(one)), copy.deepcopy(one)]
    for each in (one, *others):
        each.learn_many(X[seen:], y[seen:])
    assert all(same(one, other, X) for other in others)


@engine
def test_before_the_models_begin_classes_have_their_frequencies():
    X, y = np.zeros((6, 2)), np.array([0.0, 0.0, 0.0, 2.0, 2.0, 1.0])
    model = new(3)
    np.testing.assert_allclose(model.probabilities_one(X[0]), 1.0 / 3.0)
    model.learn_many(X, y)
    assert model.stream is None
    np.testing.assert_allclose(model.probabilities_one(X[0]), [3 / 6, 1 / 6, 2 / 6])
    np.testing.assert_allclose(np.exp(model.scores_many(X)[0]), [3 / 6, 1 / 6, 2 / 6])


@engine
def test_what_is_new_during_the_warm_up_waits_for_the_next_beginning():
    X, y = rows(60)
    model = new().learn_many(X[:20], y[:20])
    assert model.stream.tracker.rows == 20 > BEGINNINGS[0]
    wide = model.expand(3, 3)
    late = np.column_stack([X[20:], np.ones(40)])
    wide.learn_many(late[:5], np.full(5, 2.0))
    assert wide.stream.tracker.width == 2 and wide.rows == 25
    p = wide.probabilities_one(late[0])
    assert p.sum() == pytest.approx(1.0) and p[2] == pytest.approx(5 / 25)
    wide.learn_many(late[5:], np.full(35, 2.0))
    assert (wide.stream.tracker.n_features, wide.stream.tracker.width) == (3, 3) and wide.first is not None
    assert wide.probabilities_one(late[0])[2] > 0.5 and model.n_features == 2


@engine
def test_growth_after_the_warm_up():
    X, y = rows(200)
    model = new().learn_many(X, y)
    more = model.expand(3, 4, np.array([0.0, 0.0, 50.0]))
    wide = np.column_stack([X, np.zeros(200)])
    before, after = np.exp(model.scores_many(X)), np.exp(more.scores_many(wide))
    assert after.shape == (200, 4) and (after[:, :2].argmax(axis=1) == before.argmax(axis=1)).mean() > 0.97
    assert more.stream.units.factors[2] == pytest.approx(2.0 / 50.0)
    assert model.add_features(5).n_features == 5
    with pytest.raises(ValueError, match="has 5 features and cannot shrink to 4"):
        model.add_features(4)


@engine
def test_started_by_rows_that_are_not_learned():
    X, y = rows(300)
    model = new().start(X[:200], y[:200])
    assert model.rows == model.n_support == 0 and model.first is None
    model.learn_many(X, y)
    assert model.rows == 300 and 0 < model.n_support <= 40


@engine
@pytest.mark.parametrize("seen", [0, 50, 150])
@pytest.mark.parametrize(
    ("X", "y", "weight", "message"),
    [
        ([[1.0, np.nan]], [1.0], None, "NaN at row 0, column 1"),
        ([[1.0, 1.0], [np.inf, 1.0]], [1.0, 0.0], None, "infinity at row 1, column 0"),
        ([[1.0, 1.0, 1.0]], [1.0], None, "X has 3 features, but the model has 2"),
        ([[1.0, 1.0]], [2.0], None, "takes a class from 0 to 1"),
        ([[1.0, 1.0]], [1.0, 0.0], None, "X has 1 rows and y has 2"),
        ([[1.0, 1.0]], [1.0], [-1.0], "weight"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_changes(seen, X, y, weight, message):
    good, targets = rows(seen)
    model = new().learn_many(good, targets)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match=message):
        model.learn_many(X, y, weight)
    assert pickle.dumps(model) == before


def test_a_clock_is_named_at_the_line_that_called():
    X, y = rows(700)
    clock = np.column_stack([X, np.arange(700.0)])
    model = AdaptiveModel(recipe_for(2, 40), 3, 2, names=["a", "b", "time"])
    with pytest.warns(UserWarning, match="Feature 'time' has only risen for 512 rows") as noticed:
        model.learn_many(clock, y)
    assert noticed[0].filename == __file__
    same_row = clock[600:601].repeat(2, axis=0)
    same_row[1, 2] = 1e9
    first, second = model.scores_many(same_row)
    np.testing.assert_array_equal(first, second)


def test_units_of_features_do_not_matter():
    X, y = board(1500, seed=4)
    y = y.astype(np.float64)
    plain, other = new().learn_many(X, y), new().learn_many(X * [1024.0, 1.0 / 1024.0], y)
    agree = plain.scores_many(X).argmax(axis=1) == other.scores_many(X * [1024.0, 1.0 / 1024.0]).argmax(axis=1)
    assert agree.mean() > 0.97


def test_the_record_and_its_theorem():
    X, y = rows(640)
    model = new().learn_many(X, y)
    record = model.record
    assert record.examples == 640 and record.maintenance > 0 and 0 < record.mistakes < 320
    (guarantee,) = record.certificate.guarantees
    best = -np.log(np.full(640, 0.5)).sum()  # what guessing costs
    assert 0.0 < record.loss < best and guarantee.bound < 20.0 and guarantee.measured == record.loss
    assert [expert.name.split()[0] for expert in model.experts] == ["kernel"] * 3 + ["cells"] * 4
    assert all(0.0 < expert.error < 0.7 for expert in model.experts)
    assert AdaptiveModel(recipe_for(2, 40), 2, 2).record.certificate.guarantees == ()


def test_threads_read_between_two_blocks():
    """Readers never see a model half changed: a row that is predicted twice in one moment has one answer."""
    X, y = rows(3000)
    model = new().learn_many(X[:200], y[:200])
    errors, counts, done = [], [0], threading.Event()

    def read():
        while not done.is_set():
            with model.lock:
                first, second = model.scores_many(X[:5]), model.scores_many(X[:5])
            counts[0] += 1
            if not (np.array_equal(first, second) and np.isfinite(first).all()):
                errors.append((first, second))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in readers:
        thread.start()
    model.learn_many(X[200:], y[200:])
    done.set()
    for thread in readers:
        thread.join()
    assert not errors and counts[0] > 0 and model.rows == 3000
    assert same(model, new().learn_many(X, y), X)


def test_the_warm_up_ends_where_it_is_said():
    assert WARM_UP == 128 and new().first is not None
    X, y = rows(128)
    assert new().learn_many(X[:127], y[:127]).first is not None
    assert new().learn_many(X, y).first is None


@pytest.mark.parametrize("seen", [50, 200])
@pytest.mark.parametrize("y", [np.nan, np.inf, 1e200])
def test_numbers_that_are_no_targets_are_refused(seen, y):
    X, _ = rows(seen)
    model = AdaptiveModel(KernelRegressor(budget=40).stream_recipe(), 2).learn_many(X, X[:, 0])
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="y contains"):
        model.learn_one(X[0], y)
    assert pickle.dumps(model) == before


@pytest.mark.parametrize("y", [2.0, -1.0, 0.5, 7, "a"])
def test_what_is_no_class_is_refused(y):
    X, labels = rows(200)
    model = new().learn_many(X, labels)
    with pytest.raises(ValueError):
        model.learn_one(X[0], y)
    assert model.rows == 200


def test_rows_of_other_layouts_are_converted_or_refused():
    X, y = rows(200)
    model = new().learn_many(X, y)
    expected = model.scores_one(X[0])
    for x in (X[0].tolist(), X.T.copy()[:, 0].astype(">f8"), np.column_stack([X[0], X[0]])[:, 0], X[:1]):
        np.testing.assert_array_equal(model.scores_one(x), expected)
        np.testing.assert_allclose(model.probabilities_one(x), np.exp(expected))
    for x in (X[0, :1], np.zeros(3), np.zeros((2, 3)), "row"):
        with pytest.raises((ValueError, TypeError)):
            model.scores_one(x)
        with pytest.raises((ValueError, TypeError)):
            model.learn_one(x, 1.0)
    assert model.rows == 200


def test_absurd_numbers_leave_finite_predictions():
    X, _ = rows(600)
    y = X[:, 0] / SCALE[0]
    y[300:312] = 1e99
    model = AdaptiveModel(KernelRegressor(budget=40).stream_recipe(), 2).learn_many(X, y)
    assert np.isfinite(model.scores_many(X)).all()
