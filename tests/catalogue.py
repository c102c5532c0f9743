"""Every recipe and every strategy, each with its oracle: one list for all the tests that hold for all of them.

Compiling a composition takes seconds, so only the cases marked `compiled` run through numba; in pure Python
(NUMBA_DISABLE_JIT=1) all of them run.
"""

from collections.abc import Callable
from functools import partial
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
from kernelstream.maintenance import Merge, MergeBestPair
from kernelstream.output import RunningRefit
from tests.reference import (
    bogd,
    bsgd,
    common,
    fogd,
    forgetron,
    krls,
    nbsgd,
    norma,
    olk,
    oskl,
    passive_aggressive,
    pegasos,
    perceptron,
    polk,
    projectron,
    sparse_klr,
)

GAMMA, LAM, ROWS = 1.5, 0.01, 120
GAUSSIAN = kernels.Gaussian(GAMMA)
KERNEL = common.gaussian(GAMMA)


class Case(NamedTuple):
    name: str
    recipe: Recipe
    oracle: Callable
    task: str = "binary"
    compiled: bool = False
    rows: int = ROWS
    ordered: bool = True  # whether oracle and engine keep the SVs in the same order


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
    return Model.from_recipe(case.recipe, X, y, n_outputs=outputs, total=case.rows, dtype=dtype, seed=seed)


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


def _budgeted(kind, loss=losses.Hinge(), offset=0.0, bound=bounds.Unbounded(), budget=12, kernel=GAUSSIAN, **options):
    return recipes.bsgd(kernel, loss, LAM, budget, kind, offset, bound, **options)


def with_loss(run, **options):
    """The oracle with the hinge loss that fits the number of outputs."""
    return lambda X, Y, outputs=1, **k: run(
        X, Y, loss=common.hinge if outputs == 1 else common.crammer_singer, outputs=outputs, **options, **k
    )


def forgetron_run(X, Y, outputs=1, **options):
    """Our multi-class Forgetron measures weights in units of one step."""
    return forgetron.run(X, Y, budget=10, unit=1.0 if outputs == 1 else 2.0**0.5, outputs=outputs, **options)


FORGOTTEN = 15.0  # a half-life, well below the number of rows
HINGE, MULTI = losses.Hinge(), losses.CrammerSinger()
RADIUS = 1.0 / np.sqrt(LAM)

