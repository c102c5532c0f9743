"""`KernelRegressor`."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import Tags

from ..budgets import Budget
from ..core.precision import DEFAULT
from ..losses import Huber, Loss
from ..model import Model
from ..model.targets import as_targets
from ..recipe import Recipe
from ..tracking import AdaptiveModel
from .base import KernelEstimator
from .fitted import model_of
from .residuals import LEAST, MOST, Residuals
from .resolution import KernelChoice


class KernelRegressor(RegressorMixin, KernelEstimator):
    """Kernel regressor that learns from rows in memory or from a stream, within a budget of support vectors.

    The function has no intercept, and steps are of the order of 1, so targets are standardised first. λ, ε and other
    parameters of a loss are in those units; `predict` and `dual_coef_` are in the units of y.

    Parameters
    ----------
    loss : str, Loss or None
        "squared", "absolute", "epsilon_insensitive", "huber", "quantile", or a `Loss` of numbers. None is `Huber(1.0)`,
        as accurate as the squared loss, and stable with the long first steps of some recipes because its gradient is
        bounded. Use `EpsilonInsensitive` for fewer support vectors.
    scale_target : bool
        Whether to standardise the targets, as by default, so that steps and λ mean the same in all units. Mean and
        deviation are estimated from the rows of `fit`, or of the first `partial_fit` or `initialize`, and then fixed:
        start a stream with some hundred rows, not with one.
    algorithm, kernel, gamma, lam, budget, deploy, half_life, adapt, scale, tune, epochs, shuffle
        As for `KernelClassifier`.
    dtype, n_jobs, progress, random_state
        As for `KernelClassifier`. A model that adapts follows the level and the deviation of the targets.

    Attributes
    ----------
    target_mean_, target_scale_ : array of shape (outputs,)
        The mean and deviation that standardise the targets; 0 and 1 if the model adapts, which does that inside.
    target_ndim_ : int
        1 or 2, the dimensions of y, and so of predictions.
    intercept_ : array of shape (outputs,)
        The constant term of predictions: the mean of the targets.
    residuals_ : Residuals
        Residuals of rows that were predicted before they were learned, at most 2048, for `predict_interval`.
    model_, record_, n_support_, support_vectors_, dual_coef_, n_iter_, t_, n_features_in_, feature_names_in_
        As for `KernelClassifier`.
    feature_map_, deploy_, gamma_, lam_, feature_relevance_
        As for `KernelClassifier`.

    Notes
    -----
    With budgets below about 100, projection is more accurate in regression than the merging of "default":
    `algorithm=recipes.bsgd(loss=Huber(), maintenance="project", offset=2.0)`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelstream import KernelRegressor
    >>> X = np.linspace(-3, 3, 2000)[:, None]
    >>> y = 100 + 10 * np.sinc(X[:, 0])
    >>> model = KernelRegressor(gamma=2.0, budget=30, random_state=0).fit(X, y)
    >>> round(model.score(X, y), 2)
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list]] = {
        **KernelEstimator._parameter_constraints,
        "scale_target": ["boolean"],
    }
    _fallback_loss = Huber(1.0)
    target_kinds = ("values",)
    _suitable = "'squared', 'absolute', 'epsilon_insensitive', 'huber', 'quantile' or your own for numbers"

    target_mean_: np.ndarray
    target_scale_: np.ndarray
    target_ndim_: int
    residuals_: Residuals

    def __init__(
        self,
        algorithm: str | Recipe = "default",
        *,
        kernel: KernelChoice | None = None,
        gamma: float | str | None = None,
        loss: str | Loss | None = None,
        lam: float | None = None,
        budget: int | str | Budget | None = None,
        deploy: str | None = None,
        half_life: float | str | None = None,
        adapt: bool = True,
        scale: str | None = "auto",
        tune: bool = True,
        epochs: int | str = "auto",
        shuffle: bool = True,
        dtype: str = DEFAULT,
        n_jobs: int | None = None,
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
        scale_target: bool = True,
    ):
        super().__init__(
            algorithm, kernel=kernel, gamma=gamma, loss=loss, lam=lam, budget=budget, deploy=deploy,
            half_life=half_life, adapt=adapt, scale=scale, tune=tune, epochs=epochs, shuffle=shuffle, dtype=dtype,
            n_jobs=n_jobs,
            progress=progress, random_state=random_state,
        )  # fmt: skip
        self.scale_target = scale_target

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn rows in order, in one pass. The first call starts a new model and estimates the scale of the targets.

        A bad row raises a ValueError that names it, and nothing is learned from the call.
        """
        self._validate_params()
        return self._learn_on(X, y, sample_weight)

    def predict_interval(self, X: Any, coverage: float = 0.9, *, local: bool = True) -> np.ndarray:
        """Intervals that contain the target with this probability, by split conformal prediction.

        The width is that of the residuals of rows that were predicted before they were learned: in `fit` one row in 20,
        2048 at most, and in a stream the latest. See docs/guide/intervals.md for measured coverage.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n, features)
        coverage : float
            The probability, over rows like those learned; not for every single x. Sample weights do not count in it.
        local : bool
            Whether intervals are wider where residuals of similar predictions were larger. With False, all have one
            width, and the coverage is guaranteed for rows that are exchangeable with the residuals'.

        Returns
        -------
        Lower and upper ends, (n, 2), or (n, outputs, 2) if y had two dimensions: an interval for each output.
        """
        values = self._values(self._scores(X))
        widths = self.residuals_.widths(values, coverage, local)
        found = np.stack([values - widths, values + widths], axis=-1)
        return found[:, 0] if self.target_ndim_ == 1 else found

    def compress(self, budget: int | None = None, tolerance: float | None = None) -> Self:
        smaller = super().compress(budget, tolerance)
        smaller._reset_calibration()  # the residuals are those of another function
        return smaller

    def _values(self, scores: np.ndarray) -> np.ndarray:
        found: np.ndarray = scores * self.target_scale_ + self.target_mean_
        return found

    def _predictions(self, scores: np.ndarray) -> np.ndarray:
        values = self._values(scores)
        return values[:, 0] if self.target_ndim_ == 1 else values

    def _reset_calibration(self) -> None:
        self.residuals_ = Residuals()

    def _calibrate_on(
        self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, scores: np.ndarray | None = None
    ) -> None:
        learned = model.rows if isinstance(model, AdaptiveModel) else model.record.examples
        known = self.residuals_
        if model.n_support == 0 or (scores is None and len(y) < LEAST <= len(known) and learned % 8):
            return  # batches of a few rows: some of them tell as much as all
        if scores is None:
            with np.errstate(all="ignore"):
                scores = model.scores_many(X[-MOST:])
        values, targets = self._values(scores[-MOST:]), y[-MOST:].reshape(-1, scores.shape[1])
        self.residuals_ = known.joined(values, targets, learned)

    def _learn_rows(self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, targets: Any, weights: Any) -> None:
        if isinstance(model, AdaptiveModel):  # which predicts every row on the way
            self._calibrate_on(model, X, y, model.score_then_learn(X, targets, weights))
        else:
            super()._learn_rows(model, X, y, targets, weights)

    @property
    def dual_coef_(self) -> np.ndarray:
        """Coefficients, (outputs, n_support_), such that predictions are dual_coef_ @ κ + intercept_."""
        return super().dual_coef_ * self.target_scale_[:, None]

    @property
    def intercept_(self) -> np.ndarray:
        """The mean of the targets, (outputs,)."""
        model_of(self)
        return self.target_mean_

    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        return as_targets(y) if y.ndim == 2 else as_targets(y)[:, 0]

    def _begin_targets(self, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None) -> None:
        self.target_ndim_ = y.ndim
        Y = y.reshape(len(y), -1)
        self.target_mean_, self.target_scale_ = np.zeros(Y.shape[1]), np.ones(Y.shape[1])
        if self.scale_target and weights.any():
            self.target_mean_ = np.average(Y, axis=0, weights=weights)
            deviation = np.sqrt(np.average((Y - self.target_mean_) ** 2, axis=0, weights=weights))
            # constant targets, but for rounding, have no scale to bring to 1
            self.target_scale_ = np.where(deviation > 1e-12 * np.abs(self.target_mean_), deviation, 1.0)

    def _takes_single(self, y: np.ndarray) -> bool:
        return y.ndim == 1 or y.shape[1] == 1

    def _n_classes(self) -> int:
        return 2  # a loss of numbers is the same for any number of classes

    def _n_outputs(self, loss: Loss) -> int:
        return len(self.target_mean_)

    def _translate(self, y: np.ndarray, loss: Loss) -> np.ndarray:
        Y = y.reshape(len(y), -1)
        if Y.shape[1] != len(self.target_mean_):
            raise ValueError(
                f"y has {Y.shape[1]} columns, but the model has {len(self.target_mean_)} outputs; it is unchanged."
            )
        return (Y - self.target_mean_) / self.target_scale_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
