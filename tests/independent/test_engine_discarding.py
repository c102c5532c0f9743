"""BOGD, BOGD++, OLRD and OLRU: every iterate of the engine against the transcription, with the same draws."""

import numpy as np
import pytest

from kernelstream import budgets, losses, recipes
from properties.common import function_of, pure_only

from . import bounded_ogd as ogd
from .comparing import GAUSSIAN, SEEDS, Slots, assert_same_iterates, begin, gaussian

HINGE = {"binary": losses.Hinge(), "classes": losses.CrammerSinger()}
RULES = {"uniform": None, "weight": ogd.norm_rule, "least-variance": ogd.least_bound_rule}

both_tasks = pytest.mark.parametrize("task", HINGE)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def by(rule, slots):
    return None if rule is None else slots.watched(rule)


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("gamma", [1.1, 2.0])
@pytest.mark.parametrize("plus", [False, True])
def test_bogd(plus, gamma, task, seed):
    """With classes and γ = 1.1 the clip also meets the newest support vector, ‖η g‖ = √2 η, as read there."""
    model, X, y, outputs = begin(recipes.bogd(GAUSSIAN, HINGE[task], 0.3, 0.05, 9, gamma, plus), task, 90, seed)
    slots = Slots(seed)
    rule = by(ogd.norm_rule if plus else None, slots)
    steps = ogd.run_bogd(X, y, gaussian, 9, 0.3, 0.05, gamma, outputs, rule, draws=slots)
    assert_same_iterates(model, X, y, steps)
    assert model.state.run.rng[0] == slots.draws.state != seed


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("discard", RULES)
@pytest.mark.parametrize("schedule, name", [("constant", "constant"), ("power", "root")])
@pytest.mark.parametrize("growth", [None, 0.83])
def test_olrd(growth, schedule, name, discard, task, seed):
    budget, allowed = (9, 9) if growth is None else (budgets.Growing(growth), ogd.growing_budget(growth))
    recipe = recipes.olrd(GAUSSIAN, HINGE[task], 0.6, budget, 1.7, schedule=schedule, discard=discard)
    model, X, y, outputs = begin(recipe, task, 55, seed)
    slots = Slots(seed)
    steps = ogd.run_olrd(
        X, y, gaussian, allowed, 0.6, 1.7, name, outputs, by(RULES[discard], slots), draws=slots
    )  # fmt: skip
    assert_same_iterates(model, X, y, steps)
    assert model.state.run.rng[0] == slots.draws.state != seed


def test_budgets_differ_in_exact_halves_alone():
    """B_t = 1 + c√t "rounded": halves are rounded up by the engine and to even by the transcription."""
    for c in (0.3, 0.5, 0.83, 1.0, 1.25):
        ours, theirs = budgets.Growing(c), ogd.growing_budget(c)
        differ = {t for t in range(1, 2000) if ours.at(t) != theirs(t)}
        halves = {t for t in range(1, 2000) if (1 + c * np.sqrt(t)) % 2 == 0.5}
        assert differ == halves
        assert all(ours.at(t) == theirs(t) + 1 for t in differ)


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("total", [None, 90])
def test_olru(total, task, seed):
    recipe = recipes.olru(GAUSSIAN, HINGE[task], 0.5, 1.4, 0.25, 1.7, total)
    model, X, y, outputs = begin(recipe, task, 90, seed)
    slots = Slots(seed)
    steps = ogd.run_olru(X, y, gaussian, 0.5, 1.7, 1.4, 0.25, total, outputs, draws=slots)
    assert_same_iterates(model, X, y, steps)
    assert model.state.run.rng[0] == slots.draws.state != seed


@pure_only
@both_tasks
@pytest.mark.parametrize("discard", RULES)
def test_every_outcome_of_a_discard(discard, task):
    """From one full model, many draws: each removes r and leaves a_i/(1 − q_i); r has frequency q_r; the mean is f."""
    recipe = recipes.olrd(GAUSSIAN, HINGE[task], 0.4, 6, bound="none", schedule="power", discard=discard)
    model, X, y, outputs = begin(recipe, task, 200, 3)
    t = next(t for t in range(30, 200) if model.learn_one(X[t], y[t]).n_support == 6) + 1
    while HINGE[task].gradient(model.scores_one(X[t]), np.atleast_1d(float(y[t])), np.zeros(outputs)) == 0.0:
        t += 1  # an example without a loss draws nothing
    support, coef = function_of(model)
    q = (RULES[discard] or ogd.uniform_rule)(coef, np.ones(6))
    found, count = np.zeros((6, *coef.shape)), np.zeros(6)
    for state in range(400):
        copy = model.copy()
        copy.state.run.rng[0] = state
        after, kept = function_of(copy.learn_one(X[t], y[t]))
        outcome = np.zeros_like(coef)
        for x, a in zip(after[:-1], kept[:-1], strict=True):
            outcome[np.flatnonzero((support == x).all(axis=1))] = a
        r = int(np.flatnonzero((outcome == 0).all(axis=1))[0])
        np.testing.assert_allclose(outcome, ogd.discard(coef, q, r), rtol=1e-9)
        found[r], count[r] = outcome, count[r] + 1
    assert np.all(np.abs(count - 400 * q) <= 4 * np.sqrt(400 * q * (1 - q)) + 1e-9)
    assert np.all((count > 0) == (q > 0))
    np.testing.assert_allclose(np.tensordot(q, found, 1), ogd.expected_after_discard(coef, q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.tensordot(q, found, 1), coef, rtol=1e-9, atol=1e-12)
