"""Ours with and without its search, boosted trees and xRFM with default settings, and a tuned SVC or SVR."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.untuned import xrfm_peer
from benchmarks.untuned.sets import Rows
from kernelstream import KernelClassifier, KernelRegressor

SEARCHED = 5_000  # rows that the settings of the SVC are chosen on
GRID_C, GRID_GAMMA = (1.0, 10.0, 100.0), (0.25, 1.0, 4.0)  # γ in units of scikit-learn's "scale"
REHEARSAL = 1_500  # rows that a compiled learner sees beforehand

Fitted = tuple[Any, dict[str, Any]]  # the model, and what else was found


class Learner(NamedTuple):
    """`fit(rows, regression, seed, budget)` returns a fitted model; `budget` means something to ours only."""

    name: str
    about: str
    fit: Callable[[Rows, bool, int, int], Fitted]
    ours: bool = False
    needs: str = "sklearn"
    versions: tuple[str, ...] = ("scikit-learn",)  #: a stored result is used again only if these are the same


def lacking(learner: Learner) -> str | None:
    """Why a learner cannot run here, as a sentence; None if it can."""
    if find_spec(learner.needs):
        return None
    return f"{learner.name} is left out: {learner.needs} is not installed (pip install {learner.needs})."


def _ours(tune: bool) -> Callable[[Rows, bool, int, int], Fitted]:
    def fit(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
        kind = KernelRegressor if regression else KernelClassifier
        model = kind(tune=tune, budget=budget, random_state=seed).fit(rows.X_train, rows.y_train)
        return model, {"scaled": model.feature_map_ is not None, "support": model.n_support_}

    return fit


def _trees(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingRegressor if regression else HistGradientBoostingClassifier
    return kind(random_state=seed).fit(rows.X_train, rows.y_train), {}


def _lightgbm(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
    import lightgbm  # type: ignore[import-not-found, unused-ignore]

    kind = lightgbm.LGBMRegressor if regression else lightgbm.LGBMClassifier
    return kind(random_state=seed, n_jobs=1, verbose=-1).fit(rows.X_train, rows.y_train), {}


def _machine(most: int | None) -> Callable[[Rows, bool, int, int], Fitted]:
    """C and γ by cross-validation on at most so many rows, then fitted to all; both take their time."""

    def fit(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
        from sklearn.model_selection import GridSearchCV
        from sklearn.svm import SVC, SVR

        X, y = rows.X_train, rows.y_train
        scale = 1.0 / (X.shape[1] * X.var())
        grid = {"C": list(GRID_C), "gamma": [factor * scale for factor in GRID_GAMMA]}
        machine = (SVR if regression else SVC)(cache_size=500)
        begun = process_time()
        found = GridSearchCV(machine, grid, cv=3, refit=False).fit(X[:most], y[:most]).best_params_
        searched = process_time()
        machine.set_params(**found).fit(X, y)
        return machine, {"C": found["C"], "gamma": found["gamma"] / scale, "last_fit": process_time() - searched,
                         "search": searched - begun}  # fmt: skip

    return fit


def measured(learner: Learner, rows: Rows, regression: bool, seed: int, budget: int) -> dict[str, Any]:
    """Accuracy or R² in percent, and the CPU seconds of the fit, its package imported and compiled before."""
    import_module(learner.needs)
    if learner.ours:
        learner.fit(beginning(rows, regression), regression, seed, budget)
    begun = process_time()
    model, found = learner.fit(rows, regression, seed, budget)
    seconds = process_time() - begun
    score = 100.0 * float(model.score(rows.X_test, rows.y_test))
    return {"n": len(rows.y_train), "tested": len(rows.y_test), "score": score, "seconds": seconds, **found}


def beginning(rows: Rows, regression: bool) -> Rows:
    """The first rows, and one of every class: a third class makes a classifier compile again."""
    first = np.arange(min(REHEARSAL, len(rows.y_train)))
    some = first if regression else np.union1d(first, np.unique(rows.y_train, return_index=True)[1])
    return rows._replace(X_train=rows.X_train[some], y_train=rows.y_train[some])


OWN = ("kernelstream", "source", "numba", "numpy")
DEFAULT, TUNED, TREES, MACHINE, LIGHT, XRFM = "default", "tuned", "HGB", "SVC", "LightGBM", "xRFM"
THOROUGH = "thoroughSVC"
LEARNERS = {
    each.name: each
    for each in (
        Learner(DEFAULT, "kernelstream with tune=False", _ours(False), ours=True, versions=OWN),
        Learner(TUNED, "kernelstream, told nothing", _ours(True), ours=True, versions=OWN),
        Learner(TREES, "HistGradientBoosting with default settings", _trees),
        Learner(LIGHT, "LightGBM with default settings", _lightgbm, needs="lightgbm",
                versions=("lightgbm",)),
        Learner(MACHINE, f"SVC or SVR with C and γ by cross-validation on {SEARCHED:,} rows; slow", _machine(SEARCHED)),
        Learner(THOROUGH, "the same with cross-validation on all rows; very slow", _machine(None)),
        Learner(XRFM, "recursive feature machine with default settings; slow", xrfm_peer.fit, needs="xrfm",
                versions=("xrfm", "torch")),
    )
}  # fmt: skip
