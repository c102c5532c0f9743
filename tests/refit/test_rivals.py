"""The refit of several classes by another loss: taken where it is surely better, and else without a trace."""

import numpy as np
import pytest
from sklearn.datasets import make_gaussian_quantiles

from kernelstream import KernelClassifier
from kernelstream.losses.smooth import ClassHinges, PairedHinges
from kernelstream.refit import rivals


def shells(seed=0):
    """Classes that enclose each other, in ten dimensions."""
    X, y = make_gaussian_quantiles(n_samples=4000, n_features=10, n_classes=3, random_state=seed)
    return X[:2000], y[:2000], X[2000:], y[2000:]


def fitted(X, y, **more):
    return KernelClassifier(budget=300, tune=False, lam=1e-4, random_state=0, **more).fit(X, y)


def without_rival(monkeypatch):
    monkeypatch.setattr(ClassHinges, "rival", None)


def test_classes_that_enclose_each_other_are_told_apart_in_pairs(monkeypatch):
    X, y, X_test, y_test = shells()
    pairs = fitted(X, y).score(X_test, y_test)
    without_rival(monkeypatch)
    assert pairs > fitted(X, y).score(X_test, y_test) + 0.03


def test_a_rival_that_is_not_surely_better_leaves_no_trace(monkeypatch):
    X, y, X_test, _ = shells()
    monkeypatch.setattr(rivals, "SURE", np.inf)
    one = fitted(X, y)
    without_rival(monkeypatch)
    other = fitted(X, y)
    np.testing.assert_array_equal(one.decision_function(X_test), other.decision_function(X_test))


def test_what_is_learned_later_starts_from_the_better_loss():
    X, y, X_test, y_test = shells()
    model = fitted(X, y)
    before = model.score(X_test, y_test)
    assert model.partial_fit(X_test[:500], y_test[:500]).score(X_test[500:], y_test[500:]) > before - 0.02


@pytest.mark.parametrize("count", [1, 3, 6])
def test_the_parabola_of_pairs_is_above_the_loss(count):
    """Its curvature is the largest eigenvalue for as many differences that are short of their margin."""
    rng = np.random.default_rng(count)
    loss, classes = PairedHinges(), count + 1
    T = loss.targets(np.zeros((1, 1)), classes)
    F = np.concatenate([[[1.5]], -rng.uniform(-2.0, 0.4, (1, count))], axis=1)
    h, aim = loss.touching(F, T)
    assert h[0] == pytest.approx(0.5 * (count + 1.0))
    value = loss.loss(F, T)[0][0] - 0.5 * h[0] * np.sum((F - aim) ** 2)
    for G in F + rng.normal(size=(200, classes)):
        assert loss.loss(G[None], T)[0][0] <= value + 0.5 * h[0] * np.sum((G - aim) ** 2) + 1e-9
