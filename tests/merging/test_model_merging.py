"""Merging is the mean of the functions, projected; its error is measured, and the result goes on.

In pure Python, because each composition costs seconds to compile.
"""

import numpy as np
import pytest

from kernelstream import KernelClassifier, Model, Recipe, merge, recipes
from kernelstream.kernels import Gaussian, Linear
from kernelstream.losses import Hinge, Logistic, Squared
from kernelstream.maintenance import Project
from kernelstream.merging import split
from kernelstream.output import Mean
from kernelstream.steps import Constant
from properties.common import distance, pure_only, rows

KERNEL = Gaussian(0.8)
PLAIN = Recipe(KERNEL, Logistic(), Constant(0.5, 0.02), maintenance=Project(), budget=15, track_norm=True)


def data(seed, n=120, outputs=1):
    X = rows(seed, n, 2)
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] > 0.0, 1.0, -1.0)
    return X, y if outputs == 1 else np.column_stack([y, np.where(X[:, 0] > 0.0, 1.0, -1.0)])


def models(count=3, outputs=1, recipe=PLAIN):
    found = []
    for seed in range(count):
        X, y = data(seed, 60 + 30 * seed, outputs)
        found.append(Model.from_recipe(recipe, X, y, dtype="float64", seed=seed).learn_many(X, y))
    return found


def mean_of(functions, weights):
    sv = np.concatenate([function.support_vectors for function in functions])
    return sv, np.concatenate([w * function.coefficients for function, w in zip(functions, weights, strict=True)])


@pure_only
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("weights", [None, [1.0, 0.0, 3.0]])
@pytest.mark.parametrize("budget", [None, 4])
def test_the_error_is_the_distance_from_the_weighted_mean(outputs, weights, budget):
    several = models(outputs=outputs)
    shares = np.array([60.0, 90.0, 120.0] if weights is None else weights)
    mean = mean_of([model.function for model in several], shares / shares.sum())
    merged, error = merge(several, weights, budget)
    assert merged.n_support == (budget or 15)
    assert error == pytest.approx(distance(KERNEL, mean, merged.function), rel=1e-6) and error > 0.0
    sv, coef = merged.function
    best = np.linalg.lstsq(KERNEL(sv), KERNEL(sv, mean[0]) @ mean[1], rcond=None)[0]
    np.testing.assert_allclose(coef, best, rtol=1e-4, atol=1e-4)  # the projection, not merely something near


@pure_only
def test_copies_merge_into_what_they_are():
    (model,) = models(1)
    merged, error = merge([model.copy() for _ in range(5)])
    assert error == 0.0 and merged.n_support == model.n_support
    assert distance(KERNEL, model.function, merged.function) < 1e-9
    assert merged.record.examples == 5 * model.record.examples


@pure_only
def test_the_given_models_stay_and_share_no_memory():
    several = models()
    before = [model.function for model in several]
    merged = merge(several).model
    X, y = data(7)
    merged.learn_many(X, y)
    for model, function in zip(several, before, strict=True):
        np.testing.assert_array_equal(model.function.coefficients, function.coefficients)


@pure_only
def test_the_result_goes_on_within_its_budget_and_knows_its_norm():
    merged = merge(models()).model
    X, y = data(9)
    merged.learn_many(X, y)
    assert merged.n_support <= 15
    assert merged.state.norm.square[0] == pytest.approx(merged.norm**2, rel=1e-6)
    assert merged.record.examples == merged.record.updates == 60 + 90 + 120 + 120


@pure_only
def test_shares_add_up_to_the_whole_record():
    whole = merge(models()).model
    parts = [split(whole, 4, i, seed=i) for i in range(4)]
    assert [part.record.examples for part in parts] == [68, 68, 67, 67]
    assert len({int(part.state.run.rng[0]) for part in parts}) == 4
    again, error = merge(parts)
    assert error == 0.0
    assert again.record.examples == 270 and again.record.loss == pytest.approx(whole.record.loss)
    with pytest.raises(ValueError, match="index is 4 of 4 parts"):
        split(whole, 4, 4)


