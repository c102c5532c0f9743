"""Kernel SGD, Pegasos, BSGD by removal, POLK and OLK in mini-batches: every iterate against the transcription.

All streams are multiples of a mini-batch: the engine waits until the last one is full, the transcription takes what is
left.
"""

import pytest

from kernelstream import bounds, losses, recipes
from properties.common import pure_only

from . import mini_batches as mb
from .comparing import GAUSSIAN, SEEDS, assert_same_iterates, assert_same_values, begin, gaussian

LAM = 0.05
LOSSES = {
    "hinge": ("binary", losses.Hinge()),
    "logistic": ("binary", losses.Logistic()),
    "l2": ("values", losses.Squared()),
    "hinge classes": ("classes", losses.CrammerSinger()),
    "logistic classes": ("classes", losses.Multinomial()),
}

every_seed = pytest.mark.parametrize("seed", SEEDS)
every_loss = pytest.mark.parametrize("name", LOSSES)
sizes = pytest.mark.parametrize("size", [1, 4, 7])


def learner(make, name, seed, size, rows=56):
    """(model, rows, targets, what the transcription is to be told)."""
    task, loss = LOSSES[name]
    model, X, y, outputs = begin(make(loss), task, rows, seed)
    return model, X, y, {"loss": name.split()[0], "outputs": outputs, "size": size}


@pure_only
@every_seed
@every_loss
@sizes
@pytest.mark.parametrize("offset", [0.0, 0.2])
def test_kernel_sgd(offset, size, name, seed):
    model, X, y, told = learner(
        lambda loss: recipes.kernel_sgd(GAUSSIAN, loss, LAM, offset, batch=size), name, seed, size
    )
    assert_same_iterates(model, X, y, mb.run_sgd(X, y, gaussian, LAM, t0=offset / LAM, **told), size)


@pure_only
@every_seed
@sizes
@pytest.mark.parametrize("name", ["hinge", "hinge classes"])
def test_pegasos(name, size, seed):
    """A ball of 1/√λ, for the hinge loss as printed."""
    model, X, y, told = learner(lambda loss: recipes.pegasos(GAUSSIAN, loss, LAM, batch=size), name, seed, size)
    assert_same_iterates(model, X, y, mb.run_sgd(X, y, gaussian, LAM, ball=LAM**-0.5, **told), size)


@pure_only
@every_seed
@every_loss
@sizes
@pytest.mark.parametrize("offset, bound", [(0.0, bounds.Ball()), (0.2, bounds.Unbounded())])
def test_bsgd_by_removal(offset, bound, size, name, seed):
    """With the hinge loss all |a_j| are equal: the oldest is removed, and of one mini-batch the first."""
    model, X, y, told = learner(
        lambda loss: recipes.bsgd(GAUSSIAN, loss, LAM, 9, "smallest", offset, bound, batch=size), name, seed, size
    )
    ball = getattr(model.recipe.bound, "radius", None)  # that of the loss, beyond the transcription
    steps = mb.run_bsgd(X, y, gaussian, LAM, 9, t0=offset / LAM, ball=ball, **told)
    assert max(len(step.support) for step in steps) == 9
    assert ball is None or size > 1 or any(mb.squared_norm(step, gaussian) > (1 - 1e-9) * ball**2 for step in steps)
    assert_same_iterates(model, X, y, steps, size)


@pure_only
@pytest.mark.parametrize("seed", SEEDS[:2])
@sizes
@pytest.mark.parametrize("name", ["hinge", "l2", "hinge classes"])
@pytest.mark.parametrize("diminishing", [False, True])
def test_polk(diminishing, name, size, seed):
    """Diminishing: η_t = η/t and ε_t = η_t², which is the schedule of equation (19) with t₀ = 0 and η = 1/λ."""
    eta, parsimony, rows = 0.8, 0.5, 21 if size == 7 else 20
    model, X, y, told = learner(
        lambda loss: recipes.polk(GAUSSIAN, loss, eta, LAM, parsimony, diminishing, size), name, seed, size, rows
    )
    schedule = (lambda t: eta / t, lambda t: (eta / t) ** 2) if diminishing else mb.constant_schedule(eta, parsimony)
    steps = mb.run_polk(X, y, gaussian, LAM, schedule, **told)
    assert diminishing or len(steps[-1].support) < rows
    assert_same_values(model, X, y, steps, gaussian, size)


@pure_only
@every_seed
@every_loss
@sizes
def test_olk(size, name, seed):
    model, X, y, told = learner(
        lambda loss: recipes.olk(GAUSSIAN, loss, 0.5, 1.2, "constant").replace(batch=size), name, seed, size
    )
    assert_same_iterates(model, X, y, mb.run_olk(X, y, gaussian, 0.5, 1.2, **told), size)
