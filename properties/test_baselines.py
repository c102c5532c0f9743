"""What the papers of the baselines prove, on the engine itself; the oracles have the same in `tests/reference`."""

import math

import numpy as np
import pytest

from kernelstream import Model, recipes
from kernelstream.kernels import Gaussian, Linear
from properties.common import distance, function_of, pure_only, rows
from properties.test_sampling import noisy

KERNEL = Gaussian(1.5)


def begin(recipe, X, y, outputs=1):
    recipe = recipe if outputs == 1 else recipe.replace(loss=recipe.loss.for_classes(outputs))
    return Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64", seed=3)


def labels(n, seed, classes):
    """A stream with mistakes for ever: (rows, targets, outputs)."""
    X, y = noisy(n, seed)
    if classes == 2:
        return X, y, 1
    return X, np.where(y > 0, 2.0, (X[:, 1] > 0).astype(float)), 3


def fooled(model, x, y) -> bool:
    f = model.scores_one(x)
    return y * f[0] <= 0.0 if len(f) == 1 else f[int(y)] <= np.delete(f, int(y)).max()


def separable(n, seed, margin=0.08):
    """Unit vectors, their labels and a teacher with margin 1 on all."""
    X = rows(seed, 20 * n, 15)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X[:, 0]) >= margin][:n]
    assert len(X) == n
    return X, np.sign(X[:, 0]), np.eye(15)[0] / margin


@pure_only
@pytest.mark.parametrize("classes", [2, 3])
def test_forgetron_damage_stays_below_its_share_of_the_mistakes(classes):
    X, y, outputs = labels(300, 6, classes)
    model = begin(recipes.forgetron(KERNEL, 8), X, y, outputs)
    mistakes = touched = 0
    for x, target in zip(X, y, strict=True):
        mistakes += fooled(model, x, target)
        model.learn_one(x, target)
        Q = float(model.state.maintenance.damage[0])
        assert 15 / 32 * mistakes + 1e-9 >= Q
        assert model.n_support <= 8
        touched += 15 / 32 * mistakes - 1e-9 < Q
    assert mistakes > 40
    assert touched > 5  # as large as it may be


@pure_only
@pytest.mark.parametrize("budget", [4, 12])
@pytest.mark.parametrize("seed", range(3))
def test_forgetron_mistakes_on_separable_data(seed, budget):
    """M − Q − ‖g‖² Σ (1 − φ)/(1 + φ) ≤ ‖g‖² − ‖f − g‖² for every teacher g of margin 1, and so
    M ≤ (32/17) ‖g‖² (1 + Σ (1 − φ)/(1 + φ)); φ is read off the newest coefficient, which was 1."""
    X, y, g = separable(300, seed)
    kernel = Linear()
    model = begin(recipes.forgetron(kernel, budget), X, y)
    mistakes = 0
    shrunk, square = 0.0, float(g @ g)
    for x, target in zip(X, y, strict=True):
        wrong = fooled(model, x, target)
        full = model.n_support == budget
        model.learn_one(x, target)
        sv, coef = function_of(model)
        if wrong:
            mistakes += 1
            if full:
                phi = abs(float(coef[np.all(sv == x, axis=1)][0, 0]))
                shrunk += (1.0 - phi) / (1.0 + phi)
        Q = float(model.state.maintenance.damage[0])
        gap = distance(kernel, (sv, coef), (g[None], np.ones((1, 1)))) ** 2
        assert mistakes - Q - square * shrunk <= square - gap + 1e-9
    assert budget < mistakes <= 32 / 17 * square * (1.0 + shrunk)


@pure_only
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("plus", [False, True])
def test_projectron_adds_what_is_far_from_the_span_and_only_that(plus, classes):
    X, y, outputs = labels(250, 9, classes)
    eta = 0.6
    model = begin(recipes.projectron(KERNEL, eta, plus), X, y, outputs)
    added = folded = 0
    for x, target in zip(X, y, strict=True):
        wrong, (sv, before) = fooled(model, x, target), function_of(model)
        gram = KERNEL(np.concatenate([sv, x[None]]))
        residual = np.linalg.cholesky(gram + 1e-14 * np.eye(len(gram)))[-1, -1]
        model.learn_one(x, target)
        grown = model.n_support > len(sv)
        assert grown == (wrong and residual > eta)
        added += grown
        folded += not grown and not np.array_equal(before, function_of(model)[1])
    assert min(added, folded) > 10


@pytest.mark.engine
@pytest.mark.parametrize("plus", [False, True])
def test_projectron_dictionary_is_finite(plus):
    """η² < δ² ≤ 1 − κ(x, x_j)² keeps the support vectors apart: an interval holds finitely many."""
    rng = np.random.default_rng(10)
    X, y = rng.uniform(0.0, 3.0, size=(400, 1)), np.where(rng.random(400) < 0.5, -1.0, 1.0)
    gamma, eta = 1.0, 0.5
    gap = math.sqrt(-math.log(1.0 - eta**2) / (2.0 * gamma))
    model = begin(recipes.projectron(Gaussian(gamma), eta, plus), X, y).learn_many(X[:200], y[:200])
    settled = model.n_support
    model.learn_many(X[200:], y[200:])
    assert 1 < model.n_support == settled <= 1 + 3.0 / gap
    assert np.diff(np.sort(function_of(model)[0][:, 0])).min() >= gap


@pure_only
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_passive_aggressive_steps_put_the_example_right_up_to_their_cap(classes, squared):
    X, y, outputs = labels(200, 13, classes)
    C = 0.3
    model = begin(recipes.pa(KERNEL, C, squared), X, y, outputs)
    right = capped = 0
    for x, target in zip(X, y, strict=True):
        n = model.n_support
        model.learn_one(x, target)
        if model.n_support == n:
            continue
        a = function_of(model)[1][-1]
        tau, f = float(np.abs(a).max()), model.scores_one(x)
        margin = float(np.sign(a) @ f)
        if squared:
            assert 2.0 * C * (1.0 - margin) == pytest.approx(tau)
        else:
            assert 0.0 < tau <= C
            assert margin <= 1.0 + 1e-12
        capped += tau == C
        right += margin == pytest.approx(1.0)
    assert model.n_support > 30
    assert squared or min(capped, right) > 5


@pure_only
def test_bpa_projects_the_one_that_loses_least():
    """Against trying every victim: the whole distance ‖f_{t+1} − f_t‖ is the least there is, for the step taken."""
    X, y = noisy(250, 4)
    model = begin(recipes.bpa(KERNEL, 0.5, 10), X, y)
    tried = 0
    for x, target in zip(X, y, strict=True):
        sv, coef = function_of(model)
        f = float((KERNEL(x[None], sv) @ coef)[0, 0]) if len(sv) else 0.0
        model.learn_one(x, target)
        if len(sv) < 10 or target * f >= 1.0:
            continue
        tau = min(0.5, 1.0 - target * f)
        k = KERNEL(x[None], sv)[0]
        # every victim with the newest at its step, the projection of what went on the newest added
        stepped = (np.concatenate([sv, x[None]]), np.append(coef[:, 0], tau * target)[:, None])
        moves = []
        for r in range(len(sv)):
            a = np.append(np.delete(coef[:, 0], r), tau * target + coef[r, 0] * k[r])
            moves.append(distance(KERNEL, stepped, (np.concatenate([np.delete(sv, r, axis=0), x[None]]), a[:, None])))
        assert distance(KERNEL, stepped, function_of(model)) == pytest.approx(min(moves), abs=1e-9)
        tried += 1
    assert tried > 40
