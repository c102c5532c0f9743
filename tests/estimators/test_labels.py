"""Labels of any kind become the targets of any loss, and scores become labels again."""

import numpy as np
import pytest

from kernelstream.estimators import labels
from kernelstream.losses import CrammerSinger, Hinge, SquaredHinge

from .data import classifier, plain, three_classes, two_classes


@pytest.mark.parametrize("classes", [[3, 5, 9], ["ant", "bee", "cat"], [-0.5, 0.0, 2.0], [False, True]])
@pytest.mark.parametrize("dtype", [None, object])
def test_encoding_finds_every_label(classes, dtype):
    index = np.random.default_rng(0).integers(len(classes), size=50)
    found = labels.encode(np.array(classes, dtype)[index], np.array(classes))
    np.testing.assert_array_equal(found, index)


@pytest.mark.parametrize(
    ("y", "classes", "row", "label"),
    [
        ([3, 5, 4], [3, 5], 2, "4"),
        ([3, 99], [3, 5], 1, "99"),
        (["ant", "cow"], ["ant", "bee"], 1, "'cow'"),
        (["3"], [3, 5], 0, "'3'"),
        ([3], ["3", "5"], 0, "3"),
    ],
)
def test_a_stranger_is_named_with_its_row(y, classes, row, label):
    with pytest.raises(ValueError, match=f"y is {label} at row {row}, which is not among the classes"):
        labels.encode(np.array(y), np.array(classes))


def test_targets_suit_the_loss():
    index = np.array([0, 2, 1])
    np.testing.assert_array_equal(labels.targets(index, 3, CrammerSinger()), index)
    np.testing.assert_array_equal(labels.targets(index[[0, 2]], 2, Hinge()), [-1, 1])
    np.testing.assert_array_equal(labels.targets(index, 3, SquaredHinge()), [[1, -1, -1], [-1, -1, 1], [-1, 1, -1]])
    assert [labels.outputs(c, Hinge()) for c in (1, 2, 5)] == [1, 1, 5]
    assert [labels.outputs(c, CrammerSinger()) for c in (1, 2, 5)] == [2, 2, 5]


def test_two_classes_have_one_score():
    X, y = two_classes()
    model = classifier().fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (len(X),)
    assert model.model_.n_outputs == 1
    np.testing.assert_array_equal(model.predict(X) == "white", scores > 0)
    assert model.score(X, y) > 0.9
    # the loss that three classes need does not linger
    assert model.fit(*three_classes(50)).fit(X, y).model_.recipe.loss == Hinge()


@pytest.mark.parametrize(("loss", "used"), [("hinge", CrammerSinger()), ("squared_hinge", SquaredHinge())])
def test_three_classes_have_three_scores(loss, used):
    X, y = three_classes()
    model = classifier(gamma="scale", loss=loss).fit(X, y)
    scores = model.decision_function(X)
    assert model.model_.recipe.loss == used
    assert scores.shape == (len(X), 3)
    np.testing.assert_array_equal(model.predict(X), np.array(["a", "b", "c"])[scores.argmax(axis=1)])
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize("loss", ["hinge", "crammer_singer"])
def test_one_class_only(loss):
    X, _ = two_classes(50)
    model = classifier(loss=loss).fit(X, ["only"] * 50)
    assert set(model.predict(X)) == {"only"}
    assert model.decision_function(X).shape == (50,)


def test_one_class_of_several_so_far():
    X, y = three_classes(60)
    model = classifier().partial_fit(X[y == "b"], y[y == "b"], classes=["a", "b", "c"])
    assert set(model.predict(X[y == "b"])) == {"b"}


def test_probabilities_are_those_of_the_loss_or_calibrated_scores():
    X, y = three_classes()
    many = classifier(algorithm="kernel_sgd", loss="logistic", budget=None, gamma="scale").fit(X, y)
    for model in (many, classifier(gamma="scale").fit(X, y), plain(gamma="scale").fit(X, y)):
        p = model.predict_proba(X)
        assert p.shape == (len(X), 3)
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
        fresh, truth = three_classes(600, seed=9)
        named = model.predict_proba(fresh)[np.arange(600), np.searchsorted(model.classes_, truth)]
        assert -np.log(named).mean() < 0.85  # chance is 1.10


def test_probabilities_of_two_classes_and_of_one():
    X, y = two_classes()
    model = classifier(algorithm="kernel_sgd", loss="multinomial", budget=None).fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(np.log(p[:, 1] / p[:, 0]), model.decision_function(X), atol=1e-6)
    assert (model.fit(X, ["only"] * len(X)).predict_proba(X) == 1.0).all()
