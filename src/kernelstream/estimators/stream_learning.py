"""Rows in the order in which they come: `partial_fit`, test-then-train, and the model that a stream begins with."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from ..model import Model
from ..recipe import Recipe
from ..tracking import AdaptiveModel
from .deployment import Deployment
from .fitted import model_of
from .unscaled import LEAST, warn_if_unscaled
from .validated_rows import ValidatedRows, unchanged_on_error

_BEGINNING = threading.RLock()


class StreamLearning(ValidatedRows):
    """Learning from the next rows of a stream."""

    n_iter_: int
    deploy_: Deployment | None

    def initialize(self, X: Any, y: Any, classes: Any = None, total: int | None = None) -> Self:
        """Set everything that is estimated from data by the first rows of a stream, without learning.

        That is gamma where it is a rule such as "scale", the scale of numeric targets, and the labels if `classes` is
        None. Use it to estimate them from more rows than the first `partial_fit` has. `total` is the number of examples
        to come, where it is known.
        """
        self._validate_params()
        with unchanged_on_error(self):
            X, y, weights = self._checked(X, y, None, first=True)
            given = None if classes is None else np.unique(classes)
            rng = check_random_state(self.random_state)
            model, targets = self._begin_stream(X, y, weights, given, total, rng)
            self.model_, self.n_iter_ = model, 0
            if isinstance(model, AdaptiveModel):
                model.start(X, targets)
        return self

    def predict_then_learn(self, X: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
        """`predict` rows, then learn them as `partial_fit` does, scoring them once: test-then-train. An adaptive model
        predicts each row when it has learned those before it.

        The estimator has learned something before, or has been initialized; its parameters were checked then.
        """
        model = model_of(self)
        with model.lock, unchanged_on_error(self):
            X, y, weights = self._checked(X, y, sample_weight, first=False)
            targets, X = self._translate(y, model.recipe.loss), self._mapped(X)
            weights = self._weighted(y, weights, first=False)
            if isinstance(model, AdaptiveModel):
                scores = model.score_then_learn(X, targets, weights)
                self._calibrate_on(model, X, y, scores)
            else:
                scores = model.scores_many(X)
                self._calibrate_on(model, X, y, scores)
                model.learn_many(X, targets, weights)
            self.n_iter_ += 1
        return self._predictions(scores)

    def _learn_on(self, X: Any, y: Any, sample_weight: Any, classes: np.ndarray | None = None) -> Self:
        """One pass over rows in order, continuing from the present model."""
        with self._only_writer(), unchanged_on_error(self):
            first = not hasattr(self, "model_")
            X, y, weights = self._checked(X, y, sample_weight, first)
            if first:
                model, targets = self._begin_stream(X, y, weights, classes, None, check_random_state(self.random_state))
            else:
                model, targets = self.model_, self._translate(y, self.model_.recipe.loss)
            X, weights = self._mapped(X), self._weighted(y, weights, first)
            self._learn_rows(model, X, y, targets, weights)
            self.model_, self.n_iter_ = model, 1 if first else self.n_iter_ + 1
        return self

    def _learn_rows(self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, targets: Any, weights: Any) -> None:
        """Use rows for calibration, then learn them."""
        self._calibrate_on(model, X, y)
        model.learn_many(X, targets, weights)

    @contextmanager
    def _only_writer(self) -> Iterator[None]:
        """Let other threads that learn wait; before there is a model, for whoever makes one."""
        with (
            nullcontext() if hasattr(self, "model_") else _BEGINNING,
            self.model_.lock if hasattr(self, "model_") else nullcontext(),
        ):
            yield

    def _begin_stream(
        self, X: Any, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None, total: int | None, rng: Any
    ) -> tuple[Model | AdaptiveModel, np.ndarray]:
        """The same for a stream that starts with these rows: a model that adapts, unless something is known of it."""
        if self.deploy is not None:
            raise ValueError(
                f"deploy={self.deploy!r} is for `fit`, which can choose between models. For a stream give a budget, or "
                "use `kernelstream train --deploy-size`. A model that was fitted can go on with `partial_fit`."
            )
        self.deploy_ = None
        self._reset_calibration()
        if not self.adapts or issparse(X) or not self._takes_single(y):
            return self._begin(X, y, weights, classes, total, rng)
        self._begin_targets(y, 0.0 * weights, classes)
        self.feature_map_ = None
        names = getattr(self, "feature_names_in_", None)
        model = AdaptiveModel(
            self.stream_recipe(), X.shape[1], self._n_classes(), dtype=self.dtype, seed=int(rng.randint(2**31 - 1)),
            scale=self.scale == "auto" and self.gamma is None, names=None if names is None else list(names),
        )  # fmt: skip
        return model, self._translate(y, model.recipe.loss)

    def _begin(
        self, X: Any, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None, total: int | None, rng: Any
    ) -> tuple[Model, np.ndarray]:
        """A model that has learned nothing yet, and the targets as it takes them."""
        self._begin_targets(y, weights, classes)
        self.feature_map_ = None
        self._warn_if_unscaled(X, 10 * LEAST)  # the first rows of a stream tell less about the others
        return self._new_model(self._recipe_for(self._n_classes()), X, y, total, rng)

    def _new_model(
        self, recipe: Recipe, X: Any, y: np.ndarray, total: int | None, rng: Any
    ) -> tuple[Model, np.ndarray]:
        targets, outputs = self._translate(y, recipe.loss), self._n_outputs(recipe.loss)
        seed = int(rng.randint(2**31 - 1))
        model = Model.from_recipe(recipe, X, targets, n_outputs=outputs, total=total, dtype=self.dtype, seed=seed)
        return model, targets

    def _warn_if_unscaled(self, X: Any, least: int) -> None:
        if self.scale is not None:
            warn_if_unscaled(X, getattr(self, "feature_names_in_", None), type(self).__name__, least)

    def _fit_stream(self, X: Any, y: np.ndarray, weights: np.ndarray) -> Self:
        """One pass in the order of rows by an adaptive model."""
        model, targets = self._begin_stream(X, y, weights, None, None, check_random_state(self.random_state))
        if not isinstance(model, AdaptiveModel):
            raise ValueError("half_life='auto' needs rows that are not sparse, and a single target.")
        self._learn_rows(model, X, y, targets, self._weighted(y, weights, first=True))
        self.model_, self.n_iter_ = model, 1
        return self
