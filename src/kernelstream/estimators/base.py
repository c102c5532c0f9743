"""What the classifier and the regressor share: input validation, `fit`, `partial_fit`, `predict`."""

import copy
import threading
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_consistent_length, validate_data

from ..budgets import Fixed, Memory
from ..core.inputs import as_weights, check_finite
from ..core.parallel import cores, jobs
from ..core.sparse_input import as_csr
from ..losses import Loss
from ..model import Model
from ..model.targets import check_targets
from ..recipe import Recipe
from ..recipes.default import default
from ..tracking import AdaptiveModel
from ..tuning import FeatureMap
from .deployed_fit import fit_deployed
from .deployment import Deployment
from .epochs import Passes, automatic_epochs
from .fitted import Fitted, model_of
from .frame_columns import named_columns
from .tuned import chosen_for
from .unscaled import LEAST, warn_if_unscaled

# finiteness is checked apart, so that the message can name the row
_X = {"accept_sparse": "csr", "ensure_all_finite": False, "dtype": "numeric"}
_Y = {"ensure_2d": False, "ensure_all_finite": False, "dtype": None}
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_BEGINNING = threading.RLock()


def _sparse_or_not(X: Any) -> Any:
    """X with its sparse indices checked: scikit-learn converts formats, and SciPy would follow wrong indices."""
    return as_csr(X) if issparse(X) else X


def _are_plain(y: Any, rows: int) -> bool:
    """Whether targets are an array that scikit-learn would pass as it is."""
    return type(y) is np.ndarray and y.shape == (rows,) and y.dtype.kind in "biufU"


@contextmanager
def unchanged_on_error(estimator: Any) -> Iterator[None]:
    """Restore the attributes of an estimator if an exception is raised."""
    before = estimator.__dict__.copy()
    try:
        yield
    except BaseException:
        estimator.__dict__ = before
        raise


