"""Every recipe and every strategy, each with its oracle: one list for all the tests that hold for all of them.

Compiling a composition takes seconds, so only the cases marked `compiled` run through numba; in pure Python
(NUMBA_DISABLE_JIT=1) all of them run.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import config

from kernelstream import (
    Model,
    Recipe,
    bounds,
    budgets,
    kernels,
    losses,
    recipes,
)
from tests.reference import bsgd, common, nbsgd, olk, oskl, pegasos, polk

GAMMA, LAM, ROWS = 1.5, 0.01, 160
GAUSSIAN = kernels.Gaussian(GAMMA)
KERNEL = common.gaussian(GAMMA)


class Case(NamedTuple):
    name: str
    recipe: Recipe
    oracle: Callable
    task: str = "binary"
    compiled: bool = False
    rows: int = ROWS


def data(task: str, rows: int = ROWS, seed: int = 0):
    """Rows, targets as a model takes them, and the number of outputs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    if task == "binary":
        return X, np.where(score > 0, 1.0, -1.0), 1
    if task == "classes":
        return X, np.digitize(score, [-0.8, 0.0, 0.8]), 4
    if task == "values":
        return X, score + 0.1 * rng.normal(size=rows), 1
    return X, np.column_stack([score, X[:, 0] - X[:, 1]]), 2


def model_for(case: Case, dtype="float64", seed: int = 0) -> Model:
    X, y, outputs = data(case.task, case.rows)
    return Model.begin(case.recipe, X, y, n_outputs=outputs, total=case.rows, dtype=dtype, seed=seed)


def _sgd(loss=common.hinge, t0=0.0, radius=None, **options):
    return lambda X, Y, **k: pegasos.pegasos(
        X, Y, kernel=KERNEL, loss=loss, lam=LAM, t0=t0, radius=radius, **options, **k
    )


def _bsgd(kind, loss=common.hinge, t0=0.0, radius=None, budget=12, **options):
    return lambda X, Y, **k: bsgd.run(
        X, Y, kernel=options.get("kernel", KERNEL), loss=loss, rate=common.inverse_time(LAM, t0),
        decay=common.weight_decay(LAM), budget=budget, maintenance=kind, radius=radius,
        **{n: v for n, v in options.items() if n != "kernel"}, **k,
    )  # fmt: skip


def _budgeted(kind, loss=losses.Hinge(), offset=0.0, bound=bounds.Free(), budget=12, kernel=GAUSSIAN, **options):
    return recipes.bsgd(kernel, loss, LAM, budget, kind, offset, bound, **options)


HINGE, MULTI = losses.Hinge(), losses.CrammerSinger()
RADIUS = 1.0 / np.sqrt(LAM)

