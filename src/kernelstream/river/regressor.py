"""`KernelRegressor` for River."""

import math
from numbers import Real
from typing import Any

import numpy as np
from river import base

from ..core.precision import DEFAULT
from ..estimators import KernelRegressor as Estimator
from ..model import Model
from ..recipe import Recipe
from ..tracking import AdaptiveModel
from .frames import as_series
from .learner import KernelLearner, Row


class KernelRegressor(KernelLearner, base.MiniBatchRegressor):
    """Kernel regressor for River, within a budget of support vectors.

    Features are scaled inside. New features may appear at any time. Told nothing, it learns with several models and
    tables at once, as the classifier does, and follows the level and the deviation of the targets. A single model has
    targets that are standardised by the rows of the warm-up; λ and ε are in those units.

    Parameters
    ----------
    algorithm : str or Recipe, default "default"
        The name of a recipe (see `kernelstream.recipes.RECIPES`), `module:name`, or a `Recipe`, such as
        `recipes.bsgd(maintenance="project")`.
    kernel : str or None, default None
        "gaussian", "laplacian", "cauchy", "polynomial", "linear", "matern32", "matern52", "rational_quadratic".
        None is a Gaussian.
    gamma : float, "scale", "auto" or None, default None
        The kernel's gamma. None and "scale" are 1 / (features × variance), as in scikit-learn; "auto" uses the 20th
        percentile of distances; both over the rows of the warm-up.
    loss : str or None, default None
        "squared", "absolute", "epsilon_insensitive", "huber", "quantile". None is "huber".
    lam : float or None, default None
        Regularisation λ, for recipes that have one.
    budget : int, str or None, default None
        The number of support vectors, or a size ("64 KiB"). None is the recipe's default; with `adapt` 600, of all
        models together.
    half_life : float, "auto" or None, default None
        For a stream that drifts: the weight of an example halves every `half_life` examples. None weights all alike;
        "auto" mixes models with several memories, also if gamma is given.
    adapt : bool, default True
        Whether to learn with several models at once: kernels of two widths, with and without forgetting, and tables of
        cells for single features and pairs of them. Predictions are a combination that follows the best, and changes of
        the error are reported in `drift_`. With False, or if algorithm, kernel, gamma, loss, half_life or a budget in
        bytes is given, there is a single model. See docs/guide/streams.md.
    scale : "auto" or None, default "auto"
        "auto" divides every feature by its running standard deviation; what the model has stored is converted when that
        changes. A feature that only rises, such as a row number or a clock, is ignored, with a warning. None takes
        features as they are.
    warm_up : int, default 128
        The number of first rows that gamma and the scale of targets are estimated from; the model learns and predicts
        meanwhile.
    scale_target : bool, default True
        Whether to standardise the targets. Not needed with `preprocessing.TargetStandardScaler`.
    dtype : "float32" or "float64", default "float32"
        Precision of support vectors and kernel values: "float32" or "float64".
    seed : int or None, default None
        Random seed, for recipes that draw random numbers.

    See Also
    --------
    KernelClassifier : The same for labels.
    kernelstream.KernelRegressor : The same for scikit-learn, with `fit` and prediction intervals.

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.
    .. [2] M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32, 1998.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from kernelstream.river import KernelRegressor
    >>> model = KernelRegressor(budget=50, seed=1)
    >>> result = evaluate.progressive_val_score(datasets.ChickWeights(), model, metrics.MAE())
    >>> bool(result.get() < 24.0)
    True
    """

    _kind = Estimator

    def __init__(
        self,
        algorithm: str | Recipe = "default",
        kernel: str | None = None,
        gamma: float | str | None = None,
        loss: str | None = None,
        lam: float | None = None,
        budget: int | str | None = None,
        half_life: float | str | None = None,
        adapt: bool = True,
        scale: str | None = "auto",
        warm_up: int = 128,
        scale_target: bool = True,
        dtype: str = DEFAULT,
        seed: int | None = None,
    ):
        self.scale_target = scale_target
        super().__init__(algorithm, kernel, gamma, loss, lam, budget, half_life, adapt, scale, warm_up, dtype, seed)
        self._mean, self._scale = 0.0, 1.0

    def predict_one(self, x: Row, **kwargs: Any) -> float:
        """A number; 0 before anything has been learned."""
        if self._model is None:
            return 0.0
        return float(self._scores_one(x)[0]) * self._scale + self._mean

    def predict_many(self, X: Any) -> Any:
        """A number for every row of a data frame, as a series."""
        if self._model is None:
            return as_series(np.zeros(len(X)), None, X)
        return as_series(self._scores_many(X)[:, 0] * self._scale + self._mean, None, X)

    def _estimator(self, seed: int) -> Any:
        return super()._estimator(seed).set_params(scale_target=self.scale_target)

    def _known(self, y: Any) -> float:
        if isinstance(y, Real) and math.isfinite(y):
            return float(y)
        raise ValueError(f"y is {y!r}, which is not a finite number; the model is unchanged.")

    _welcome = _known

    def _begin(self, X: np.ndarray, targets: list[float]) -> Model:
        estimator = self._initialized(X, np.array(targets))
        self._mean, self._scale = float(estimator.target_mean_[0]), float(estimator.target_scale_[0])
        model: Model = estimator.model_
        return model

    def _begin_adaptive(self, width: int) -> AdaptiveModel:
        return self._adaptive(width, 0)

    def _grow(self, model: Model | AdaptiveModel, width: int, row: np.ndarray) -> Model | AdaptiveModel:
        if isinstance(model, AdaptiveModel):
            return model.expand(width, 1, row, list(self._features.columns))
        return model.expand(self._estimator(0).resolve_recipe(), width, np.eye(1))

    def _learn_row(self, model: Model | AdaptiveModel, row: np.ndarray, target: float, w: float) -> None:
        model.learn_one(row, (target - self._mean) / self._scale, w)
