"""Test, then train: compared with loops written out, and with learners that note what they are asked."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import SGDClassifier

from kernelstream import Model, losses, recipes
from kernelstream.datasets import batches, checkerboard
from kernelstream.evaluate import Progress, iter_progressive, progressive
from kernelstream.evaluate.prequential import MOST
from kernelstream.evaluate.prequential_learners import ModelLearner
from kernelstream.kernels import Gaussian


class Repeater(ClassifierMixin, BaseEstimator):
    """Predicts the last label it was taught, and notes the order of events."""

    def fit(self, X, y):
        return self

    def partial_fit(self, X, y, classes=None):
        self.events_ = [*getattr(self, "events_", []), ("learn", np.ravel(np.asarray(X)).tolist())]
        self.label_ = np.asarray(y)[-1]
        return self

    def predict(self, X):
        self.events_.append(("predict", np.ravel(np.asarray(X)).tolist()))
        return np.full(len(X), self.label_)


class Zero(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def partial_fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.zeros(len(X))


def pieces(X, y, *cuts):
    bounds = [0, *cuts, len(y)]
    return [(X[a:b], y[a:b]) for a, b in itertools.pairwise(bounds)]


X, Y = np.arange(10.0)[:, None], np.array([0, 0, 1, 1, 1, 0, 0, 1, 0, 0])


def test_a_batch_is_predicted_before_any_of_it_is_learned():
    model = Repeater()
    result = progressive(model, pieces(X, Y, 3, 7), classes=[0, 1])
    rows = [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]]
    assert model.events_ == [
        ("learn", rows[0]), ("predict", rows[1]), ("learn", rows[1]), ("predict", rows[2]), ("learn", rows[2]),
    ]  # fmt: skip
    assert result.examples.tolist() == [3, 7, 10] and result.tested.tolist() == [0, 4, 7]
    # the first batch teaches 1, which is right twice of four times; then 0, right twice of three
    np.testing.assert_allclose(result.score, [np.nan, 2 / 4, 4 / 7])
    np.testing.assert_allclose(result.window, [np.nan, 2 / 4, 2 / 3])
    assert np.isnan(result.support).all() and result.final.support is None


@pytest.mark.parametrize("single", [True, False], ids=["rows", "batches of one"])
def test_one_row_at_a_time(single):
    stream = zip(X, Y, strict=True) if single else pieces(X, Y, *range(1, 10))
    result = progressive(Repeater(), stream, classes=[0, 1])
    assert result.final.score == np.mean(Y[1:] == Y[:-1])
    assert result.metric == "accuracy" and result.final.tested == 9


@pytest.mark.parametrize("every", [1, 3, 4, 100])
def test_points_are_kept_as_often_as_asked(every):
    stream = pieces(X, Y, 2, 4, 6, 8)
    result = progressive(Repeater(), stream, classes=[0, 1], every=every)
    assert result.examples.tolist() == {1: [2, 4, 6, 8, 10], 3: [4, 6, 10], 4: [4, 8, 10], 100: [10]}[every]
    assert [p.examples for p in iter_progressive(Repeater(), stream, classes=[0, 1], every=every)] == [*result.examples]


def test_a_long_stream_keeps_few_points_whose_windows_cover_it():
    n = 3000
    y = np.random.default_rng(0).integers(0, 2, n)
    result = progressive(Repeater(), zip(np.zeros((n, 1)), y, strict=True), classes=[0, 1])
    assert MOST / 2 < len(result) <= MOST + 1
    assert result.examples[-1] == n and (np.diff(result.examples) > 0).all()
    hits = np.cumsum(np.r_[0, y[1:] == y[:-1]])
    np.testing.assert_allclose(result.score, hits[result.examples - 1] / (result.examples - 1))
    inside = np.diff(hits[result.examples - 1], prepend=0) / np.diff(result.tested, prepend=0)
    np.testing.assert_allclose(result.window, inside)


def test_numbers_have_a_root_mean_squared_error_or_any_other():
    y = np.array([3.0, 4.0, 0.0, 5.0])
    stream = pieces(np.zeros((4, 1)), y, 1, 3)
    result = progressive(Zero(), stream)
    assert result.metric == "rmse"
    np.testing.assert_allclose(result.score[1:], [math.sqrt(8), math.sqrt(41 / 3)])
    np.testing.assert_allclose(result.window[1:], [math.sqrt(8), 5])
    np.testing.assert_allclose(progressive(Zero(), stream, metric="mae").score[1:], [2, 3])

    def above_three(truth, prediction):
        return truth - prediction > 3

    result = progressive(Zero(), stream, metric=above_three)
    assert (result.metric, result.final.score) == ("above_three", 2 / 3)


def test_a_model_is_the_loop_written_out():
    X, y = checkerboard(400, seed=3)
    recipe = recipes.default(Gaussian(4.0), budget=40)
    straight, model = Model.from_recipe(recipe, X, y), Model.from_recipe(recipe, X, y)
    hits = 0
    for x, target in zip(X, y, strict=True):
        hits += (straight.scores_one(x)[0] > 0) == (target > 0)
        straight.learn_one(x, target)
    result = progressive(model, zip(X, y, strict=True), every=100)
    assert result.final.score == hits / 400
    np.testing.assert_array_equal(model.scores_many(X), straight.scores_many(X))
    assert result.support.tolist() == [40] * 4 and (result.nbytes == model.nbytes).all()
    assert (np.diff(result.seconds) > 0).all()


def test_sparse_rows_and_frames():
    """They reach the learner as they are."""
    seen = []

    class Witness(Zero):
        def partial_fit(self, X, y):
            seen.append(X)
            return super().partial_fit(X, y)

        def predict(self, X):
            return np.zeros(X.shape[0])

    sparse, frame = csr_matrix(X), pd.DataFrame(X, columns=["a"])
    fitted = Witness().partial_fit(X, Y)  # can predict from the first batch on
    assert progressive(fitted, [(sparse[:4], Y[:4]), (sparse[4:].tocsc(), Y[4:])]).final.tested == 10
    assert [rows.format for rows in seen[1:]] == ["csr", "csr"]
    progressive(fitted, [(frame[:4], pd.Series(Y[:4])), (frame[4:], Y[4:].tolist())])
    assert [list(rows.columns) for rows in seen[3:]] == [["a"], ["a"]]


@pytest.mark.parametrize(
    ("loss", "f", "y", "prediction", "truth"),
    [
        (losses.Hinge(), [[0.5], [-0.1], [0.0]], [1, -1, 1], [1, -1, -1], [1, -1, 1]),
        (losses.CrammerSinger(), [[1, 2, 0], [3, 1, 1]], [2, 0], [1, 0], [2, 0]),
        (losses.Logistic(), [[1, 2, 0], [3, 1, 1]], [[-1, -1, 1], [1, -1, -1]], [1, 0], [2, 0]),
        (losses.Squared(), [[1.5], [2.0]], [1, 2], [[1.5], [2.0]], [[1], [2]]),
    ],
)
def test_scores_and_targets_of_every_loss_become_comparable(loss, f, y, prediction, truth):
    class Scores:
        recipe = recipes.kernel_sgd(loss=loss)

        def scores_many(self, X):
            return np.array(f, float)

        def learn_many(self, X, y):
            pass

    learner = ModelLearner(Scores())
    np.testing.assert_array_equal(learner.test_then_train(np.zeros((len(y), 1)), y), prediction)
    np.testing.assert_array_equal(learner.truth(y), truth)
    assert learner.metric == ("rmse" if loss.target == "values" else "accuracy")


def test_scikit_learns_own_take_part():
    result = progressive(SGDClassifier(random_state=0), batches("waveform", 2000, 200), classes=[0, 1, 2])
    assert result.final.score > 0.7 and result.final.nbytes is None


def test_results_are_plain_data():
    result = progressive(Repeater(), pieces(X, Y, 3, 7), classes=[0, 1])
    words = json.dumps(result.to_dict(), allow_nan=False)
    again = Progress.from_dict(json.loads(words))
    assert again.to_dict() == result.to_dict() and again.metric == "accuracy"
    assert [p.examples for p in again] == [3, 7, 10] and len(again) == 3
    empty = progressive(Repeater(), [(X[:0], Y[:0])], classes=[0, 1])
    assert len(empty) == 0
    with pytest.raises(ValueError, match="no examples"):
        empty.final  # noqa: B018


def wrong(truth, prediction):
    return 1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: progressive(Repeater(), []), r"Repeater is not fitted.* classes=\["),
        (lambda: progressive(Repeater(), [1], classes=[0, 1]), r"Item 0 of the stream is not a pair"),
        (lambda: progressive(Repeater(), [], classes=[0, 1], every=0), "every is 0"),
        (
            lambda: progressive(Repeater(), [], classes=[0, 1], metric="f1"),
            "unknown metric 'f1'. Available: 'accuracy'",
        ),
        (lambda: progressive(object(), []), "neither a Model nor an estimator"),
        (
            lambda: progressive(Zero(), pieces(X, Y, 3), metric=wrong),
            "Batch 0, .* example 0 .* wrong returned .* 3 examples",
        ),
        (lambda: progressive(SGDClassifier(), [(X, Y), (X[:2] * np.nan, Y[:2])], classes=[0, 1]), "Batch 1, .* NaN"),
    ],
)
def test_errors_say_where(call, words):
    with pytest.raises(ValueError, match=words):
        call()
