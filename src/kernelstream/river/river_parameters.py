"""The parameters of the River estimators: those of the scikit-learn estimators that apply to a stream."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from river import base

from ..estimators.base import KernelEstimator
from ..output import RunningRefit
from ..recipe import Recipe
from ..tracking import AdaptiveModel

_IN_RECIPE = ("kernel", "gamma", "loss", "lam", "budget", "half_life")  # parameters that a recipe already has


class RiverParameters(base.Estimator):
    """Constructor parameters, validated at once."""

    _kind: type[KernelEstimator]

    def __init__(
        self, algorithm: str | Recipe, kernel: str | None, gamma: float | str | None, loss: str | None,
        lam: float | None, budget: int | str | None, half_life: float | str | None, adapt: bool, scale: str | None,
        warm_up: int, dtype: str, seed: int | None,
    ):  # fmt: skip
        self.algorithm = algorithm
        self.kernel = kernel
        self.gamma = gamma
        self.loss = loss
        self.lam = lam
        self.budget = budget
        self.half_life = half_life
        self.adapt = adapt
        self.scale = scale
        self.warm_up = warm_up
        self.dtype = dtype
        self.seed = seed
        self._check_parameters()
        self._drawn = int(np.random.default_rng().integers(2**31)) if seed is None else seed

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"budget": 20}

    def _check_parameters(self) -> None:
        for name in ("kernel", "loss", "budget"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, (str, int)):
                raise ValueError(
                    f"{name} is {value!r}; here it must be a string or a number. Put your own {name} into a recipe: "
                    f"algorithm=recipes.bsgd({name}=…)."
                )
        if self.scale not in ("auto", None):
            raise ValueError(f"scale is {self.scale!r}; it must be 'auto', or None for features as they are.")
        if not isinstance(self.warm_up, int) or self.warm_up < 1:
            raise ValueError(f"warm_up is {self.warm_up!r}; it must be a whole number of rows, 1 or more.")
        estimator = self._estimator(0 if self.seed is None else self.seed)
        estimator.resolve_recipe()
        self.adapts = estimator.adapts  #: whether the stream is learned by several models at once

    def _estimator(self, seed: int) -> Any:
        """The scikit-learn estimator with these parameters, which resolves them to a recipe."""
        return self._kind(
            self.algorithm, kernel=self.kernel, gamma=self.gamma, loss=self.loss, lam=self.lam, budget=self.budget,
            half_life=self.half_life, adapt=self.adapt, scale=self.scale, dtype=self.dtype, random_state=seed,
        )  # fmt: skip

    @property
    def _memory(self) -> float | None:
        memory: float | None = self._estimator(0).memory
        return memory

    def _adaptive(self, width: int, classes: int) -> AdaptiveModel:
        return AdaptiveModel(
            self._estimator(0).stream_recipe(), width, classes, dtype=self.dtype, seed=self._drawn,
            scale=self.scale == "auto", warm_up=self.warm_up, names=list(self._features.columns),
        )  # fmt: skip

    def _initialized(self, X: np.ndarray, y: np.ndarray, classes: np.ndarray | None = None) -> Any:
        """The scikit-learn estimator with a model that has learned nothing. Its refit, if it has one, is the running
        one: a row must not wait for it."""
        estimator = self._estimator(self._drawn)
        recipe = estimator.resolve_recipe(1 if classes is None else len(classes))
        if recipe.output.refits and recipe.loss.touches:
            output = RunningRefit().forgetting(estimator.memory or 0.0)
            estimator.set_params(algorithm=recipe.replace(output=output), **dict.fromkeys(_IN_RECIPE))
        return estimator.initialize(X, y, classes)
