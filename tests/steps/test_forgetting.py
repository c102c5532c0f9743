"""A half-life: in steps, recipes, estimators and the refit of `fit`."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor, Model, recipes, steps
from kernelstream.datasets import checkerboard
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge
from kernelstream.output import Last
from properties.common import pure_only
from tests.reference.common import gaussian

engine = pytest.mark.engine


@pure_only
def test_an_example_counts_half_after_a_half_life():
    """Coefficients of examples with the same gradient are in the ratio of the weights of their ages."""
    h, n = 40.0, 120
    X = np.arange(n)[:, None] * 100.0  # far apart: every example has the full hinge loss
    recipe = recipes.olk(Gaussian(1.0), Hinge()).replace(step=steps.Constant(0.3), output=Last()).forgetting(h)
    model = Model.from_recipe(recipe, X, np.ones(n), dtype="float64").learn_many(X, np.ones(n))
    coef = model.function.coefficients[:, 0]
    np.testing.assert_allclose(coef[:-40] / coef[40:], 0.5, rtol=1e-9)


@engine
def test_with_the_steps_of_pegasos_the_cap_is_the_half_life():
    """1/(λt) at the mean age has a decay that halves in h, up to the rounding of the age to whole updates."""
    for h in (50.0, 1000.0):
        inner = steps.InverseTime(0.01)
        decay = steps.Forgetting(inner, h).decay(10**9, None)
        assert abs(decay**h - 0.5) < 1.0 / h


@engine
def test_mini_batches_count_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.sign(X[:, 0])
    recipe = recipes.polk(Gaussian(1.0), batch=4).forgetting(80.0)
    model = Model.from_recipe(recipe, X, y)
    assert model.recipe.step.decay(1, model.state) == pytest.approx(0.5 ** (4 / 80))
    assert model.expand(recipe, 3, [[1.0]]).recipe.step == model.recipe.step


def test_a_reversed_world_is_believed_soon():
    X, y = checkerboard(6000, seed=3)
    old, new = (KernelClassifier(gamma=4.0, budget=60, half_life=h, random_state=0) for h in (None, 300.0))
    for start in range(0, 4000, 500):
        for model in (old, new):
            model.partial_fit(X[start : start + 500], y[start : start + 500], classes=[-1, 1])
    for start in range(4000, 5000, 500):
        for model in (old, new):
            model.partial_fit(X[start : start + 500], -y[start : start + 500])
    assert new.score(X[5000:], -y[5000:]) > 0.9 > old.score(X[5000:], -y[5000:]) + 0.1


def test_fit_weights_recent_rows():
    """In `fit` too the last rows count most: here the first half says the opposite of the second."""
    X, y = checkerboard(3000, seed=4)
    X_test, y_test = checkerboard(1000, start=3000, seed=4)
    turned = np.where(np.arange(3000) < 1800, -y, y)
    model = KernelClassifier(gamma=4.0, budget=60, half_life=300.0, random_state=0).fit(X, turned)
    assert model.score(X_test, y_test) > 0.9 and model.n_iter_ == 1
    assert KernelClassifier(gamma=4.0, budget=60, random_state=0).fit(X, turned).score(X_test, y_test) < 0.5
    shift = np.where(np.arange(3000) < 1800, 5.0, 0.0)
    regressor = KernelRegressor(gamma=4.0, budget=60, half_life=300.0, random_state=0).fit(X, X[:, 0] + shift)
    assert np.mean((regressor.predict(X_test) - X_test[:, 0]) ** 2) < 0.1
    plain = KernelRegressor(gamma=4.0, budget=60, random_state=0).fit(X, X[:, 0] + shift)
    assert np.mean((plain.predict(X_test) - X_test[:, 0]) ** 2) > 5.0


@pytest.mark.parametrize(
    "algorithm, words", [("krls", "cannot forget"), ("oskl", "Mean\\(\\) is made of all iterates")]
)
def test_what_cannot_forget_says_so(algorithm, words):
    kind = KernelRegressor if algorithm == "krls" else KernelClassifier
    with pytest.raises(ValueError, match=words):
        kind(algorithm, half_life=100.0).fit(np.eye(4), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="half_life"):
        KernelClassifier(half_life=0.0).fit(np.eye(4), [0, 1, 0, 1])


@pure_only
def test_forgetting_is_the_weighted_mean_of_gradients():
    """f = Σ η d^(n − i) y_i κ(x_i, ·) over the examples with a loss, d the decay."""
    rng = np.random.default_rng(1)
    X, h = rng.normal(size=(30, 2)), 10.0
    recipe = recipes.olk(Gaussian(0.7), Hinge(), eta=0.2).replace(output=Last())
    recipe = recipe.replace(step=steps.Forgetting(steps.Constant(0.2), h))
    model = Model.from_recipe(recipe, X, np.ones(30), dtype="float64")
    kernel, f = gaussian(0.7), np.zeros(30)
    K = np.array([[kernel(a, b) for b in X] for a in X])
    for i in range(30):
        loss = 1.0 - K[i] @ f > 0.0
        f *= 0.5 ** (1.0 / h)
        f[i] += 0.2 * loss
        model.learn_one(X[i], 1.0)
    np.testing.assert_allclose(model.scores_many(X)[:, 0], K @ f, rtol=1e-9)


def test_a_half_life_beyond_every_stream_is_none():
    X, y = checkerboard(2000, seed=6)
    scores = [
        KernelClassifier("bsgd", gamma=4.0, budget=40, half_life=h, random_state=0).partial_fit(X, y, classes=[-1, 1])
        for h in (1e12, 1e19, 1e300)
    ]
    assert scores[0].score(X, y) > 0.9
    for other in scores[1:]:
        np.testing.assert_allclose(other.decision_function(X[:50]), scores[0].decision_function(X[:50]), rtol=1e-6)


def test_fit_ends_with_the_latest_rows():
    """The rows that are held back, and the probabilities that they calibrate, are of the present."""
    X, y = checkerboard(8000, seed=7)
    turned = np.where(np.arange(8000) < 6000, -y, y)
    model = KernelClassifier(gamma=4.0, budget=60, half_life=300.0, random_state=0).fit(X, turned)
    X_test, y_test = checkerboard(1000, start=8000, seed=7)
    p = model.predict_proba(X_test)[np.arange(1000), (y_test > 0).astype(int)]
    assert -np.log(p).mean() < 0.35
    last = model.partial_fit(X[:1], y[:1]).model_.state.expansion
    own = (Gaussian(4.0)(X_test, last.sv[:, : last.n[0]].T) @ last.coef[:, : last.n[0]].T)[:, 0]
    assert (np.sign(own) == y_test).mean() > 0.85
