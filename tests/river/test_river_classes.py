"""Classes that nobody announced."""

import copy

import numpy as np
import pytest
from scipy.special import softmax

from kernelstream.model.targets import new_outputs
from kernelstream.tracking import AdaptiveModel
from tests.river.data import KernelClassifier, blobs, learned, plain

TWO, THREE = blobs(600, ("red", "green")), blobs(900, seed=1)


def rate(model, rows, labels):
    return np.mean([model.predict_one(x) == y for x, y in zip(rows, labels, strict=True)])


@pytest.mark.parametrize("before", [1, 3])
def test_a_new_class_never_wins_by_itself(before):
    mix = new_outputs(before, 4, 2.0)
    scores = np.random.default_rng(0).normal(size=(1000, before)) @ mix.T
    assert (scores.argmax(axis=1) < max(before, 2)).all()


def test_a_third_class_leaves_what_was_learned():
    model = learned(plain(), *TWO)
    grown, (rows, _) = copy.deepcopy(model), THREE
    grown._welcome("blue")
    grown._model = grown._grow(model._model, model._features.width, model._row(rows[0]))
    assert [grown.predict_one(x) for x in rows] == [model.predict_one(x) for x in rows]
    f = np.array([model._scores_one(x)[0] for x in rows])
    expected = np.column_stack([-f / 2, f / 2, 0 * f])
    np.testing.assert_allclose([grown._scores_one(x) for x in rows], expected, atol=1e-12)
    assert grown._model.norm == pytest.approx(model._model.norm / np.sqrt(2))
    assert grown._calibration.factor == model._calibration.factor
    assert grown._model.record.updates == model._model.record.updates


@pytest.mark.parametrize("make", [plain, lambda: KernelClassifier(gamma=0.3, budget=30, seed=1)])
def test_classes_that_come_late_are_learned(make):
    late = learned(make(), *TWO)
    learned(late, *THREE)
    assert set(late.predict_proba_one(THREE[0][0])) == {"red", "green", "blue"}
    test = blobs(500, seed=5)
    early = rate(learned(make(), *THREE), *test)
    assert rate(late, *test) > early - 0.03 and early > 0.9


def test_labels_of_any_kind_come_back_as_they_are():
    rows, _ = TWO
    for labels in ((False, True), (3, "x"), (("a", 1), None.__class__)):
        model = learned(plain(), rows, [labels[i % 2] for i in range(len(rows))])
        assert set(model.predict_proba_one(rows[0])) == set(labels) and model.predict_one(rows[0]) in labels
    model = learned(plain(), rows, [np.bool_(i % 2) for i in range(len(rows))])
    assert type(model.predict_one(rows[0])) is bool


def test_probabilities_are_fitted_to_rows_not_yet_learned():
    rows, labels = THREE
    noisy = [labels[i - 1] if i % 5 == 0 else y for i, y in enumerate(labels)]
    model, told, raw = plain(), [], []
    for i, (x, y) in enumerate(zip(rows, noisy, strict=True)):
        if i > 300:
            told.append(model.predict_proba_one(x)[y])
            raw.append(softmax(model._scores_one(x))[model._index[y]])
        model.learn_one(x, y)
    assert -np.log(told).mean() < 0.9 < np.log(3) < -np.log(np.maximum(raw, 1e-9)).mean()


def test_a_budget_in_bytes_holds_when_features_and_classes_come_late():
    model = learned(plain(budget="16 KiB"), *TWO)
    before = model._model.recipe.budget.size
    learned(model, *THREE)
    for i, (x, y) in enumerate(zip(*THREE, strict=True)):
        model.learn_one({**x, f"new{i // 100}": 0.1}, y)
        assert model.nbytes <= 16 * 1024
    assert 20 < model._model.recipe.budget.size < before and model._model.n_features == 13
    assert model.n_support <= model._model.recipe.budget.size
    assert rate(model, *THREE) > 0.85
    with pytest.raises(ValueError, match="bytes do not hold a model of 1013 features"):
        model.learn_one({f"more{i}": 0.1 for i in range(1000)}, "red")
    assert model._model.n_features == 13


def test_a_second_class_after_the_warm_up_is_tracked_too():
    """A stream that starts with one class only still has several widths and memories."""
    rng = np.random.default_rng(0)
    model = KernelClassifier(seed=1, warm_up=40)
    for i in range(400):
        x = rng.normal(size=2)
        model.learn_one({"a": x[0], "b": x[1]}, "rare" if i >= 100 and x[0] * x[1] > 0.0 else "usual")
    assert isinstance(model._model, AdaptiveModel)
    assert model.predict_one({"a": 1.0, "b": 1.0}) == "rare" and model.predict_one({"a": 1.0, "b": -1.0}) == "usual"
    assert sum(model.predict_proba_one({"a": 1.0, "b": 1.0}).values()) == pytest.approx(1.0)
