"""Removal by the largest margin: which support vector goes."""

import numpy as np
import pytest

from kernelstream import Function, Model, Recipe, kernels, losses, recipes, steps
from kernelstream.maintenance import LargestMargin, Oldest, Remove, Smallest
from properties.common import function_of, pure_only

KERNEL = kernels.Gaussian(1.0)
FAR_AWAY = np.array([50.0])


def margins(sv, coef):
    """Of every support vector, by the function without it, written out."""
    found = []
    for j in range(len(sv)):
        others = np.arange(len(sv)) != j
        z = np.asarray(KERNEL(sv[j : j + 1], sv[others]) @ coef[others])[0]
        if len(z) == 1:
            found.append(float(np.sign(coef[j, 0]) * z[0]))
        else:
            k = int(np.argmax(coef[j]))
            found.append(float(z[k] - np.delete(z, k).max()))
    return np.array(found)


def left(points, coefficients, choice, label=1.0):
    """The points that are left when one more has come, far from all others."""
    outputs = coefficients.shape[1]
    loss = losses.Hinge() if outputs == 1 else losses.CrammerSinger()
    recipe = Recipe(KERNEL, loss, steps.Constant(0.5), maintenance=Remove(choice), budget=len(points))
    model = Model.from_recipe(recipe, points, np.zeros(len(points)), n_outputs=outputs, dtype="float64")
    model.adopt(Function(points, coefficients)).learn_one(FAR_AWAY, label)
    return sorted(function_of(model)[0][:, 0])


@pytest.mark.engine
def test_the_one_that_the_others_classify_best_goes():
    points, coefficients = np.array([[0.0], [0.3], [2.0], [2.2]]), np.array([[1.0], [3.0], [-2.0], [2.5]])
    # 0.0 is supported by its larger neighbour; 2.0 and 2.2 contradict each other
    assert np.argmax(margins(points, coefficients)) == 0
    assert left(points, coefficients, LargestMargin()) == [0.3, 2.0, 2.2, 50.0]
    assert left(points, -coefficients, LargestMargin(), -1.0) == [0.3, 2.0, 2.2, 50.0]


@pure_only
def test_it_is_not_the_smallest_nor_the_margin_with_its_own_term():
    points, coefficients = np.array([[0.0], [0.3], [2.0], [4.0]]), np.array([[9.0], [2.0], [-1.0], [0.1]])
    alone = margins(points, coefficients)
    whole = alone + np.abs(coefficients[:, 0])
    assert np.argmax(alone) == 1 and np.argmax(whole) == 0
    assert left(points, coefficients, LargestMargin()) == [0.0, 2.0, 4.0, 50.0]
    # the new one has 0.5; the smallest is at 4.0
    assert left(points, coefficients, Smallest()) == [0.0, 0.3, 2.0, 50.0]


@pure_only
def test_classes_by_the_best_other_score():
    points = np.array([[0.0], [0.2], [3.0], [3.3]])
    coefficients = np.array([[1.0, -1.0, 0.0], [2.0, 0.0, -2.0], [0.0, 3.0, -3.0], [0.0, 1.0, -1.0]])
    near = np.exp(-(0.3**2))
    assert margins(points, coefficients)[3] == pytest.approx(3.0 * near, rel=1e-2)
    assert left(points, coefficients, LargestMargin(), 2) == [0.0, 0.2, 3.0, 50.0]
    coefficients[2] = [2.9, 3.0, -5.9]  # now the other class is close behind at 3.3, and 0.0 is classified best
    assert np.argmax(margins(points, coefficients)) == 0
    assert left(points, coefficients, LargestMargin(), 2) == [0.2, 3.0, 3.3, 50.0]


@pure_only
@pytest.mark.parametrize(("partner", "last"), [(1.0, 0.5), (-1.0, 0.05)])
def test_of_equals_the_oldest(partner, last):
    """Pairs of points side by side: of the same sign with margins of 0.99, of opposite signs with −0.99. The margins of
    the last pair are smaller, and rounding alone tells the others apart."""
    recipe = Recipe(KERNEL, losses.Hinge(), steps.Constant(1.0), maintenance=Remove(LargestMargin()), budget=7)
    X = np.array([10.0, 10.1, 0.0, 0.1, 20.0, 20.1, 30.0, 30.0 + last])
    y = np.array([1.0, partner] * 4)
    margin = margins(X[:, None], y[:, None])
    best = margin > margin.max() - 1e-9
    assert list(best) == [True] * 6 + [False] * 2 and len(set(margin[best])) > 1 and margin[0] * partner > 0.9
    model = Model.from_recipe(recipe, X[:, None], y, dtype="float64").learn_many(X[:, None], y)
    assert set(X) - set(function_of(model)[0][:, 0]) == {10.0}


@pure_only
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("beta", [0.0, 0.4])
def test_the_budget_perceptron_adds_up_to_its_margin(classes, beta):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 1))
    label = np.digitize(np.sin(3.0 * X[:, 0]) + 0.2 * rng.normal(size=200), np.linspace(-0.6, 0.6, classes + 1)[1:-1])
    outputs = 1 if classes == 2 else classes
    recipe = recipes.budget_perceptron(KERNEL, 8, beta)
    recipe = recipe.replace(loss=recipe.loss.for_classes(classes)) if outputs > 1 else recipe
    y = 2.0 * label - 1.0 if outputs == 1 else label
    model = Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64")
    updates = removed = between = 0
    for x, target in zip(X, y, strict=True):
        (sv, coef), z = function_of(model), model.scores_many(x[None])[0]
        margin = target * z[0] if outputs == 1 else z[target] - np.delete(z, target).max()
        model.learn_one(x, target)
        after = function_of(model)
        if margin > beta:
            np.testing.assert_array_equal(after[1], coef)
            continue
        updates += 1
        between += margin > 0.0
        step = np.full((1, 1), target) if outputs == 1 else np.eye(classes)[[target]]
        if outputs > 1:
            step[0, [c for c in range(classes) if c != target][int(np.argmax(np.delete(z, target)))]] = -1.0
        if len(sv) == 8:  # full: one goes first
            removed += 1
            margin_of = margins(sv, coef)
            gone = [j for j in range(len(sv)) if sv[j] not in after[0]]
            assert len(gone) == 1 and margin_of[gone[0]] == pytest.approx(margin_of.max(), rel=1e-8)
        assert len(after[0]) == min(len(sv) + 1, 8)
        assert any((x == one).all() and (a == step[0]).all() for one, a in zip(*after, strict=True))
    assert removed > 10 and updates > removed and (between > 5) == (beta > 0.0)


@pure_only
def test_other_choices_differ():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(150, 1))
    y = np.where(np.sin(4.0 * X[:, 0]) > 0.0, 1.0, -1.0)
    found = set()
    for choice in (LargestMargin(), Smallest(), Oldest()):
        recipe = recipes.budget_perceptron(KERNEL, 6).replace(maintenance=Remove(choice))
        model = Model.from_recipe(recipe, X, y, dtype="float64").learn_many(X, y)
        found.add(tuple(function_of(model)[0][:, 0]))
    # all coefficients are ±1: the smallest is the oldest
    assert len(found) == 2
