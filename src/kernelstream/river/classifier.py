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
from ..recipe import Recipe
from ..tracking import BUDGET, DriftEvent, Tracker, models_of
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
    algorithm
        The name of a recipe (see `kernelstream.recipes.RECIPES`), `module:name`, or a `Recipe`, such as
        `recipes.bsgd(maintenance="project")`.
    kernel
        "gaussian", "laplacian", "cauchy", "polynomial", "linear", "matern32", "matern52", "rational_quadratic".
        None is a Gaussian.
    gamma
        The kernel's gamma. None and "scale" are 1 / (features × variance), as in scikit-learn; "auto" uses the 20th
        percentile of distances; both over the rows of the warm-up.
    loss
        "hinge", "squared_hinge", "logistic", "exponential", "crammer_singer", "multinomial". None is the
        recipe's default.
    lam
        Regularisation λ, for recipes that have one.
    budget
        The number of support vectors, or a size ("64 KiB"). None is the recipe's default; with `adapt` 600, of all
        models together.
    half_life
        For a stream that drifts: the weight of an example halves every `half_life` examples. None weights all alike.
    adapt
        Whether to learn with several models at once: kernels of two widths, with and without forgetting, and tables of
        cells for single features and pairs of them. Predictions are a mixture that follows the best, and changes of the
        error rate are reported in `drift_`. With False, or if algorithm, kernel, gamma, loss, half_life or a budget in
        bytes is given, there is a single model. See docs/streams.md.
    scale
        "auto" divides every feature by its running standard deviation; what the model has stored is converted when that
        changes. A feature that only rises, such as a row number or a clock, is ignored, with a warning. None takes
        features as they are.
    warm_up
        The number of first rows that gamma is estimated from; the model learns and predicts meanwhile.
    dtype
        Precision of support vectors and kernel values: "float32" or "float64".
    seed
        Random seed.

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
        half_life: float | None = None,
        adapt: bool = True,
        scale: str | None = "auto",
        warm_up: int = 128,
        dtype: str = DEFAULT,
        seed: int | None = None,
    ):
        self.adapt = adapt
        super().__init__(algorithm, kernel, gamma, loss, lam, budget, half_life, scale, warm_up, dtype, seed)
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
            return max(self._shares, key=self._shares.__getitem__) if self._labels else None
        scores = self._scores_one(x)
        return self._labels[int(scores[0] > 0.0 if len(scores) == 1 else scores[: len(self._labels)].argmax())]

    def predict_proba_one(self, x: Row, **kwargs: Any) -> dict[Any, float]:
        """The probability of every label seen so far.

        Losses that are likelihoods define them. For other losses the scores are calibrated: multiplied by one factor,
        fitted by likelihood on rows that were scored before they were learned.
        """
        if len(self._labels) < 2 or self._model is None:
            return self._shares
        scores = self._scores_one(x)
        if isinstance(self._model, Tracker):
            return self._named(scores.tolist())
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
            return as_frame({label: np.full(len(X), share) for label, share in self._shares.items()}, X)
        scores = self._scores_many(X)
        if isinstance(self._model, Tracker):
            return as_frame(self._named(scores.T, np.ones(len(X))), X)
        return as_frame(dict(zip(self._labels, self._probabilities(scores).T, strict=True)), X)

    @property
    def _shares(self) -> dict[Any, float]:
        """The frequencies of the labels, while there is no model."""
        seen = [target for _, target, _ in self._first or ()]
        count = [1.0] if len(self._labels) == 1 else [float(seen.count(i)) for i in range(len(self._labels))]
        return {label: share / max(sum(count), 1.0) for label, share in zip(self._labels, count, strict=True)}

    def _named(self, found: Any, one: Any = 1.0) -> dict[Any, Any]:
        """Values of the labels that the model knows; those that wait for it have their frequencies."""
        known = min(self._modelled, len(self._labels))
        if known == len(self._labels):
            return dict(zip(self._labels, found[:known], strict=True))
        shares = list(self._shares.values())
        rest = 1.0 - sum(shares[known:])
        values = [*(rest * p for p in found[:known]), *(share * one for share in shares[known:])]
        return dict(zip(self._labels, values, strict=True))

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        if self._calibration is not None:
            return self._calibration.probabilities(scores)
        assert isinstance(self._model, Model)
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

    @property
    def drift_(self) -> list[DriftEvent]:
        """Changes of the error rate that chance does not explain: when, how large, and what was done. Only with
        `adapt`; the latest thousand."""
        return self._model.drift if isinstance(self._model, Tracker) else []

    @property
    def feature_relevance_(self) -> dict[Hashable, float]:
        """The share of each feature in the variation of the tables' scores over about the last thousand rows; sums
        to 1. Only with `adapt`."""
        if not isinstance(self._model, Tracker):
            return {}
        return dict(zip(self._features.columns, self._model.relevance.tolist(), strict=False))

    def _welcome(self, y: Any) -> int:
        found = self._known(y)
        if found is not None:
            return found
        label = y.item() if isinstance(y, np.generic) else y
        self._index, self._labels = {**self._index, label: len(self._index)}, [*self._labels, label]
        return len(self._labels) - 1

    @property
    def _patient(self) -> bool:
        return self._adapts

    @property
    def _adapts(self) -> bool:
        told = self.algorithm != "default" or any(
            v is not None for v in (self.kernel, self.gamma, self.loss, self.half_life)
        )
        return self.adapt and not told and not isinstance(self.budget, str)

    def _begin(self, X: np.ndarray, targets: list[int]) -> "Model | Tracker":
        classes = np.arange(len(self._labels))
        if self._adapts:
            recipe: Recipe = self._estimator(0).resolve_recipe(len(classes))
            recipe = recipe.replace(budget=BUDGET) if self.budget is None else recipe
            self._calibration = None
            self._targets = labels.targets(classes, len(classes), recipe.loss).tolist()
            y, outputs = np.array([self._targets[i] for i in targets]), labels.outputs(len(classes), recipe.loss)
            self._modelled = len(classes)
            return Tracker(models_of(recipe, X, y, outputs, self.dtype, self._drawn))
        model: Model = self._initialized(X, np.array(targets), classes).model_
        self._targets = labels.targets(classes, len(classes), model.recipe.loss).tolist()
        likelihood = model.probabilities(np.zeros((1, 2))) is not None
        self._calibration = None if likelihood else RowCalibration(model.n_outputs)
        return model

    def check_restored(self, models: list[Any]) -> None:
        super().check_restored(models)
        self._index = {label: i for i, label in enumerate(self._labels)}
        if len(self._index) != len(self._labels) or len(self._targets) not in (0, len(self._labels)):
            raise ValueError("its labels are not those of its targets")
        for model in models:
            classes, loss = np.arange(len(self._labels)), model.recipe.loss
            fits = labels.outputs(len(classes), loss) == model.n_outputs
            if not fits or self._targets != labels.targets(classes, len(classes), loss).tolist():
                raise ValueError(f"its models are not for {len(classes)} labels")

    def _grow(self, model: "Model | Tracker", width: int) -> "Model | Tracker":
        classes = np.arange(len(self._labels))
        recipe = self._estimator(0).resolve_recipe(len(classes))
        mix = mixture(model.n_outputs, labels.outputs(len(classes), recipe.loss), recipe.loss.gap)
        self._targets = labels.targets(classes, len(classes), recipe.loss).tolist()
        self._modelled = len(classes)
        if self._calibration is not None and len(mix) != model.n_outputs:
            self._calibration = self._calibration.mixed(mix)
        return model.expand(recipe, width, mix)

    def _learn_row(self, model: "Model | Tracker", row: np.ndarray, raw: np.ndarray, target: int, w: float) -> None:
        if isinstance(model, Tracker):
            model.learn_one(row, raw, target, self._targets[target], w)
            return
        calibration = self._calibration
        scores = model.scores_one(row) if calibration is not None and calibration.due() else None
        model.learn_one(row, self._targets[target], w)
        if calibration is not None:
            calibration.learned(scores, target)


def mixture(before: int, after: int, gap: float) -> np.ndarray:
    """New outputs as linear combinations of the old ones: each class keeps its own, a new one gets the mean, which is
    never the highest.

    >>> mixture(1, 3, gap=1.0).tolist()  # of two classes, the first is where the one score is negative
    [[-0.5], [0.5], [0.0]]
    """
    if before == after:
        return np.eye(before)
    old = np.array([[-0.5 * gap], [0.5 * gap]]) if before == 1 else np.eye(before)
    return np.concatenate([old, np.tile(old.mean(axis=0), (after - len(old), 1))])
