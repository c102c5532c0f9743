"""`KernelClassifier.add_classes`: labels that come after the first rows of a stream."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, load, save


def rows(count=3000, seed=0):
    X = np.random.default_rng(seed).uniform(-1, 1, (count, 2))
    return X, np.array(["m", "z", "a"])[np.digitize((X**2).sum(axis=1), [0.424, 0.849])]


MODELS = {"single": {"gamma": 4.0, "budget": 40}, "adaptive": {"budget": 60}}


@pytest.mark.parametrize("kind", MODELS)
def test_what_was_learned_stays_and_the_new_label_is_learned(kind, tmp_path):
    X, y = rows()
    old = y != "a"
    model = KernelClassifier(random_state=0, **MODELS[kind]).partial_fit(X[old], y[old], classes=["m", "z"])
    before = model.predict(X)
    model.add_classes(["a", "z"])
    assert model.classes_.tolist() == ["m", "z", "a"] and len(model.class_counts_) == 3
    after = model.predict(X)
    assert "a" not in after and np.mean(after == before) > 0.95  # a refit of two classes is not one of three
    proba = model.predict_proba(X)
    assert proba.shape == (3000, 3) and np.allclose(proba.sum(axis=1), 1.0)
    model.partial_fit(X, y)
    test, truth = rows(2000, seed=1)
    assert np.mean(model.predict(test) == truth) > 0.85
    assert np.mean(model.predict(test[truth == "a"]) == "a") > 0.7
    save(model, tmp_path / "m.ks")
    np.testing.assert_array_equal(load(tmp_path / "m.ks").predict(test), model.predict(test))


def test_one_class_becomes_two():
    X, y = rows()
    y = np.where(y == "m", "in", "out")
    for options in MODELS.values():
        model = KernelClassifier(random_state=0, **options).partial_fit(X[y == "out"], y[y == "out"], classes=["out"])
        assert set(model.predict(X)) == {"out"}
        model.add_classes(["in"]).partial_fit(X, y)
        assert model.classes_.tolist() == ["out", "in"] and np.mean(model.predict(X) == y) > 0.9


def test_a_recipe_for_two_classes_refuses_and_is_unchanged():
    X, y = rows()
    old = y != "a"
    model = KernelClassifier("sparse_klr").partial_fit(X[old][:200], y[old][:200], classes=["m", "z"])
    before = model.decision_function(X)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        model.add_classes(["a"])
    assert model.classes_.tolist() == ["m", "z"]
    np.testing.assert_array_equal(model.decision_function(X), before)
