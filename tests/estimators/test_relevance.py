"""Relevance is high where features decide, the same in any units, and sums to 1."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from kernelstream import Function, KernelClassifier, Model, feature_relevance, recipes
from kernelstream.kernels import Linear
from kernelstream.model import feature_relevance as module
from kernelstream.model import gradients, relevance

from .data import classifier, regressor

DECIDE = [2, 7]


def ten_features(rows=1500):
    """Rows of ten features, of which two decide."""
    X = np.random.default_rng(0).normal(size=(rows, 10))
    return X, X[:, 2], X[:, 7]


def tasks():
    X, a, b = ten_features()
    return {
        "two classes": (classifier, X, np.where(a * b > 0, "u", "v")),
        "three classes": (classifier, X, np.digitize(a + b**2, [0.0, 1.0])),
        "regression": (regressor, X, 1000.0 + 50.0 * np.sin(a) + 20.0 * b**2),
        "two targets": (regressor, X, np.column_stack([np.sin(a), 1000.0 * b])),
    }


TASKS = tasks()


@pytest.mark.parametrize("task", TASKS)
def test_the_features_that_decide_have_the_relevance(task):
    make, X, y = TASKS[task]
    model = make(gamma=0.05, budget=100, epochs=1).fit(X, y)
    for found in (model.feature_relevance_, feature_relevance(model, X)):
        assert found.shape == (10,) and found.sum() == pytest.approx(1.0) and (found >= 0).all()
        assert found[DECIDE].sum() > 0.9 and found[DECIDE].min() > 0.1
    by_hand = np.square(gradients(model.model_, X)).sum(axis=1).mean(axis=0) * X.var(axis=0)
    np.testing.assert_allclose(feature_relevance(model, X), by_hand / by_hand.sum())
    sv = model.support_vectors_
    np.testing.assert_allclose(model.feature_relevance_, feature_relevance(model, sv), rtol=1e-6)


def test_outputs_count_in_standardised_units():
    make, X, y = TASKS["two targets"]
    one = make(gamma=0.05, budget=100, epochs=1).fit(X, y).feature_relevance_
    other = make(gamma=0.05, budget=100, epochs=1).fit(X, y * [1.0, 1e6]).feature_relevance_
    np.testing.assert_allclose(one, other, atol=1e-3)


def test_after_partial_fit_it_is_that_of_the_present():
    X, a, b = ten_features(4000)
    y = np.where(a * b > 0, 1, 0)
    model = classifier(gamma=0.05, budget=100)
    for start in range(0, 4000, 500):
        model.partial_fit(X[start : start + 500], y[start : start + 500], classes=[0, 1])
    before = model.feature_relevance_
    assert before[DECIDE].sum() > 0.9
    model.partial_fit(X[:2000], 1 - y[:2000])
    assert not np.array_equal(model.feature_relevance_, before)
    np.testing.assert_array_equal(feature_relevance(model.model_), model.feature_relevance_)


def test_sparse_rows():
    X, _, _ = ten_features()
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    y = np.where(X[:, 2] + X[:, 7] > 0, "u", "v")
    model = classifier(gamma=0.05, budget=100, epochs=1).fit(csr_matrix(X), y)
    assert model.feature_relevance_[DECIDE].sum() > 0.9
    np.testing.assert_allclose(feature_relevance(model, csr_matrix(X)), feature_relevance(model, X))


def test_relevance_is_the_same_in_any_units():
    """f(x) = w · x with features in metres, or one of them in millimetres."""
    X, w, units = ten_features()[0], np.arange(10.0), np.array([1e3] + [1.0] * 9)
    found = [
        relevance(Model.from_recipe(recipes.pegasos(Linear()), X, np.ones(1500), dtype="float64").adopt(f), rows)
        for f, rows in (
            (Function(w[None, :], np.ones((1, 1))), X),
            (Function(w[None, :] / units, np.ones((1, 1))), X * units),
        )
    ]
    np.testing.assert_allclose(found[0], found[1])
    np.testing.assert_allclose(found[0], np.square(w * X.std(axis=0)) / np.square(w * X.std(axis=0)).sum())


def test_a_constant_function_has_none():
    X, a, _ = ten_features(20)
    y = np.where(a > 0, 1, 0)
    nothing = classifier().partial_fit(X, y, classes=[0, 1], sample_weight=0.0)
    assert nothing.n_support_ == 0 and not nothing.feature_relevance_.any()
    assert nothing.feature_relevance_.shape == (10,) and not feature_relevance(nothing, X).any()
    model = classifier().fit(X, y)
    assert not feature_relevance(model, X[:1]).any()  # one row has no spread


def test_blocks_of_rows_and_a_sample_of_support_vectors(monkeypatch):
    X, a, b = ten_features()
    model = classifier(gamma=0.05, budget=100, epochs=1).fit(X, np.where(a * b > 0, "u", "v"))
    whole = feature_relevance(model, X)
    monkeypatch.setattr(module, "_NUMBERS", 1000)
    np.testing.assert_allclose(feature_relevance(model, X), whole)
    monkeypatch.setattr(module, "ROWS", 30)
    some = np.linspace(0, model.n_support_ - 1, 30).astype(int)
    sample = feature_relevance(model, model.support_vectors_[some])
    np.testing.assert_allclose(model.feature_relevance_, sample, rtol=1e-6)


def test_rows_are_checked_as_those_to_predict():
    X, a, b = ten_features(100)
    frame = pd.DataFrame(X, columns=list("abcdefghij"))
    model = classifier(epochs=1).fit(frame, a * b > 0)
    np.testing.assert_allclose(feature_relevance(model, frame), feature_relevance(model.model_, X), rtol=1e-9)
    with pytest.raises(ValueError, match="feature names should match"):
        feature_relevance(model, frame[list("jihgfedcba")])
    with pytest.raises(ValueError, match=r"NaN at row 3, column 1 \('b'\)"):
        feature_relevance(model, frame.assign(b=frame["b"].where(frame.index != 3)))
    with pytest.raises(ValueError, match="X has no rows to average the gradients over"):
        feature_relevance(model.model_, X[:0])
    with pytest.raises(ValueError, match="X has 9 features, but the model has 10"):
        feature_relevance(model.model_, X[:, 1:])
    with pytest.raises(NotFittedError):
        feature_relevance(clone(model))


def test_random_features_need_rows():
    X, a, _ = ten_features(200)
    model = KernelClassifier("fogd", gamma=0.05, random_state=0, epochs=1).fit(X, a > 0)
    with pytest.raises(ValueError, match=r"fixed basis instead of support vectors\. Give rows to average over"):
        feature_relevance(model)
    assert not hasattr(model, "feature_relevance_")
    assert feature_relevance(model, X).argmax() == 2


def test_gradients_that_overflow_are_refused():
    f = Function(np.array([[1e100, 1e100]]), np.array([[1e40]]))
    model = Model.from_recipe(recipes.pegasos(Linear()), np.eye(2), np.ones(2), dtype="float64").adopt(f)
    with pytest.raises(ValueError, match=r"too large for float64\. Scale the features"):
        relevance(model, 1e30 * np.eye(2))
