"""`KernelClassifier`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ..budgets import Budget
from ..core.precision import DEFAULT
from ..losses import Loss
from ..model import Model
from ..model.targets import new_outputs
from ..recipe import Recipe
from ..recipes import RECIPES
from ..tracking import AdaptiveModel
from . import labels
from .base import KernelEstimator
from .calibration import Calibration
from .class_weights import weighted
from .fitted import model_of
from .resolution import KernelChoice
from .validated_rows import unchanged_on_error

CALIBRATED = 512  # rows of a call whose scores are remembered


class KernelClassifier(ClassifierMixin, KernelEstimator):
    """Kernel classifier that learns from rows in memory or from a stream, within a budget of support vectors.

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
        "hinge", "squared_hinge", "logistic", "exponential", "crammer_singer", "multinomial", or a `Loss`. None, the
        default, is the recipe's own: mostly the hinge loss, with which rows far from the boundary need no update. With
        more than two classes "hinge" becomes "crammer_singer", "logistic" becomes "multinomial", and other losses take
        one class against the rest.
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
        algorithm, kernel, gamma, loss, half_life or budget in bytes) and rows are not sparse: kernels of two widths,
        with and without forgetting, and tables of cells for single features and pairs of them. Predictions are a
        mixture that follows the best when the stream drifts, and changes of the error rate are listed in `drift_`.
        With False a single model learns, as in `fit`; only that has support vectors of its own. See
        docs/guide/streams.md.
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
        Whether `fit` shuffles the rows before every pass, as it does by default: rows that are sorted, by their label
        for instance, would be learned badly.
    class_weight : dict, "balanced" or None, default None
        Weights of the classes, which multiply those of rows; labels that a dict leaves out have 1. "balanced" weights
        classes by the inverse of their frequency, in `partial_fit` of that so far.
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

    Attributes
    ----------
    classes_ : array
        The labels in order; those that `add_classes` has added come last.
    class_counts_ : array
        The weight of the rows of each class so far, before `class_weight`.
    feature_map_ : FeatureMap or None
        The scales of features that `fit` has chosen; None if they are as they were. The model, and so
        `support_vectors_`, has rows `feature_map_.transform(X)`.
    deploy_ : Deployment or None
        With `deploy`: format, type of the tables, limit and size in bytes, and the accuracy (of a regressor R²) of the
        exported function, rounded as it is, on training rows that were held out.
    gamma_, lam_ : float
        The kernel's gamma, in the units of the model, and λ.
    calibration_ : Calibration
        What makes probabilities of scores, for losses that have none of their own.
    model_ : Model or AdaptiveModel
        The model behind the estimator, with fast methods for single rows.
    record_ : Record
        Statistics of the run.
    n_support_, support_vectors_, dual_coef_
        The function that predicts, of a single model.
    drift_ : list of DriftEvent
        Changes of the error rate of a stream that chance does not explain.
    feature_relevance_ : array of shape (features,)
        How much each feature matters to the predictions, see `kernelstream.feature_relevance`.
    n_iter_, t_ : int
        Passes (each partial_fit counts as one) and updates.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    KernelRegressor : The same for numbers.
    kernelstream.river.KernelClassifier : The same for River, one row at a time.
    StreamPipeline : A classifier with the preparation of raw rows.
    kernelstream.recipes : The algorithms.
    merge : One model of several.

    Notes
    -----
    Parameters of kernels, losses and recipes can be set by name too, for instance in GridSearchCV: `kernel__gamma`,
    `algorithm__budget`, `algorithm__kernel__gamma`.

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.
    .. [2] A. Radhakrishnan, D. Beaglehole, P. Pandit and M. Belkin. Mechanism for feature learning in neural networks
           and backpropagation-free machine learning models. Science 383, 2024.
    .. [3] M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32, 1998.

    Examples
    --------
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(5000, seed=1)
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=1).fit(X, y)
    >>> model.n_support_
    50
    >>> round(model.score(*checkerboard(1000, seed=2)), 2)
    0.99
    """

    _parameter_constraints: ClassVar[dict[str, list]] = {
        **KernelEstimator._parameter_constraints,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    target_kinds = ("signs", "class")
    _suitable = (
        "'hinge', 'squared_hinge', 'logistic', 'exponential', 'crammer_singer', 'multinomial' or your own for labels"
    )

    classes_: np.ndarray
    class_counts_: np.ndarray
    calibration_: Calibration

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
        class_weight: dict[Any, float] | str | None = None,
        dtype: str = DEFAULT,
        n_jobs: int | None = None,
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ):
        super().__init__(
            algorithm, kernel=kernel, gamma=gamma, loss=loss, lam=lam, budget=budget, deploy=deploy,
            half_life=half_life, adapt=adapt, scale=scale, tune=tune, epochs=epochs, shuffle=shuffle, dtype=dtype,
            n_jobs=n_jobs,
            progress=progress, random_state=random_state,
        )  # fmt: skip
        self.class_weight = class_weight

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn rows in order, in one pass. The first call starts a new model.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. A bad row or unknown label raises a ValueError that names it, and nothing is learned.
        classes : array or None
            All labels of the stream; required in the first call, then None or the same.
        """
        self._validate_params()
        given = None if classes is None else np.unique(classes)
        if not hasattr(self, "model_"):
            if given is None:
                raise ValueError("classes must be passed on the first call to partial_fit: all labels of the stream.")
        elif given is not None and not np.array_equal(given, np.sort(self.classes_)):
            raise ValueError(
                f"classes is {given.tolist()}, but the model has {self.classes_.tolist()}; they cannot change."
            )
        return self._learn_on(X, y, sample_weight, given)

    def add_classes(self, classes: Any) -> Self:
        """Learn these labels too from now on. They come after those of `classes_`, and are predicted nowhere at
        first; other predictions hardly change.

        A loss of two classes becomes one of several, and functions may be compiled for that. Recipes for two classes
        only raise a ValueError, and the model is unchanged.
        """
        model = model_of(self)
        new = self._check_targets(np.asarray(classes))
        new = np.array([label for label in new.tolist() if label not in self.classes_.tolist()], new.dtype)
        grown = np.concatenate([self.classes_, np.unique(new)])
        with self._only_writer(), unchanged_on_error(self):
            recipe = self._recipe_for(len(grown))
            loss = model.recipe.loss if isinstance(model, AdaptiveModel) else recipe.loss
            mix = new_outputs(model.n_outputs, labels.outputs(len(grown), loss), loss.gap)
            if len(mix) > model.n_outputs:
                known = self.calibration_
                scores = known.scores @ mix.T if len(known.index) else None
                self.calibration_ = Calibration(scores, known.index, known.prior)
                if isinstance(model, AdaptiveModel):
                    self.model_ = model.expand(model.n_features, len(mix))
                else:
                    self.model_ = model.expand(recipe, model.n_features, mix)
            if hasattr(self, "class_counts_"):
                self.class_counts_ = np.append(self.class_counts_, np.zeros(len(grown) - len(self.classes_)))
            self.classes_ = grown
        return self

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities, (n, classes)."""
        with np.errstate(divide="ignore"):
            found: np.ndarray = np.log(self.predict_proba(X))
        return found

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores: (n,) for two classes, positive for the second; (n, classes) for more."""
        return labels.decision(self._scores(X), len(self.classes_))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities, (n, classes).

        Losses that are likelihoods define them. For other losses the scores are calibrated: multiplied by one factor,
        fitted by likelihood on rows that were scored before they were learned.
        """
        scores = self._scores(X)
        if len(self.classes_) == 1:
            return np.ones((len(scores), 1))
        found = self.model_.recipe.loss.probabilities(scores)
        return self.calibration_.probabilities(scores) if found is None else found

    def _predictions(self, scores: np.ndarray) -> np.ndarray:
        return labels.winners(labels.decision(scores, len(self.classes_)), self.classes_)

    def _weighted(self, y: np.ndarray, weights: np.ndarray, first: bool) -> np.ndarray:
        index, size = labels.encode(y, self.classes_), len(self.classes_)
        before = np.zeros(size) if first or not hasattr(self, "class_counts_") else self.class_counts_
        self.class_counts_ = before + np.bincount(index, weights, minlength=size)
        return weighted(self.class_weight, weights, index, self.classes_, self.class_counts_)

    def row_weights(self, y: np.ndarray) -> np.ndarray:
        index = labels.encode(y, self.classes_)
        return weighted(self.class_weight, np.ones(len(y)), index, self.classes_, self.class_counts_)

    def _reset_calibration(self) -> None:
        self.calibration_ = Calibration()

    def _calibrate_on(
        self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, scores: np.ndarray | None = None
    ) -> None:
        known = self.calibration_
        if model.n_support == 0 or model.recipe.loss.probabilities(np.zeros((1, 2))) is not None:
            return
        if known.full and len(y) < CALIBRATED and model.record.updates % 8:
            return  # single rows: some of them tell as much as all
        if scores is None:
            with np.errstate(all="ignore"):
                scores = model.scores_many(X[-CALIBRATED:])
        index, scores = labels.encode(y[-CALIBRATED:], self.classes_), scores[-CALIBRATED:]
        fine = np.isfinite(scores).all(axis=1)
        self.calibration_ = known.joined(scores[fine], index[fine])

    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        y = y if y.ndim == 1 else column_or_1d(y, warn=True)
        if y.dtype.kind in "mM":
            raise ValueError(
                f"y is of type {y.dtype}: dates cannot be labels, because they cannot be saved. Convert them to text "
                "or integers; the model is unchanged."
            )
        bad = np.flatnonzero(~np.isfinite(y) if y.dtype.kind == "f" else np.zeros(0))
        if len(bad):
            raise ValueError(f"y contains {y[bad[0]]} at row {bad[0]}, which is not a label; the model is unchanged.")
        return y

    def _begin_targets(self, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None) -> None:
        if classes is None:
            check_classification_targets(y)
        self.classes_ = np.unique(y) if classes is None else classes

    def _n_classes(self) -> int:
        return len(self.classes_)

    def _n_outputs(self, loss: Loss) -> int:
        return labels.outputs(len(self.classes_), loss)

    def _loss_for(self, classes: int) -> Loss:
        loss = super()._loss_for(classes)
        if classes > 2 and self._is_binary():
            raise ValueError(
                f"Only binary classification is supported by algorithm {self.algorithm!r}, and y has {classes} "
                "classes. algorithm='oskl' learns sparse models of more."
            )
        return loss.for_classes(classes) if classes > 2 else loss

    def _translate(self, y: np.ndarray, loss: Loss) -> np.ndarray:
        return labels.targets(labels.encode(y, self.classes_), len(self.classes_), loss)

    def _is_binary(self) -> bool:
        """Whether the algorithm is for two classes only, as far as can be told before its parameters are checked."""
        chosen = self.algorithm
        # module:name of a loaded model is not imported: whoever predicts with it may not have that module
        if isinstance(chosen, str) and chosen in RECIPES:
            return _makes_binary(RECIPES[chosen])
        return isinstance(chosen, Recipe) and chosen.admission.binary

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._is_binary()
        return tags


@lru_cache
def _makes_binary(make: Callable[[], Any]) -> bool:
    """Whether a recipe is for two classes only. scikit-learn asks several times in every call."""
    recipe = make()
    return isinstance(recipe, Recipe) and bool(recipe.admission.binary)
