"""What the classifier and the regressor share: `fit` to rows in memory, and predictions."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from ..budgets import Fixed, Memory
from ..core.parallel import cores, jobs
from ..model import Model
from ..recipe import Recipe
from ..recipes.default import default
from .deployed_fit import fit_deployed
from .epochs import Passes, automatic_epochs
from .fitted import model_of
from .stream_learning import StreamLearning
from .tuned import chosen_for
from .unscaled import LEAST
from .validated_rows import sparse_or_not, unchanged_on_error


class KernelEstimator(StreamLearning):
    """Base of the estimators."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to rows in memory, from the beginning.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n, features)
            CSR is the fastest sparse format. Sparse data stays sparse.
        y : array of shape (n,)
            Labels or numbers; for a regressor with several outputs (n, outputs).
        sample_weight : array of shape (n,) or None
            The weight of each example in its gradient step.

        Returns
        -------
        The estimator itself.
        """
        return self._fit(X, y, sample_weight, None)

    def fit_sample(self, X: Any, y: Any, total: int, begin: Callable[[Self, Model], Callable[[], None]]) -> Self:
        """`fit` to a sample of `total` rows that are elsewhere. `begin` is called with the estimator as it is so far,
        and the model, which is still empty. What it returns is called in place of the refit over the sample, to fit
        the coefficients of the model to all rows."""
        return self._fit(X, y, None, begin, total)

    @property
    def refits(self) -> bool:
        """Whether `fit` fits coefficients again, by passes over all rows."""
        recipe = self.resolve_recipe()
        return bool(recipe.output.refits) or self._refits_meanwhile(recipe)

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, begin: Callable[[Self, Model], Callable[[], None]] | None,
        total: int | None = None,
    ) -> Self:  # fmt: skip
        self._validate_params()
        with unchanged_on_error(self), jobs(self.n_jobs):
            X, y, weights = self._checked(X, y, sample_weight, first=True)
            if not weights.any():
                raise ValueError("All sample weights are zero, so there is nothing to learn.")
            size, self.deploy_ = self.deployed_size, None
            if self.half_life == "auto":
                return self._fit_stream(X, y, weights)
            forgets = self.memory is not None  # then the order of rows matters
            passes = 1 if forgets else automatic_epochs(X.shape[0])
            epochs = passes if self.epochs == "auto" else int(self.epochs)
            rng = check_random_state(self.random_state)
            self._begin_targets(y, weights, None)
            weights = self._weighted(y, weights, first=True)
            if size is not None:
                self.__dict__ = fit_deployed(self, size, X, y, weights, epochs, rng).__dict__
                return self
            recipe, X = self._tuned(X, y, weights, rng, total=total)
            recipe, kept = self._within_bytes(recipe, X, y, rng)
            elsewhere = None if begin is None else partial(begin, self)
            model = self._fit_recipe(recipe, X, y, weights, epochs, rng, begin=elsewhere)
            self.model_ = model if kept is None else kept.continue_from(model)
        return self

    def _fit_recipe(
        self, recipe: Recipe, X: Any, y: np.ndarray, weights: np.ndarray, epochs: int, rng: Any,
        watch: Callable[[Model, np.ndarray], None] = lambda model, rows: None,
        begin: Callable[[Model], Callable[[], None]] | None = None,
    ) -> Model:  # fmt: skip
        """The passes of `fit` with a recipe; `watch` is called with the model and rows that it has not learned yet."""
        if isinstance(recipe.budget, Fixed):  # a support vector is a row, or what two of them were merged into
            recipe = recipe.replace(budget=min(recipe.budget.size, max(X.shape[0], 2)))
        model, targets = self._new_model(recipe, X, y, X.shape[0] * epochs, rng)
        self._reset_calibration()
        refit, shares = None if begin is None else begin(model), 1 if self.n_jobs is None else cores()
        run = Passes(model, X, targets, weights, self.progress, self.memory, shares, refit)

        def held(rows: np.ndarray) -> None:
            self._calibrate_on(model, X[rows], y[rows])
            watch(model, rows)

        self.n_iter_ = run.run(epochs, rng if self.shuffle and self.memory is None else None, held)
        return model

    def add_features(self, features: int) -> Self:
        """Accept rows with this many features from now on. The new features are 0 in everything learned so far."""
        if getattr(self, "feature_map_", None) is not None:
            raise ValueError("The scales of features were chosen by `fit`, and new ones have none. Use tune=False.")
        if self.deploy is not None:
            raise ValueError(f"deploy={self.deploy!r} limits the size of the model, which more features would exceed.")
        if hasattr(self, "feature_names_in_"):
            raise ValueError(
                "The features have names, and new ones would have none. Learn from arrays to add features."
            )
        model_of(self).add_features(features)
        self.n_features_in_ = features
        return self

    def calibrate(self, X: Any, y: np.ndarray) -> Self:
        """Refit the calibration of probabilities, or of prediction intervals, on validated rows (see `check_rows`) that
        the model has not learned."""
        model = model_of(self)
        self._reset_calibration()
        if len(y):
            self._calibrate_on(model, self._mapped(sparse_or_not(X)), y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict labels or numbers: (n,), or (n, outputs) if y had two dimensions."""
        return self._predictions(self._scores(X))

    def _tuned(
        self, X: Any, y: np.ndarray, weights: np.ndarray, rng: Any, ranks: bool = True, total: int | None = None
    ) -> tuple[Recipe, Any]:
        """The recipe with what is chosen for these rows, and the rows as it takes them."""
        recipe, self.feature_map_ = self._recipe_for(self._n_classes()), None
        if not self.tunes:
            self._warn_if_unscaled(X, LEAST)
            return recipe, X
        found = chosen_for(
            recipe, X, self._translate(y, recipe.loss), weights, self._n_outputs(recipe.loss), self.dtype,
            int(copy.deepcopy(rng).randint(2**31 - 1)), self.lam, ranks, total,  # what is drawn later is the same
        )  # fmt: skip
        if found is None:
            return recipe, X
        recipe = self._recipe_with(found.lam, None if found.map is None else 1.0, self._n_classes())
        self.feature_map_ = found.map
        return recipe, self._mapped(X)

    def _within_bytes(self, recipe: Recipe, X: Any, y: np.ndarray, rng: Any) -> tuple[Recipe, Model | None]:
        """The recipe to fit, and the model to keep, if they are not the same: a budget in bytes is for what is kept,
        and the statistics of the refit are needed only meanwhile."""
        if not self._refits_meanwhile(recipe):
            return recipe, None
        kept, _ = self._new_model(recipe, X, y, None, copy.deepcopy(rng))
        return self._sized(recipe, kept.recipe.budget.at(1)), kept

    def _refits_meanwhile(self, recipe: Recipe) -> bool:
        refits = self.algorithm == "default" and recipe.loss.smooth() is not None and self.memory is None
        return refits and isinstance(recipe.budget, Memory)

    def _sized(self, recipe: Recipe, count: int) -> Recipe:
        """The recipe with this many support vectors; how the default recipe refits depends on them."""
        if self.algorithm != "default" or self.memory is not None:
            return recipe.replace(budget=count)
        return default(recipe.kernel, recipe.loss, float(recipe.step.parameters()["lam"]), count)

    def _scores(self, X: Any) -> np.ndarray:
        """f(x) for every row."""
        with jobs(self.n_jobs):
            found: np.ndarray = model_of(self).scores_many(self._mapped(self.check_features(X)))
        return found