@pure_only
def test_pegasos_in_shards_is_pegasos_with_all_steps():
    """f_t = Σ gradients/(λt): the mean of shards, weighted by t, has the sum of all gradients and the sum of all t."""
    recipe = recipes.kernel_sgd(KERNEL, Hinge(), lam=0.1)
    X, y = data(3, 40)
    begun = Model.from_recipe(recipe, X, y, dtype="float64")
    first = [split(begun, 2, i).learn_many(X[i * 10 :][:10], y[i * 10 :][:10]) for i in range(2)]
    merged = merge(first).model
    second = [split(merged, 2, i).learn_many(X[20 + i * 10 :][:10], y[20 + i * 10 :][:10]) for i in range(2)]
    last, error = merge(second)
    assert error == 0.0 and last.record.updates == 40
    # every coefficient is ± 1/(λ · 40): each example has the same weight, whenever and wherever it was learned
    np.testing.assert_allclose(np.abs(last.function.coefficients), 1.0 / (0.1 * 40), rtol=1e-9)


@pure_only
def test_averages_are_merged_as_they_predict():
    several = models(2, recipe=PLAIN.replace(output=Mean()))
    merged, error = merge(several, budget=10)
    mean = mean_of([model.function for model in several], [0.4, 0.6])
    assert error == pytest.approx(distance(KERNEL, mean, merged.function), rel=1e-6)
    X, _ = data(5)
    np.testing.assert_allclose(merged.scores_many(X), KERNEL(X, merged.function[0]) @ merged.function[1], atol=1e-9)


@pure_only
def test_random_features_are_averaged_if_they_are_the_same():
    X, y = data(0)
    recipe = recipes.fogd(0.8, 7)
    a, b = (Model.from_recipe(recipe, X, y, dtype="float64", seed=1) for _ in range(2))
    a.learn_many(X[:50], y[:50])
    b.learn_many(X[50:], y[50:])
    merged, error = merge([a, b])
    assert error == 0.0
    np.testing.assert_allclose(merged.scores_many(X), (50 * a.scores_many(X) + 70 * b.scores_many(X)) / 120, atol=1e-12)
    other = Model.from_recipe(recipe, X, y, dtype="float64", seed=2)
    with pytest.raises(ValueError, match="models 0 and 1 have drawn different"):
        merge([a, other])


@pure_only
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kernel": Gaussian(0.9)}, r"model 1 has kernel Gaussian\(gamma=0.9\), but model 0 has Gaussian\(gamma=0.8\)"),
        ({"kernel": Linear(), "maintenance": Project()}, "model 1 has kernel Linear"),
        ({"loss": Squared()}, "model 1 has loss Squared"),
    ],
)
def test_what_has_no_mean_is_refused(change, words):
    X, y = data(0)
    first, second = (Model.from_recipe(recipe, X, y) for recipe in (PLAIN, PLAIN.replace(**change)))
    with pytest.raises(ValueError, match=words):
        merge([first, second])


@pure_only
def test_other_misfits_are_refused():
    X, y = data(0)
    first = Model.from_recipe(PLAIN, X, y)
    for other, words in (
        (Model.from_recipe(PLAIN, X[:, :1], y), "features 1, but model 0 has 2"),
        (Model.from_recipe(PLAIN, X, y, dtype="float64"), "dtype 'float64'"),
        (Model.from_recipe(PLAIN, X, data(0, outputs=2)[1]), "outputs 2, but model 0 has 1"),
    ):
        with pytest.raises(ValueError, match=words):
            merge([first, other])
    for wrong, words in (
        ([], "no models to merge"),
        ([first, KernelClassifier()], "one kind"),
        ([first, 3], "one kind"),
    ):
        with pytest.raises(ValueError, match=words):
            merge(wrong)
    for weights in ([1.0], [1.0, -1.0], [0.0, 0.0], [1.0, np.nan]):
        with pytest.raises(ValueError, match="weights"):
            merge([first, first], weights)
    for budget in (0, 2.5, 16):
        with pytest.raises(ValueError, match="budget"):
            merge([first, first], budget=budget)


@pure_only
def test_models_that_know_nothing_merge_into_one():
    X, y = data(0)
    merged, error = merge([Model.from_recipe(PLAIN, X, y) for _ in range(2)])
    assert merged.n_support == 0 and error == 0.0
