"""Test-then-train of one batch, for a `Model`, our estimators, and scikit-learn's with `partial_fit`."""

from typing import Any, Protocol

import numpy as np
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ..estimators import KernelClassifier, KernelRegressor
from ..model import Model
from ..tracking import AdaptiveModel


class Learner(Protocol):
    """What prequential evaluation needs of a model."""

    metric: str  # the usual one for its targets

    @property
    def ready(self) -> bool:
        """Whether it can predict yet."""

    def test_then_train(self, X: Any, y: Any) -> np.ndarray | None:
        """Predict a batch, then learn it. Returns the predictions; None if it cannot predict yet."""

    def truth(self, y: Any) -> np.ndarray:
        """Targets, encoded like predictions."""

    def size(self) -> tuple[int | None, int | None]:
        """Support vectors and bytes, if known."""


class ModelLearner:
    """A `Model`; its targets are encoded as its loss expects."""

    ready = True

    def __init__(self, model: Model):
        self.model = model
        self.target = model.recipe.loss.target
        self.metric = "rmse" if self.target == "values" else "accuracy"

    def test_then_train(self, X: Any, y: Any) -> np.ndarray | None:
        predicted = self._predict(X)
        if X.shape[0] == 1 and not issparse(X):
            self.model.learn_one(X[0], y[0])
        else:
            self.model.learn_many(X, y)
        return predicted

    def _predict(self, X: Any) -> np.ndarray:
        one = X.shape[0] == 1 and not issparse(X)
        f = self.model.scores_one(X[0])[None] if one else self.model.scores_many(X)
        if self.target == "values":
            return f
        if f.shape[1] == 1:
            return np.where(f[:, 0] > 0.0, 1.0, -1.0)
        return f.argmax(axis=1).astype(np.float64)

    def truth(self, y: Any) -> np.ndarray:
        Y = np.asarray(y, np.float64).reshape(len(y), -1)
        if self.target == "values":
            return Y
        # among several signs, the index of +1 is the class
        return Y[:, 0] if Y.shape[1] == 1 else Y.argmax(axis=1).astype(np.float64)

    def size(self) -> tuple[int | None, int | None]:
        return self.model.n_support, self.model.nbytes


class EstimatorLearner:
    """An estimator with `partial_fit` and `predict`; the size of ours is known."""

    def __init__(self, estimator: Any, classes: Any):
        self.estimator = estimator
        self.ready = _is_fitted(estimator)
        classifies = is_classifier(estimator)
        self.metric = "accuracy" if classifies else "rmse"
        self.first = {"classes": classes} if classifies and not self.ready else {}
        if classifies and not self.ready and classes is None:
            raise ValueError(
                f"{type(estimator).__name__} is not fitted, so its classes must be given: progressive(…, classes=[…])."
            )

    def test_then_train(self, X: Any, y: Any) -> np.ndarray | None:
        if self.ready and isinstance(self.estimator, KernelClassifier | KernelRegressor):
            return self.estimator.predict_then_learn(X, y)  # scores the rows once
        predicted = np.asarray(self.estimator.predict(X)) if self.ready else None
        self.estimator.partial_fit(X, y, **self.first)
        self.ready, self.first = True, {}
        return predicted

    def truth(self, y: Any) -> np.ndarray:
        return np.asarray(y)

    def size(self) -> tuple[int | None, int | None]:
        model = getattr(self.estimator, "model_", None)
        return (model.n_support, model.nbytes) if isinstance(model, Model | AdaptiveModel) else (None, None)


def _is_fitted(estimator: Any) -> bool:
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def as_learner(model: Any, classes: Any = None) -> Learner:
    """A model or an estimator as a `Learner`; `classes` are all labels, for an unfitted classifier.

    Parameters
    ----------
    model : Model or estimator
        A model of this library, or an estimator with `partial_fit`.
    classes : array or None, default None
        All labels, for an unfitted classifier.
    """
    if isinstance(model, Model):
        return ModelLearner(model)
    if not hasattr(model, "partial_fit") or not hasattr(model, "predict"):
        raise ValueError(f"{model!r} is neither a Model nor an estimator with partial_fit and predict.")
    return EstimatorLearner(model, classes)
