"""NBSGD's suffix mean, of known and of unknown length: the engine's function after every update."""

import numpy as np
import pytest

from kernelstream import losses, output, recipes
from properties.common import function_of, pure_only

from .comparing import GAUSSIAN, SEEDS, begin, gaussian
from .suffix_mean import covered_known, evaluate, iterates_before_updates, suffix_mean, suffix_mean_known

LOSS = {"binary": losses.Hinge(), "classes": losses.CrammerSinger()}

every_seed = pytest.mark.parametrize("seed", SEEDS)
both_tasks = pytest.mark.parametrize("task", LOSS)


def learned(recipe, task, rows, seed, total=None):
    """(iterates f_1, f_2, … that the engine went through, its scores of five rows after every update, these rows)."""
    model, X, y, outputs = begin(recipe, task, rows, seed, total)
    steps, scores, probes = [], [], X[:5] + 0.1
    for x, target in zip(X, y, strict=True):
        model.learn_one(x, target)
        steps.append(function_of(model))
        scores.append(model.scores_many(probes))
    return iterates_before_updates(steps, X.shape[1], outputs), scores, probes


def assert_values(scores, pair, probes):
    wanted = np.array([evaluate(pair, gaussian, x) for x in probes])
    np.testing.assert_allclose(scores, wanted, rtol=1e-9, atol=1e-9 * max(np.abs(wanted).max(), 1e-3))


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("maintenance", ["smallest", "project-nearest"])
def test_unknown_length(maintenance, task, seed):
    """At every t the engine averages exactly those iterates: half of them at a power of two, never three quarters."""
    recipe = recipes.nbsgd(GAUSSIAN, LOSS[task], 0.05, 8, 30.0, maintenance, output="suffix")
    iterates, scores, probes = learned(recipe, task, 70, seed)
    for t in range(1, 71):
        assert_values(scores[t - 1], suffix_mean(iterates, t), probes)


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("gamma, rows", [(0.5, 40), (0.5, 41), (0.9, 30), (0.1, 30), (0.3, 37)])
def test_known_length(gamma, rows, task, seed):
    """0.9 · 30: the last 27, although (1 − 0.9) · 30 is less than 3 in floating point."""
    recipe = recipes.nbsgd(GAUSSIAN, LOSS[task], 0.05, 8, 30.0, output=output.Suffix(gamma))
    iterates, scores, probes = learned(recipe, task, rows, seed, total=rows)
    assert len(covered_known(rows, gamma)) < rows
    assert_values(scores[-1], suffix_mean_known(iterates, gamma), probes)
