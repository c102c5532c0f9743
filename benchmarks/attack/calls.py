"""Hostile calls of estimators and models. A refusal must be a ValueError or TypeError in words, and change nothing."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from kernelstream import KernelClassifier, KernelRegressor, Model, recipes
from kernelstream.kernels import Gaussian

from . import hostile

FEATURES = 4
PROBES = np.random.default_rng(99).normal(size=(6, FEATURES))


class Finding(Exception):
    """Something that must not happen."""


def refused(call: Callable[[], Any]) -> bool:
    """Whether the call was refused, properly; any other error is a finding."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except (ValueError, TypeError) as error:
        if len(str(error).split()) < 4:
            raise Finding(f"a refusal without a sentence: {error!r}") from error
        return True
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}") from error
    return False


class Target:
    """An estimator that has learned a little, and what must stay the same if it refuses."""

    def __init__(self, name: str, seed: int):
        rng = np.random.default_rng(seed)
        regression = name == "krls" or (seed % 3 == 2 and name in ("bsgd", "default", "polk"))
        self.classes = 0 if regression else 2
        kind: Any = KernelClassifier if self.classes else KernelRegressor
        more = {"budget": 12} if name in BUDGETED else {}
        self.estimator = kind(name, gamma=0.5, random_state=0, **more) if name != "fogd" else kind(name, random_state=0)
        X = rng.normal(size=(60, FEATURES))
        y = (X[:, 0] > 0).astype(int) if self.classes else X[:, 0]
        extra = {"classes": [0, 1]} if self.classes else {}
        if name == "nbsgd":
            self.estimator = kind(recipes.nbsgd(Gaussian(0.5), beta=30.0, budget=12), random_state=0)
        self.estimator.partial_fit(X, y, **extra)

    def state(self) -> tuple:
        model = self.estimator.model_
        return model.record.examples, model.n_support, model.scores_many(PROBES).tobytes()

    def attack(self, rng: np.random.Generator) -> bool:
        """One call; whether it was refused."""
        X = hostile.rows(rng, FEATURES)
        count = X.shape[0] if hasattr(X, "shape") and len(X.shape) else len(X) if isinstance(X, list) else 1
        y, w = hostile.targets(rng, count, self.classes), hostile.weights(rng, count)
        estimator, model, row = self.estimator, self.estimator.model_, _first(X)
        calls: list[Callable[[], Any]] = [
            lambda: estimator.predict(X),
            lambda: estimator.partial_fit(X, y, w),
            lambda: estimator.partial_fit(X, y),
            lambda: estimator.predict_then_learn(X, y, w),
            lambda: model.scores_many(X),
            lambda: model.learn_many(X, _signs(y, self.classes), w),
            lambda: model.learn_one(row, 1.0),
            lambda: model.scores_one(row),
        ]
        if self.classes:
            calls += [lambda: estimator.predict_proba(X), lambda: estimator.decision_function(X)]
        before = self.state()
        was_refused = refused(calls[int(rng.integers(len(calls)))])
        after = self.state()
        if was_refused and after != before:
            raise Finding("a refused call has changed the model")
        if not np.isfinite(np.frombuffer(after[2], np.float64 if len(after[2]) == 48 else np.float32)).all():
            raise Finding("the model's scores are no longer finite")
        return was_refused


def _first(X: Any) -> Any:
    """The first row, or X itself where there is none, or where scipy would crash over a broken one."""
    if sparse.issparse(X):
        return X
    try:
        return X[0]
    except (IndexError, TypeError):
        return X


def _signs(y: Any, classes: int) -> Any:
    return 2.0 * y - 1.0 if classes and isinstance(y, np.ndarray) and y.dtype.kind in "if" else y


def _budgeted() -> set[str]:
    from inspect import signature

    return {name for name, recipe in recipes.RECIPES.items() if "budget" in signature(recipe).parameters}


BUDGETED = _budgeted()


def fresh(rng: np.random.Generator, name: str) -> bool:
    """A first call, `fit` or `Model.from_recipe`, with hostile data and parameters."""
    X = hostile.rows(rng, FEATURES)
    count = X.shape[0] if hasattr(X, "shape") and len(X.shape) else len(X) if isinstance(X, list) else 1
    y, w = hostile.targets(rng, count, 2), hostile.weights(rng, count)
    gamma: Any = rng.choice(np.array([0.5, 1e-300, 1e300, -1.0, 0.0, np.nan, np.inf]))
    estimator = KernelClassifier(name, gamma=float(gamma), epochs=1, random_state=0)
    if rng.random() < 0.5:
        return refused(lambda: estimator.fit(X, y, w))
    return refused(lambda: Model.from_recipe(recipes.bsgd(Gaussian(0.5), budget=12), X, y).learn_many(X, y))
