"""Errors name the row and leave the estimator as it was."""

import pickle

import numpy as np
import pytest

from kernelstream import KernelClassifier

from .data import classifier, two_classes


def test_errors_name_the_row_and_leave_the_model_alone():
    X, y = two_classes(100)
    model = classifier().partial_fit(X, y, classes=["black", "white"])
    before = model.decision_function(X)
    strange = y.astype(object)
    strange[7] = "green"
    bad = X.copy()
    bad[5, 1] = np.inf
    for rows, labels, message in [
        (X, strange, "y is 'green' at row 7, which is not among the classes 'black', 'white'"),
        (bad, y, "Input X contains infinity at row 5, column 1"),
        (X[:, :1], y, "X has 1 features, but KernelClassifier is expecting 2 features"),
        (X, y[:50], "inconsistent numbers of samples"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.partial_fit(rows, labels)
    with pytest.raises(ValueError, match=r"classes is \['a'\], but the model has \['black', 'white'\]; they cannot"):
        model.partial_fit(X, y, classes=["a"])
    with pytest.raises(ValueError, match=r"The weight of row 3 is -1\.0"):
        model.partial_fit(X, y, sample_weight=np.where(np.arange(100) == 3, -1.0, 1.0))
    with pytest.raises(ValueError, match=r"sample_weight has the shape \(99,\); with 100 rows it must be \(100,\)"):
        model.partial_fit(X, y, sample_weight=np.ones(99))
    np.testing.assert_array_equal(model.decision_function(X), before)
    assert model.record_.examples == 100


def test_a_failed_beginning_leaves_nothing_behind():
    X, y = two_classes(50)
    model = classifier()
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        model.partial_fit(X, y)
    with pytest.raises(ValueError, match="y is 'black' at row"):
        model.partial_fit(X, y, classes=["white"])
    with pytest.raises(ValueError, match="y contains nan at row 1, which is not a label"):
        model.fit(X[:3], [1.0, np.nan, 2.0])
    assert vars(model) == vars(classifier())
    fitted = classifier().fit(X, y)
    before = fitted.decision_function(X)
    with pytest.raises(ValueError, match="All sample weights are zero"):
        fitted.fit(np.ones((50, 3)), y, sample_weight=0.0)
    np.testing.assert_array_equal(fitted.decision_function(X), before)


def test_dates_are_not_labels():
    X, y = two_classes(50)
    dates = np.where(y == "black", np.datetime64("2020-01-01"), np.datetime64("2021-01-01"))
    for labels in (dates, dates - dates[0]):
        with pytest.raises(ValueError, match=r"y is of type (date|time).* Convert them to text or integers"):
            classifier().fit(X, labels)


def product(x, z):
    total = 0.0
    for k in range(x.shape[0]):
        total += x[k] * z[k]
    return total


def test_a_plain_function_as_kernel_and_a_row_that_it_overflows_on():
    X = np.random.default_rng(0).normal(size=(300, 2))
    y = X[:, 0] > X[:, 1]
    model = KernelClassifier("kernel_sgd", kernel=product, lam=0.01, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95
    assert pickle.loads(pickle.dumps(model)).score(X, y) == model.score(X, y)
    X[[42, 43]], y[42], y[43] = 1e30, True, False
    with pytest.raises(ValueError, match=r"overflows at row 4[23]: .* too large for kernel\(product\)"):
        model.fit(X, y)
