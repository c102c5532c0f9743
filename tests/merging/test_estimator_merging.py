"""Fitted estimators merge with all that they have."""

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError

import kernelstream
from kernelstream import KernelClassifier, KernelRegressor, merge
from kernelstream.datasets import checkerboard
from kernelstream.estimators.calibration import MOST
from tests.estimators.data import three_classes

X, Y = checkerboard(2400, seed=0)
SHARDS = [slice(i * 800, (i + 1) * 800) for i in range(3)]


def classifiers(**options):
    given = {"gamma": 4.0, "budget": 40, "epochs": 2, "random_state": 0} | options
    return [KernelClassifier(**given).fit(X[part], Y[part]) for part in SHARDS]


def test_a_merged_classifier_predicts_learns_on_and_is_saved(tmp_path):
    several = classifiers()
    merged, error = merge(several)
    assert merged.n_support_ == 40 and 0.0 < error < 10.0
    test = checkerboard(2000, seed=1)
    # the mean of three is better than the typical one of them, even on a third of their support vectors
    assert merged.score(*test) > np.median([one.score(*test) for one in several])
    assert merged.record_.examples == sum(one.record_.examples for one in several)
    kernelstream.save(merged, tmp_path / "merged.ks")
    loaded = kernelstream.load(tmp_path / "merged.ks")
    for one in (merged, loaded):
        one.partial_fit(X[:300], Y[:300])
    np.testing.assert_array_equal(merged.decision_function(X), loaded.decision_function(X))
    assert several[0].record_.examples == 2 * 760 + 40  # untouched


def test_calibration_pools_the_scores_of_all():
    several = classifiers()
    merged = merge(several).model
    known = merged.calibration_
    room = MOST // 3
    for name in ("index", "scores"):
        expected = np.concatenate([getattr(one.calibration_, name)[-room:] for one in several])
        np.testing.assert_array_equal(getattr(known, name), expected)
    assert np.array_equal(merged.predict_proba(X).argmax(axis=1), (merged.decision_function(X) > 0).astype(int))


def test_regressors_are_averaged_in_the_units_of_y():
    target = 100.0 + 10.0 * X[:, 0] + np.arange(len(X)) / 100.0  # every shard has another mean and scale
    several = [
        KernelRegressor(gamma=1.0, budget=40, epochs=1, random_state=0).fit(X[part], target[part]) for part in SHARDS
    ]
    assert len({float(one.target_mean_[0]) for one in several}) == 3
    merged, error = merge(several, budget=40)
    mean = np.mean([one.predict(X) for one in several], axis=0)
    # κ(x, x) = 1, so no prediction is off by more than the error, in units of the scale
    assert np.abs(merged.predict(X) - mean).max() <= error * merged.target_scale_[0] * (1.0 + 1e-4) + 1e-3
    np.testing.assert_allclose(merged.target_mean_, np.mean([one.target_mean_ for one in several], axis=0))


def test_classes_that_only_some_know():
    data, labels = three_classes(600)
    fourth = np.where(data[:, 0] > np.quantile(data[:, 0], 0.9), "d", labels)
    given = {"gamma": 1.0, "budget": 30, "epochs": 1, "random_state": 0}
    a = KernelClassifier(**given).fit(data, labels)
    b = KernelClassifier(**given).fit(data, fourth)
    merged, error = merge([a, b], budget=30)
    assert merged.classes_.tolist() == ["a", "b", "c", "d"]
    scores = merged.decision_function(data)
    both, only = (a.decision_function(data) + b.decision_function(data)[:, :3]) / 2, b.decision_function(data)[:, 3]
    assert np.abs(scores[:, :3] - both).max() <= error * (1.0 + 1e-4) + 1e-3
    assert np.abs(scores[:, 3] - only).max() <= error * (1.0 + 1e-4) + 1e-3
    merged.partial_fit(data[:50], fourth[:50])
    two = KernelClassifier(**given).fit(data[labels != "a"], labels[labels != "a"])
    with pytest.raises(ValueError, match="Give all classes to the first partial_fit"):
        merge([a, two])


def test_misfits_are_refused():
    given = {"gamma": 4.0, "budget": 40, "epochs": 1, "random_state": 0}
    plain = classifiers()[0]
    named = [
        KernelClassifier(**given).fit(pandas.DataFrame(X[:300], columns=columns), Y[:300])
        for columns in (["a", "b"], ["b", "a"])
    ]
    for pair in ([plain, named[0]], named):
        with pytest.raises(ValueError, match="the feature names of estimator 1 differ"):
            merge(pair)
    with pytest.raises(ValueError, match="kernel"):
        merge(classifiers(gamma="scale"))
    flat = KernelRegressor(**given).fit(X[:300], X[:300, 0])
    deep = KernelRegressor(**given).fit(X[:300], X[:300, :1])
    with pytest.raises(ValueError, match="one dimension, some of two"):
        merge([flat, deep])
    with pytest.raises(NotFittedError):
        merge([plain, KernelClassifier()])