class KernelEstimator(Fitted, metaclass=ABCMeta):
    """Base of the estimators."""

    n_iter_: int
    feature_map_: FeatureMap | None
    deploy_: Deployment | None
    n_features_in_: int

    @abstractmethod
    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        """Targets of the right kind and shape, or a ValueError that names the row."""

    @abstractmethod
    def _begin_targets(self, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None) -> None:
        """Set what targets are encoded with: labels, or a mean and a scale; without weights, numbers stay as they
        are."""

    @abstractmethod
    def _n_classes(self) -> int:
        """The number of classes that the loss is for."""

    @abstractmethod
    def _n_outputs(self, loss: Loss) -> int:
        """Scores per example."""

    @abstractmethod
    def _translate(self, y: np.ndarray, loss: Loss) -> np.ndarray:
        """Targets as this loss takes them."""

    def _takes_single(self, y: np.ndarray) -> bool:
        """Whether a row has one target, as streams that are adapted to must have."""
        return True

    def _weighted(self, y: np.ndarray, weights: np.ndarray, first: bool) -> np.ndarray:
        """The weights of rows, with those of their classes; `first` if nothing was learned before."""
        return weights

    def row_weights(self, y: np.ndarray) -> np.ndarray:
        """The weights of rows with these validated targets: those of their classes, by what was counted so far."""
        return np.ones(len(y))

    def _reset_calibration(self) -> None:
        """Start with an empty calibration."""

    def _calibrate_on(
        self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, scores: np.ndarray | None = None
    ) -> None:
        """Use rows that the model has not learned yet for calibration; `scores` are theirs, where they are known."""

    @abstractmethod
    def _predictions(self, scores: np.ndarray) -> np.ndarray:
        """Scores as labels or numbers."""

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

    def _fit_stream(self, X: Any, y: np.ndarray, weights: np.ndarray) -> Self:
        """One pass in the order of rows by an adaptive model."""
        model, targets = self._begin_stream(X, y, weights, None, None, check_random_state(self.random_state))
        if not isinstance(model, AdaptiveModel):
            raise ValueError("half_life='auto' needs rows that are not sparse, and a single target.")
        self._learn_rows(model, X, y, targets, self._weighted(y, weights, first=True))
        self.model_, self.n_iter_ = model, 1
        return self

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

    def check_rows(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        """Validate rows and targets as `partial_fit` does; a ValueError names the row and column."""
        model_of(self)
        return self._checked(X, y, None, first=False)[:2]

    def model_rows(self, X: Any, y: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Rows, targets and weights as the model takes them, validated as `check_rows` does."""
        X, y = self.check_rows(X, y)
        return self._mapped(X), self.encode_targets(y), self.row_weights(y)

    def encode_targets(self, y: np.ndarray) -> np.ndarray:
        """Validated targets in the form of the model's loss: (n, outputs), or (n, 1) for class indices."""
        model = model_of(self)
        return check_targets(self._translate(y, model.recipe.loss), model.recipe.loss, model.n_outputs)

    def calibrate(self, X: Any, y: np.ndarray) -> Self:
        """Refit the calibration of probabilities, or of prediction intervals, on validated rows (see `check_rows`) that
        the model has not learned."""
        model = model_of(self)
        self._reset_calibration()
        if len(y):
            self._calibrate_on(model, self._mapped(_sparse_or_not(X)), y)
        return self

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

    def predict(self, X: Any) -> np.ndarray:
        """Predict labels or numbers: (n,), or (n, outputs) if y had two dimensions."""
        return self._predictions(self._scores(X))

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

    def _begin(
        self, X: Any, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None, total: int | None, rng: Any
    ) -> tuple[Model, np.ndarray]:
        """A model that has learned nothing yet, and the targets as it takes them."""
        self._begin_targets(y, weights, classes)
        self.feature_map_ = None
        self._warn_if_unscaled(X, 10 * LEAST)  # the first rows of a stream tell less about the others
        return self._new_model(self._recipe_for(self._n_classes()), X, y, total, rng)

    def _warn_if_unscaled(self, X: Any, least: int) -> None:
        if self.scale is not None:
            warn_if_unscaled(X, getattr(self, "feature_names_in_", None), type(self).__name__, least)

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

    def _mapped(self, X: Any) -> Any:
        """Validated rows in the units that `fit` has chosen."""
        found = getattr(self, "feature_map_", None)
        if found is None:
            return X
        return found.transform(X.toarray() if issparse(X) else X)

    def _new_model(
        self, recipe: Recipe, X: Any, y: np.ndarray, total: int | None, rng: Any
    ) -> tuple[Model, np.ndarray]:
        targets, outputs = self._translate(y, recipe.loss), self._n_outputs(recipe.loss)
        seed = int(rng.randint(2**31 - 1))
        model = Model.from_recipe(recipe, X, targets, n_outputs=outputs, total=total, dtype=self.dtype, seed=seed)
        return model, targets

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

    def _checked(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, np.ndarray, np.ndarray]:
        with named_columns(X):
            if first or not self._is_plain(X) or not _are_plain(y, len(X)):
                X, y = validate_data(self, _sparse_or_not(X), y, reset=first, validate_separately=(_X, _Y))
                check_consistent_length(X, y)
            check_finite(X, self.dtype, getattr(self, "feature_names_in_", None))
        rows = X.shape[0]
        weights = None if sample_weight is None else np.asarray(sample_weight)
        if weights is not None and weights.shape not in ((), (rows,)):
            raise ValueError(f"sample_weight has the shape {weights.shape}; with {rows} rows it must be ({rows},).")
        return X, self._check_targets(y), as_weights(weights, rows)

    def _is_plain(self, X: Any) -> bool:
        """Whether rows are an array that scikit-learn would pass as it is. Its checks take longer than a few rows take
        to be learned."""
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype not in _FLOATS or hasattr(self, "feature_names_in_"):
            return False
        return bool(len(X) > 0 and X.shape[1] == self.n_features_in_)

    def _scores(self, X: Any) -> np.ndarray:
        """f(x) for every row."""
        with jobs(self.n_jobs):
            found: np.ndarray = model_of(self).scores_many(self._mapped(self.check_features(X)))
        return found

    def check_features(self, X: Any) -> Any:
        """Validate rows without targets as `predict` does; a ValueError names the row and column."""
        model = model_of(self)
        with named_columns(X):
            if not self._is_plain(X):
                X = validate_data(self, _sparse_or_not(X), reset=False, **_X)
            check_finite(X, model.dtype, getattr(self, "feature_names_in_", None))
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
