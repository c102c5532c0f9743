"""The running refit: cases with their parabolas, the oracle beside the model, and what tests read of a fit."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import config

from kernelstream import Model, Recipe, bounds, losses, recipes
from kernelstream.output import RunningRefit
from kernelstream.output.normal_equations import Fit
from kernelstream.output.running_refit import ODD, RECIPE, RunningState
from tests.output.refit_cases import GAUSSIAN, KERNEL, LAM, begun, last_iterate, own, stream
from tests.reference import running_refit
from tests.reference.running_refit import Touching


class Case(NamedTuple):
    name: str
    recipe: Recipe
    touching: Touching = running_refit.hinge()
    task: str = "binary"
    compiled: bool = True
    weighted: bool = False
    rows: int = 420


def running(loss=losses.Hinge(), budget: int = 12, maintenance: str = "merge", batch: int = 1, **options) -> Recipe:
    recipe = recipes.bsgd(GAUSSIAN, loss, LAM, budget, maintenance, 2.0, bounds.Unbounded(), batch=batch)
    return recipe.replace(output=RunningRefit(**options))


CLASSES, HUBER = losses.CrammerSinger(), losses.Huber(0.3)
CASES = [
    Case("two classes", running()),
    Case("two classes weighted", running(lam=1e-3), weighted=True),
    Case("two classes thinned", running(budget=4), rows=900),
    Case("two classes half-life", running(budget=8, half_life=40.0), weighted=True),
    Case("two classes short half-life", running(budget=5, half_life=15.0), rows=700),
    Case("two classes thinned half-life", running(budget=2, half_life=120.0), rows=700),
    # renewals are counted in updates, half-lives in examples: here a fit outlives many of them
    Case("mini-batches half-life", running(budget=5, batch=8, half_life=15.0), rows=1600),
    Case("three classes", running(CLASSES), running_refit.crammer_singer(), "three"),
    Case("three classes half-life", running(CLASSES, 9, half_life=50.0), running_refit.crammer_singer(), "three"),
    Case("huber", running(HUBER, lam=1e-4), running_refit.huber(0.3), "values", weighted=True),
    Case("huber half-life", running(HUBER, 10, half_life=60.0), running_refit.huber(0.3), "values"),
    # too few examples to be solved, until statistics are carried over
    Case("huber short half-life", running(HUBER, 20, half_life=12.0), running_refit.huber(0.3), "values"),
    Case("hubers", running(HUBER, 10), running_refit.huber(0.3), "vector", compiled=False),
    Case("squared", running(losses.Squared(), 12, "project"), running_refit.squared(), "values", compiled=False),
    Case("removal", running(maintenance="oldest", budget=20), compiled=False, weighted=True),
]
RUNNABLE = CASES if config.DISABLE_JIT else [case for case in CASES if case.compiled]


def weights_of(case: Case) -> np.ndarray:
    """Also weights of 0, where they are not all 1."""
    rng = np.random.default_rng(1)
    return rng.uniform(0.0, 2.0, case.rows) * (rng.random(case.rows) > 0.1) if case.weighted else np.ones(case.rows)


def follow(case: Case) -> Iterator[tuple[Model, running_refit.RunningRefit]]:
    """(model, oracle) after every example; the oracle is told of the model's last iterates only."""
    X, y, outputs = stream(case.task, case.rows)
    output = case.recipe.output
    oracle = running_refit.RunningRefit(KERNEL, case.touching, output.lam, output.half_life)
    model = begun(case.recipe, case.task)
    for x, target, weight in zip(X, y, weights_of(case), strict=True):
        sv, coef = last_iterate(model)
        f = (GAUSSIAN(x[None], sv) @ coef)[0] if len(sv) else np.zeros(outputs)
        oracle.observe(x, target, weight, f, sv, coef, model.record.updates)
        model.learn_many(x[None], np.atleast_2d(target), [weight])
        yield model, oracle


def fit(kept: RunningState, which: int) -> Fit | None:
    """One of the two fits; None for the recipe itself."""
    return None if which == RECIPE else kept.odd if which == ODD else kept.even


def newest(model: Model) -> Fit:
    kept = own(model)
    found = fit(kept, int(kept.training[0] or kept.current[0]))
    assert found is not None
    return found


def parts(one: Fit) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dictionary (n, d), H whole, and b (n, outputs) of a fit, in units of its newest example."""
    n, lower = int(one.n[0]), np.tril(one.H[: one.n[0], : one.n[0]])
    return one.sv[:, :n].T, (lower + np.tril(lower, -1).T) / one.weight[0], one.b[:, :n].T / one.weight[0]
