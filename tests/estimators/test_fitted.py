"""What a fitted estimator shows, weighs and gives away."""

import numpy as np

from kernelstream import KernelClassifier, kernels, recipes

from .data import classifier, same, three_classes, two_classes


def test_weights_are_factors_of_the_step():
    X, y = three_classes(200)
    plain, ones = classifier(gamma="scale").fit(X, y), classifier(gamma="scale").fit(X, y, sample_weight=np.ones(200))
    same(plain, ones, X)
    without_b = classifier(gamma="scale").fit(X, y, sample_weight=(y != "b").astype(float))
    assert "b" not in without_b.predict(X)


def test_the_function_is_what_predicts():
    X, y = two_classes(400)
    model = classifier().fit(X, y)
    assert model.n_support_ == len(model.support_vectors_) == 40
    assert model.dual_coef_.shape == (1, 40)
    by_hand = model.dual_coef_ @ kernels.Gaussian(4.0)(model.support_vectors_, X)
    np.testing.assert_allclose(by_hand[0], model.decision_function(X), atol=1e-4)


def test_compress_gives_a_smaller_copy_that_learns_on():
    X, y = two_classes(2000)
    model = classifier(epochs=2).fit(X, y)
    small = model.compress(budget=20)
    assert (model.n_support_, small.n_support_) == (40, 20)
    assert small.score(X, y) > 0.8
    assert model.compress(tolerance=1e-9).n_support_ >= 39
    small.partial_fit(X[:10], y[:10])
    assert small.record_.examples == model.record_.examples + 10
    empty = classifier().partial_fit(X[:5], y[:5], classes=["black", "white"], sample_weight=0.0)
    assert empty.compress(budget=3).n_support_ == 0


def test_a_budget_in_bytes():
    X, y = two_classes(500)
    model = KernelClassifier(recipes.default(kernels.Gaussian(4.0), budget="64 KiB"), random_state=0).fit(X, y)
    assert model.model_.nbytes <= 65536