CASES = [
    Case("kernel_sgd", recipes.kernel_sgd(GAUSSIAN, HINGE, LAM), _sgd()),
    Case("kernel_sgd logistic offset", recipes.kernel_sgd(GAUSSIAN, losses.Logistic(), LAM, 2.0), _sgd(common.logistic, 2.0 / LAM)),
    Case("kernel_sgd multinomial", recipes.kernel_sgd(GAUSSIAN, losses.Multinomial(), LAM), _sgd(common.multinomial), "classes"),
    Case("kernel_sgd batch", recipes.kernel_sgd(GAUSSIAN, HINGE, LAM, batch=8), _sgd(batch=8)),
    Case("pegasos", recipes.pegasos(GAUSSIAN, HINGE, LAM), _sgd(radius=RADIUS), compiled=True),
    Case("pegasos classes", recipes.pegasos(GAUSSIAN, MULTI, LAM), _sgd(common.crammer_singer, radius=RADIUS), "classes"),
    Case("pegasos vector", recipes.kernel_sgd(GAUSSIAN, losses.Squared(), LAM, 2.0), _sgd(common.l2, 2.0 / LAM), "vector"),
    Case("bsgd random", _budgeted("random"), _bsgd("random")),
    Case("bsgd smallest", _budgeted("smallest"), _bsgd("smallest")),
    Case("bsgd smallest ball", _budgeted("smallest", offset=2.0, bound=bounds.Ball()), _bsgd("smallest", t0=2.0 / LAM, radius=RADIUS)),
    Case("bsgd oldest", _budgeted("oldest", losses.Logistic()), _bsgd("oldest", common.logistic)),
    Case("bsgd project", _budgeted("project", bound=bounds.Ball()), _bsgd("project", radius=RADIUS), compiled=True),
    Case("bsgd project-best", _budgeted("project-best", losses.Logistic()), _bsgd("project-best", common.logistic)),
    Case(
        "bsgd project-best classes", _budgeted("project-best", losses.Multinomial()), _bsgd("project-best", common.multinomial), "classes"
    ),
    Case(
        "bsgd project polynomial",
        _budgeted("project-best", losses.Logistic(), kernel=kernels.Cauchy(GAMMA)),
        _bsgd("project-best", common.logistic, kernel=common.cauchy(GAMMA)),
    ),
    Case(
        "bsgd project-nearest", _budgeted("project-nearest", losses.Logistic(), bound=bounds.Ball()),
        _bsgd("project-nearest", common.logistic, radius=np.sqrt(0.2784645427610738 / LAM)),
    ),
    Case("bsgd merge", _budgeted("merge", offset=2.0), _bsgd("merge", t0=2.0 / LAM)),
    Case("bsgd merge ball", _budgeted("merge", bound=bounds.Ball()), _bsgd("merge", radius=RADIUS), compiled=True),
    Case("bsgd merge logistic", _budgeted("merge", losses.Logistic(), offset=2.0), _bsgd("merge", common.logistic, 2.0 / LAM)),
    Case(
        "bsgd merge classes", _budgeted("merge", MULTI, offset=2.0, bound=bounds.Ball(RADIUS)),
        _bsgd("merge", common.crammer_singer, 2.0 / LAM, RADIUS), "classes", compiled=True,
    ),
    Case("bsgd merge-all", _budgeted("merge-all", losses.Logistic(), budget=8), _bsgd("merge-all", common.logistic, budget=8)),
    Case("bsgd merge values", _budgeted("merge", losses.Huber(0.5), offset=2.0), _bsgd("merge", common.huber(0.5), 2.0 / LAM), "values"),
    Case(
        "nbsgd smallest", recipes.nbsgd(GAUSSIAN, HINGE, LAM, 12, 60.0),
        lambda X, Y, **k: nbsgd.run(X, Y, kernel=KERNEL, loss=common.hinge, lam=LAM, budget=12, beta=60.0, **k), compiled=True,
    ),
    Case(
        "nbsgd project", recipes.nbsgd(GAUSSIAN, losses.EpsilonInsensitive(0.2), LAM, 12, 60.0, "project"),
        lambda X, Y, **k: nbsgd.run(
            X, Y, kernel=KERNEL, loss=common.epsilon_insensitive(0.2), lam=LAM, budget=12, beta=60.0, maintenance="project", **k
        ), "values",
    ),
    Case(
        "nbsgd squared", recipes.nbsgd(GAUSSIAN, losses.Squared(), LAM, 12, 60.0, "project-nearest", 2.0),
        lambda X, Y, **k: nbsgd.run(
            X, Y, kernel=KERNEL, loss=common.l2, lam=LAM, t0=2.0 / LAM, budget=12, beta=60.0,
            maintenance="project-nearest", y_max=float(np.abs(Y).max()), **k
        ), "values",
    ),
    Case(
        "polk", recipes.polk(GAUSSIAN, losses.Logistic(), 0.5, 0.01, 0.3),
        lambda X, Y, **k: polk.run(
            X, Y, kernel=KERNEL, loss=common.logistic, rate=common.constant(0.5), decay=common.weight_decay(0.01),
            eps=polk.budget_constant(0.3), **k
        ), compiled=True, rows=100,
    ),
    Case(
        "polk batch", recipes.polk(GAUSSIAN, MULTI, 2.0, 0.01, 0.1, batch=4),
        lambda X, Y, **k: polk.run(
            X, Y, kernel=KERNEL, loss=common.crammer_singer, rate=common.constant(2.0), decay=common.weight_decay(0.01),
            eps=polk.budget_constant(0.1), batch=4, **k
        ), "classes", rows=60,
    ),
    Case(
        "polk diminishing", recipes.polk(GAUSSIAN, losses.Squared(), 0.8, 0.01, diminishing=True),
        lambda X, Y, **k: polk.run(
            X, Y, kernel=KERNEL, loss=common.l2, rate=common.power(0.8, 1.0), decay=common.weight_decay(0.01),
            eps=polk.budget_diminishing, **k
        ), "values", rows=60,
    ),
    Case(
        "olk", recipes.olk(GAUSSIAN, HINGE, 0.5, 3.0),
        lambda X, Y, **k: olk.olk(X, Y, kernel=KERNEL, loss=common.hinge, rate=common.power(0.5, 0.5), U=3.0, **k),
    ),
    Case(
        "olru", recipes.olru(GAUSSIAN, HINGE, 0.5, 1.5, 0.25, 3.0),
        lambda X, Y, **k: olk.olru(
            X, Y, kernel=KERNEL, loss=common.hinge, rate=common.power(0.5, 0.625), U=3.0,
            probability=lambda t: min(1.0, 1.5 * t**-0.25), **k
        ), compiled=True,
    ),
    *[
        Case(
            f"olrd {kind}", recipes.olrd(GAUSSIAN, HINGE, 0.5, budgets.Growing(0.8), 3.0, kind, "power"),
            lambda X, Y, kind=kind, **k: olk.olrd(
                X, Y, kernel=KERNEL, loss=common.hinge, rate=common.power(0.5, 0.5), budget=olk.sqrt_budget(0.8), U=3.0,
                bound_kind=kind, **k
            ), compiled=kind == "clip",
        )
        for kind in ("clip", "scale", "ball")
    ],
    Case(
        "oskl", recipes.oskl(GAUSSIAN, losses.Logistic(), 2.0, 3.0, average="last"),
        lambda X, Y, **k: oskl.run(X, Y, kernel=KERNEL, loss=common.logistic, eta=0.45, G=2.0, R=3.0, **k), compiled=True,
    ),
    Case(
        "oskl classes", recipes.oskl(GAUSSIAN, losses.Multinomial(), 2.0, 3.0, 0.4, average="last"),
        lambda X, Y, **k: oskl.run(X, Y, kernel=KERNEL, loss=common.multinomial, eta=0.4, G=2.0, R=3.0, **k), "classes",
    ),
]  # fmt: skip

RUNNABLE = CASES if config.DISABLE_JIT else [case for case in CASES if case.compiled]


def case_named(name: str) -> Case:
    return next(case for case in CASES if case.name == name)
