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
    algorithm : str or Recipe, default "default"
        The name of a recipe (see `kernelstream.recipes.RECIPES`), `module:name`, or a `Recipe`. "default" is budgeted
        SGD with support-vector merging, followed by a second-order refit of the coefficients.
    kernel : str, Kernel, function or None, default None
        "rbf" or "gaussian", "poly" or "polynomial" (of degree 3, with coef0=1), "laplacian", "linear", "cauchy",
        "matern32", "matern52", "rational_quadratic"; a `Kernel`, such as `Polynomial(degree=2)`; or a function of two
        vectors that numba can compile. None, the default, is a Gaussian, which suits most data, with scales and width
        from the data. There is no "sigmoid": it is not positive definite.
    gamma : float, "scale", "auto" or None, default None
        The kernel's gamma. "scale" is 1 / (features × variance), as in scikit-learn; "auto" uses the 20th percentile of
        the distances between rows. None, the default, lets `fit` choose (see `tune`) and is "scale" where it does not.
    loss : str, Loss or None, default None
        "squared", "absolute", "epsilon_insensitive", "huber", "quantile", or a `Loss` of numbers. None is `Huber(1.0)`,
        as accurate as the squared loss, and stable with the long first steps of some recipes because its gradient is
        bounded. Use `EpsilonInsensitive` for fewer support vectors.
    lam : float or None, default None
        Regularisation λ, for recipes that have one. None, the default, lets `fit` choose (see `tune`), and is the
        recipe's own where it does not.
    budget : int, str, Budget or None, default None
        The number of support vectors, or a size ("64 KiB"), for recipes that have a budget. None is the recipe's
        own: 500 for "default", close to an SVM without a budget on most data; in a stream that is adapted to, 600 for
        all models together.
    deploy : str or None, default None
        The size that the exported model may have, instead of a budget: "64 KiB" is for the tables of a C header, in
        float32 or int8, and "onnx: 64 KiB" for an ONNX file. `fit` then learns the most accurate model it finds
        within that size; `deploy_` describes it. For `fit` only, and algorithms with a budget. See
        docs/guide/export.md.
    half_life : float, "auto" or None, default None
        For data that drifts: the weight of an example halves every `half_life` examples. None, the
        default, weights all alike, because rows in memory mostly do not drift. With a half-life, `fit` learns the rows
        in their order, the oldest first. "auto" mixes models with several memories, as `adapt` does, also in `fit`, and
        also if gamma is given.
    adapt : bool, default True
        Whether `partial_fit` learns with several models at once, if nothing but a number is said about the model (no
        algorithm, kernel, gamma, loss, half_life or budget in bytes), rows are not sparse and there is one output:
        kernels of two widths, with and without forgetting, and tables of cells for single features and pairs of them.
        Predictions are a combination that follows the best when the stream drifts, as well as the level and the
        deviation of the targets; changes of the error are listed in `drift_`. With False a single model learns, as in
        `fit`; only that has support vectors of its own. See docs/guide/streams.md.
    scale : "auto" or None, default "auto"
        With "auto", a model that adapts divides features by their running standard deviations; a single model that does
        not `tune` takes features as they are, and warns if their deviations differ by a factor of more than 100. None
        takes them as they are without a warning.
    tune : bool, default True
        Whether `fit` chooses the scale of every feature, ranks beside skewed features, and λ, if neither algorithm,
        kernel, gamma nor half_life is given and there are 100 rows or more, not sparse: by descent on at most 10,000
        rows, judged on held-out ones, which takes up to a few seconds. The usual width stands unless another is surely
        better. With at least 4,000 rows, columns may bend too. See docs/guide/tuning.md.
    epochs : int or "auto", default "auto"
        Passes of `fit` over the rows; "auto" is 1 for 50,000 rows or more, and up to 20 for fewer: after
        50,000 examples another pass gains little.
    shuffle : bool, default True
        Whether `fit` shuffles the rows before every pass, as it does by default: rows that are sorted, by their target
        for instance, would be learned badly.
    dtype : "float32" or "float64", default "float32"
        Precision of support vectors and kernel values; coefficients are always float64. float32, the
        default, takes half of the memory.
    n_jobs : int or None, default None
        Threads of `fit` and `predict`: −1 is all cores. None is all cores too (or OMP_NUM_THREADS), for what has the
        same result with any number of them. A number of yours also divides the rows and the budget of the first pass
        among the threads, if there are 50,000 rows and 500 support vectors for each: that is faster, and the model
        depends on the number. See docs/guide/tuning.md.
    progress : bool, default False
        Show a progress bar during `fit`; needs `pip install "kernelstream[progress]"`.
    random_state : int, RandomState or None, default None
        Random seed of the order of rows and of recipes that draw random numbers.
    scale_target : bool, default True
        Whether to standardise the targets, as by default, so that steps and λ mean the same in all units. Mean and
        deviation are estimated from the rows of `fit`, or of the first `partial_fit` or `initialize`, and then fixed:
        start a stream with some hundred rows, not with one.

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

    See Also
    --------
    KernelClassifier : The same for labels.
    kernelstream.river.KernelRegressor : The same for River, one row at a time.
    StreamPipeline : A regressor with the preparation of raw rows.
    kernelstream.recipes : The algorithms.
    kernelstream.losses.Quantile : A loss for quantiles.

    Notes
    -----
    With budgets below about 100, projection is more accurate in regression than the merging of "default":
    `algorithm=recipes.bsgd(loss=Huber(), maintenance="project", offset=2.0)`.

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.
    .. [2] A. Radhakrishnan, D. Beaglehole, P. Pandit and M. Belkin. Mechanism for feature learning in neural networks
           and backpropagation-free machine learning models. Science 383, 2024.
    .. [3] J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani and L. Wasserman. Distribution-free predictive inference for
           regression. JASA 113, 2018.

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
