"""Forgetron and Projectron, binary and multi-class: every iterate of the engine against the transcription."""

import itertools

import pytest

from kernelstream import recipes
from properties.common import pure_only

from . import forgetron, projectron
from .comparing import GAUSSIAN, SEEDS, WIDE, assert_same_iterates, begin, gaussian, wide

every_seed = pytest.mark.parametrize("seed", SEEDS)
both_tasks = pytest.mark.parametrize("task", ["binary", "classes"])


def for_task(recipe, task):
    return recipe if task == "binary" else recipe.replace(loss=recipe.loss.for_classes(4))


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
@pytest.mark.parametrize("budget", [4, 11])
def test_forgetron(budget, variant, task, seed):
    """The basic variant shrinks only where it removes, as it is read there (shrink="full")."""
    recipe = for_task(recipes.forgetron(GAUSSIAN, budget, variant == "self-tuned"), task)
    model, X, y, outputs = begin(recipe, task, 120, seed)
    record = []
    if task == "binary":
        steps = forgetron.run_binary(X, y, gaussian, budget, variant, record=record)
    else:
        steps = forgetron.run_multiclass(X, y, gaussian, budget, outputs, variant, record=record)
    assert_same_iterates(model, X, y, steps)
    assert model.state.run.active[0] == record[-1][0]
    assert min(phi for _, _, phi in record) < 1.0
    if variant == "self-tuned":
        assert model.state.maintenance.damage[0] == pytest.approx(record[-1][1], rel=1e-9)


@pure_only
@every_seed
@both_tasks
@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("eta", [0.4, 0.7])
def test_projectron(eta, plus, task, seed):
    """Multi-class as read there by default: every class is projected on all support vectors, η bounds the error of one
    projection of κ(x, ·), and margins are those of Crammer and Singer."""
    model, X, y, outputs = begin(for_task(recipes.projectron(WIDE, eta, plus), task), task, 120, seed)
    if task == "binary":
        steps = projectron.run_binary(X, y, wide, eta, plus)
    else:
        steps = projectron.run_multiclass(X, y, wide, outputs, eta, plus)
    assert_same_iterates(model, X, y, steps)
    projected = [len(a.coef) == len(b.coef) and (a.coef != b.coef).any() for a, b in itertools.pairwise(steps)]
    assert sum(projected) > 5
