"""A stream that begins before it is learned, and features that come later."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, recipes

from .data import classifier, curve, regressor, same, two_classes


def test_to_begin_and_then_learn_is_to_learn():
    X, y = two_classes(300)
    at_once = classifier(gamma="scale").partial_fit(X, y, classes=["black", "white"])
    begun = classifier(gamma="scale").initialize(X, y)
    assert begun.record_.examples == 0 and begun.n_support_ == 0
    same(begun.partial_fit(X[:100], y[:100]).partial_fit(X[100:], y[100:]), at_once, X)
    X, y = curve(300)
    at_once = regressor().partial_fit(X, y)
    begun = regressor().initialize(X, y)
    np.testing.assert_array_equal(begun.predict(X), np.full(300, y.mean()))
    for i in range(300):
        begun.partial_fit(X[i : i + 1], y[i : i + 1])
    np.testing.assert_array_equal(begun.predict(X), at_once.predict(X))


def test_features_that_come_later_were_0_before():
    X, y = two_classes(400)
    wide = np.column_stack([X, np.arange(400) % 3 * (np.arange(400) >= 200)])
    whole = classifier().partial_fit(wide, y, classes=["black", "white"])
    grown = classifier().partial_fit(X[:200], y[:200], classes=["black", "white"])
    before = grown.decision_function(X)
    grown.add_features(3)
    np.testing.assert_array_equal(grown.decision_function(np.column_stack([X, np.zeros(400)])), before)
    same(grown.partial_fit(wide[200:], y[200:]), whole, wide)


def test_what_cannot_be_widened():
    X, y = two_classes(50)
    model = classifier().fit(X, y)
    with pytest.raises(ValueError, match="The model has 2 features and cannot shrink to 1"):
        model.add_features(1)
    features = KernelClassifier(recipes.fogd(frequencies=3)).initialize(X, y)
    with pytest.raises(ValueError, match=r"Fourier\(.*\) was drawn for 2 features and cannot take 3"):
        features.add_features(3)
    with pytest.raises(ValueError, match="classes"):
        classifier().initialize(X, y, classes=["grey", "white"])
