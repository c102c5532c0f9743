"""`KernelClassifier` for River."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from river import base

from ..core.precision import DEFAULT
from ..estimators import KernelClassifier as Estimator
from ..estimators import labels
from ..estimators.calibration import RowCalibration
from ..model import Model
from ..model.targets import new_outputs
from ..recipe import Recipe
from ..tracking import AdaptiveModel
from .frames import as_frame, as_series
from .learner import KernelLearner, Row


class KernelClassifier(KernelLearner, base.MiniBatchClassifier):
    """Kernel classifier for River, within a budget of support vectors.

    Features are scaled inside (see `scale`). New features and new classes may appear at any time: a new feature is 0 in
    everything learned before, and the score of a new class is nowhere the highest at first, so that predictions for
    earlier rows hardly change. Features that have never been learned are ignored in predictions. Feature names are
    stored; if their number is unbounded, put `preprocessing.FeatureHasher(n)` before the model.

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
        "hinge", "squared_hinge", "logistic", "exponential", "crammer_singer", "multinomial". None is the
        recipe's default.
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
        cells for single features and pairs of them. Predictions are a mixture that follows the best, and changes of the
        error rate are reported in `drift_`. With False, or if algorithm, kernel, gamma, loss, half_life or a budget in
        bytes is given, there is a single model. See docs/guide/streams.md.
    scale : "auto" or None, default "auto"
        "auto" divides every feature by its running standard deviation; what the model has stored is converted when that
        changes. A feature that only rises, such as a row number or a clock, is ignored, with a warning. None takes
        features as they are.
    warm_up : int, default 128
        The number of first rows that gamma is estimated from; the model learns and predicts meanwhile.
    dtype : "float32" or "float64", default "float32"
        Precision of support vectors and kernel values: "float32" or "float64".
    seed : int or None, default None
        Random seed, for recipes that draw random numbers.

    See Also
    --------
    KernelRegressor : The same for numbers.
    kernelstream.KernelClassifier : The same for scikit-learn, with `fit`.
    kernelstream.tracking.AdaptiveModel : What learns if nothing is said about the model.

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.
    .. [2] M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32, 1998.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from kernelstream.river import KernelClassifier
    >>> model = KernelClassifier(budget=100, seed=1)
    >>> result = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    >>> bool(result.get() > 0.88)
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
        dtype: str = DEFAULT,
        seed: int | None = None,
    ):
        super().__init__(algorithm, kernel, gamma, loss, lam, budget, half_life, adapt, scale, warm_up, dtype, seed)
        self._index: dict[Hashable, int] = {}  # of every label, in the order in which they came,
        self._labels: list[Any] = []
        self._targets: list[Any] = []  # and what each of them is to the loss
        self._calibration: RowCalibration | None = None  # none where the loss is a likelihood

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: Row, **kwargs: Any) -> Any:
        """The label with the highest score; None before anything has been learned."""
        if len(self._labels) < 2 or self._model is None:
            return self._labels[0] if self._labels else None
        scores = self._scores_one(x)
        return self._labels[int(scores[0] > 0.0 if len(scores) == 1 else scores[: len(self._labels)].argmax())]

    def predict_proba_one(self, x: Row, **kwargs: Any) -> dict[Any, float]:
        """The probability of every label seen so far.

        Losses that are likelihoods define them. For other losses the scores are calibrated: multiplied by one factor,
        fitted by likelihood on rows that were scored before they were learned.
        """
        if len(self._labels) < 2 or self._model is None:
            return dict.fromkeys(self._labels, 1.0)
        if isinstance(self._model, AdaptiveModel):
            return dict(zip(self._labels, self._model.probabilities_one(self._scored(x)).tolist(), strict=True))
        scores = self._scores_one(x)
        if self._calibration is None:
            found = self._probabilities(scores[None])[0].tolist()
        else:
            found = self._calibration.probabilities_one(scores)
        return dict(zip(self._labels, found, strict=True))

    def predict_many(self, X: Any) -> Any:
        """The label of every row of a data frame, as a series."""
        if len(self._labels) < 2 or self._model is None:
            return as_series([self.predict_one({})] * len(X), None, X)
        scores = self._scores_many(X)
        best = scores[:, 0] > 0.0 if scores.shape[1] == 1 else scores[:, : len(self._labels)].argmax(axis=1)
        return as_series([self._labels[i] for i in best.astype(np.intp).tolist()], None, X)

    def predict_proba_many(self, X: Any) -> Any:
        """The probability of every label seen so far, one column each, for the rows of a data frame."""
        if len(self._labels) < 2 or self._model is None:
            return as_frame({label: np.ones(len(X)) for label in self._labels}, X)
        found = self._probabilities(self._scores_many(X))
        return as_frame(dict(zip(self._labels, found.T, strict=True)), X)

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        if self._calibration is not None:
            return self._calibration.probabilities(scores)
        assert self._model is not None
        found = self._model.probabilities(scores)
        assert found is not None
        return found

    def _known(self, y: Any) -> int | None:
        try:
            found = self._index.get(y)
            if found is None and (y is None or y != y):
                raise TypeError
        except TypeError:  # of what cannot be hashed, and of pandas' NA
            raise ValueError(f"y is {y!r}, which is not a label; the model is unchanged.") from None
        return found

    def _welcome(self, y: Any) -> int:
        found = self._known(y)
        if found is not None:
            return found
        label = y.item() if isinstance(y, np.generic) else y
        self._index, self._labels = {**self._index, label: len(self._index)}, [*self._labels, label]
        return len(self._labels) - 1

    def _begin_adaptive(self, width: int) -> AdaptiveModel:
        model = self._adaptive(width, 2)
        self._follow(model)
        return model

    def _begin(self, X: np.ndarray, targets: list[int]) -> Model:
        classes = np.arange(len(self._labels))
        model: Model = self._initialized(X, np.array(targets), classes).model_
        self._follow(model)
        return model

    def _follow(self, model: Model | AdaptiveModel) -> None:
        """Targets and calibration for a new model."""
        classes = np.arange(max(len(self._labels), 1))
        self._targets = labels.targets(classes, len(classes), model.recipe.loss).tolist()
        likelihood = model.recipe.loss.probabilities(np.zeros((1, 2))) is not None
        self._calibration = None if likelihood else RowCalibration(model.n_outputs)

    def check_restored(self, model: Model | AdaptiveModel) -> None:
        super().check_restored(model)
        self._index = {label: i for i, label in enumerate(self._labels)}
        if len(self._index) != len(self._labels) or len(self._targets) != len(self._labels):
            raise ValueError("its labels are not those of its targets")
        classes, loss = np.arange(len(self._labels)), model.recipe.loss
        fits = labels.outputs(len(classes), loss) == model.n_outputs
        if not fits or self._targets != labels.targets(classes, len(classes), loss).tolist():
            raise ValueError(f"its model is not for {len(classes)} labels")

    def _grow(self, model: Model | AdaptiveModel, width: int, row: np.ndarray) -> Model | AdaptiveModel:
        classes = np.arange(len(self._labels))
        recipe = self._estimator(0).resolve_recipe(len(classes))
        loss = model.recipe.loss if isinstance(model, AdaptiveModel) else recipe.loss
        mix = new_outputs(model.n_outputs, labels.outputs(len(classes), loss), loss.gap)
        self._targets = labels.targets(classes, len(classes), loss).tolist()
        if self._calibration is not None and len(mix) != model.n_outputs:
            self._calibration = self._calibration.mixed(mix)
        if isinstance(model, AdaptiveModel):
            return model.expand(width, len(mix), row, list(self._features.columns))
        return model.expand(recipe, width, mix)

    def _learn_row(self, model: Model | AdaptiveModel, row: np.ndarray, target: int, w: float) -> None:
        calibration = self._calibration
        scores = model.scores_one(row) if calibration is not None and calibration.due() else None
        model.learn_one(row, self._targets[target], w)
        if calibration is not None:
            calibration.learned(scores, target)