COMPILED = {
    ("forgetron", "binary"),
    ("projectron++", "binary"),
    ("projectron++ own", "classes"),
    ("bpa nearest", "binary"),
    ("bogd++", "binary"),
}
BINARY = {("margin", "classes"), ("auxiliary", "classes")}
CONSTANT, DECAY = common.constant(0.3), 0.05
BASELINES = [
    ("perceptron", recipes.perceptron(GAUSSIAN), perceptron.run),
    ("rbp", recipes.rbp(GAUSSIAN, 10), partial(perceptron.rbp, budget=10)),
    ("rbp shifting", recipes.rbp(GAUSSIAN, 10, 0.2), partial(perceptron.rbp, budget=10, lam=0.2)),
    ("budget perceptron", recipes.budget_perceptron(GAUSSIAN, 10), partial(perceptron.budgeted, budget=10)),
    ("budget perceptron beta", recipes.budget_perceptron(GAUSSIAN, 10, 0.3), partial(perceptron.budgeted, budget=10, beta=0.3)),
    ("forgetron", recipes.forgetron(GAUSSIAN, 10).replace(track_norm=True), forgetron_run),
    ("forgetron basic", recipes.forgetron(GAUSSIAN, 10, False), partial(forgetron_run, variant="basic")),
    ("projectron", recipes.projectron(GAUSSIAN, 0.6), partial(projectron.run, eta=0.6)),
    ("projectron++", recipes.projectron(GAUSSIAN, 0.6, plus=True), partial(projectron.run, eta=0.6, plus=True)),
    ("projectron own", recipes.projectron(GAUSSIAN, 0.6, own=True), partial(projectron.run_own, eta=0.6)),
    ("projectron++ own", recipes.projectron(GAUSSIAN, 0.6, True, own=True), partial(projectron.run_own, eta=0.6, plus=True)),
    ("pa", recipes.pa(GAUSSIAN, 0.4), partial(passive_aggressive.run, C=0.4)),
    ("pa 2", recipes.pa(GAUSSIAN, 0.4, squared=True), partial(passive_aggressive.run, C=0.4, variant="PA-II")),
    ("bpa simple", recipes.bpa(GAUSSIAN, 0.4, 10), partial(passive_aggressive.bpa, C=0.4, budget=10, maintenance="S")),
    ("bpa nearest", recipes.bpa(GAUSSIAN, 0.4, 10, "nearest"), partial(passive_aggressive.bpa, C=0.4, budget=10, maintenance="NN")),
    ("bpa project", recipes.bpa(GAUSSIAN, 0.4, 10, "project"), partial(passive_aggressive.bpa, C=0.4, budget=10, maintenance="P")),
    ("norma", recipes.norma(GAUSSIAN, HINGE, 0.5, DECAY, 10), with_loss(norma.run, rate=common.power(0.5, 0.5), lam=DECAY, budget=10)),
    ("bogd", recipes.bogd(GAUSSIAN, HINGE, 0.3, DECAY, 10, 1.5), with_loss(bogd.run, rate=CONSTANT, lam=DECAY, budget=10, gamma=1.5)),
    ("bogd++", recipes.bogd(GAUSSIAN, HINGE, 0.3, DECAY, 10, 1.5, plus=True), with_loss(bogd.run, rate=CONSTANT, lam=DECAY, budget=10, gamma=1.5, plus=True)),
    ("margin", recipes.sparse_klr(GAUSSIAN, 0.5, R=3.0), partial(sparse_klr.margin, eta=0.5, R=3.0)),
    ("auxiliary", recipes.sparse_klr(GAUSSIAN, 0.5, 2.5, R=3.0), partial(sparse_klr.auxiliary, eta=0.5, gamma=2.5, R=3.0)),
]  # fmt: skip

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
    *[
        Case(
            f"bsgd forgetting {name}", _budgeted("smallest", offset=offset).forgetting(FORGOTTEN),
            lambda X, Y, t0=offset / LAM, **k: bsgd.run(
                X, Y, kernel=KERNEL, loss=common.hinge, rate=common.old_at_most(FORGOTTEN, common.inverse_time(LAM, t0)),
                decay=common.fading(FORGOTTEN, common.weight_decay(LAM)), budget=12, maintenance="smallest", **k
            ), compiled=offset > 0.0,
        )
        for name, offset in (("pegasos", 0.0), ("offset", 2.0))
    ],
    Case("bsgd smallest ball", _budgeted("smallest", offset=2.0, bound=bounds.Ball()), _bsgd("smallest", t0=2.0 / LAM, radius=RADIUS)),
    Case("bsgd oldest", _budgeted("oldest", losses.Logistic()), _bsgd("oldest", common.logistic)),
    Case("bsgd largest-margin", _budgeted("largest-margin", offset=2.0), _bsgd("largest-margin", t0=2.0 / LAM)),
    Case("bsgd largest-margin classes", _budgeted("largest-margin", losses.Multinomial()), _bsgd("largest-margin", common.multinomial), "classes"),
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
    # beside the recipe, of which it changes nothing, a refit: these rows are enough for it to predict
    Case(
        "bsgd merge running refit", _budgeted("merge", offset=2.0).replace(output=RunningRefit()), _bsgd("merge", t0=2.0 / LAM),
        compiled=True, rows=240,
    ),
    Case("bsgd merge ball", _budgeted("merge", bound=bounds.Ball()), _bsgd("merge", radius=RADIUS), compiled=True),
    Case("bsgd merge logistic", _budgeted("merge", losses.Logistic(), offset=2.0), _bsgd("merge", common.logistic, 2.0 / LAM)),
    Case(
        "bsgd merge classes", _budgeted("merge", MULTI, offset=2.0, bound=bounds.Ball(RADIUS)),
        _bsgd("merge", common.crammer_singer, 2.0 / LAM, RADIUS), "classes", compiled=True,
    ),
    Case("bsgd merge-all", _budgeted("merge-all", losses.Logistic(), budget=8), _bsgd("merge-all", common.logistic, budget=8)),
    Case(
        "bsgd merge opposite", _budgeted(Merge(opposite=True), losses.Logistic(), offset=2.0),
        _bsgd("merge opposite", common.logistic, 2.0 / LAM),
    ),
    Case(
        "bsgd merge opposite classes", _budgeted(Merge(opposite=True), MULTI, offset=2.0),
        _bsgd("merge opposite", common.crammer_singer, 2.0 / LAM), "classes",
    ),
    Case(
        "bsgd merge-all opposite", _budgeted(MergeBestPair(opposite=True), losses.Logistic(), budget=8),
        _bsgd("merge-all opposite", common.logistic, budget=8),
    ),
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
    *[
        Case(
            f"olrd {discard}", recipes.olrd(GAUSSIAN, HINGE, budget=9, U=3.0, discard=discard),
            lambda X, Y, q=q, **k: olk.olrd(
                X, Y, kernel=KERNEL, loss=common.hinge, rate=olk.theorem_3(3.0, lambda t: 9.0, T=ROWS), U=3.0,
                budget=lambda t: 9.0, q=q, **k
            ), compiled=discard == "uniform",
        )
        for discard, q in (("uniform", None), ("least-variance", olk.least_variance_q), ("weight", bogd.weighted_q))
    ],
    Case(
        "olrd growing", recipes.olrd(GAUSSIAN, MULTI, budget=budgets.Growing(0.8), U=3.0),
        lambda X, Y, **k: olk.olrd(
            X, Y, kernel=KERNEL, loss=common.crammer_singer, rate=olk.theorem_3(3.0, olk.sqrt_budget(0.8), 2.0),
            budget=olk.sqrt_budget(0.8), U=3.0, **k
        ), "classes",
    ),
    Case(
        "oskl", recipes.oskl(GAUSSIAN, losses.Logistic(), 2.0, 3.0, output="last"),
        lambda X, Y, **k: oskl.run(X, Y, kernel=KERNEL, loss=common.logistic, eta=0.45, G=2.0, R=3.0, **k), compiled=True,
    ),
    Case(
        "oskl classes", recipes.oskl(GAUSSIAN, losses.Multinomial(), 2.0, 3.0, 0.4, output="last"),
        lambda X, Y, **k: oskl.run(X, Y, kernel=KERNEL, loss=common.multinomial, eta=0.4, G=2.0, R=3.0, **k), "classes",
    ),
    *[
        Case(
            f"nogd {task}", recipes.nogd(GAUSSIAN, loss, 0.8, 12, 5),
            lambda X, Y, oracle=oracle, **k: fogd.nogd(
                X, Y, kernel=KERNEL, loss=oracle, rate=common.power(0.8, 0.5), budget=12, rank=5, **k
            ), task,
        )
        for task, loss, oracle in (("binary", losses.Logistic(), common.logistic), ("classes", MULTI, common.crammer_singer))
    ],
    *[
        Case(f"krls {task}", recipes.krls(GAUSSIAN, 0.1), lambda X, Y, **k: krls.run(X, Y, kernel=KERNEL, nu=0.1, **k), task)
        for task in ("values", "vector")
    ],
    *[
        Case(
            f"{name} {task}", recipe.replace(loss=recipe.loss.for_classes(4)) if task == "classes" else recipe,
            lambda X, Y, oracle=oracle, **k: oracle(X, Y, kernel=KERNEL, **k), task, compiled=(name, task) in COMPILED,
            ordered=not name.startswith("bpa"),
        )
        for task in ("binary", "classes")
        for name, recipe, oracle in BASELINES
        if (name, task) not in BINARY
    ],
]  # fmt: skip

RUNNABLE = CASES if config.DISABLE_JIT else [case for case in CASES if case.compiled]


def case_named(name: str) -> Case:
    return next(case for case in CASES if case.name == name)
