"""Whoever learns and predicts, under one face: a `Model`, one of our estimators, or one of scikit-learn's."""

from typing import Any, Protocol

import numpy as np
from scipy.sparse import issparse

from ..model import Model


class Learner(Protocol):
    """What an evaluation asks for."""

    metric: str  # the usual one for such targets

    @property
    def ready(self) -> bool:
        """Whether it can predict yet."""

    def predict(self, X: Any) -> np.ndarray: ...

    def truth(self, y: Any) -> np.ndarray:
        """Targets in the form of predictions."""

    def learn(self, X: Any, y: Any) -> None: ...

    def size(self) -> tuple[int | None, int | None]:
        """Support vectors and bytes, where they are known."""


class ModelLearner:
    """A `Model`; its targets are those of its loss."""

    ready = True

    def __init__(self, model: Model):
        self.model = model
        self.target = model.recipe.loss.target
        self.metric = "rmse" if self.target == "values" else "accuracy"

    def predict(self, X: Any) -> np.ndarray:
        one = X.shape[0] == 1 and not issparse(X)
        f = self.model.predict_one(X[0])[None] if one else self.model.predict_many(X)
        if self.target == "values":
            return f
        if f.shape[1] == 1:
            return np.where(f[:, 0] > 0.0, 1.0, -1.0)
        return f.argmax(axis=1).astype(np.float64)

    def truth(self, y: Any) -> np.ndarray:
        Y = np.asarray(y, np.float64).reshape(len(y), -1)
        if self.target == "values":
            return Y
        # of several signs the one that is +1 names the class
        return Y[:, 0] if Y.shape[1] == 1 else Y.argmax(axis=1).astype(np.float64)

    def learn(self, X: Any, y: Any) -> None:
        if X.shape[0] == 1 and not issparse(X):
            self.model.learn_one(X[0], y[0])
        else:
            self.model.learn_many(X, y)

    def size(self) -> tuple[int | None, int | None]:
        return self.model.n_support, self.model.nbytes


class EstimatorLearner:
    """An estimator with partial_fit and predict; where it has a `model_` of ours, its size is known."""

    def __init__(self, estimator: Any, classes: Any):
        from sklearn.base import is_classifier

        self.estimator = estimator
        self.ready = _is_fitted(estimator)
        classifies = is_classifier(estimator)
        self.metric = "accuracy" if classifies else "rmse"
        self.first = {"classes": classes} if classifies and not self.ready else {}
        if classifies and not self.ready and classes is None:
            raise ValueError(
                f"{type(estimator).__name__} has not learned anything yet, so it must be told the classes to come: "
                "progressive(…, classes=[…])."
            )

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator.predict(X))

    def truth(self, y: Any) -> np.ndarray:
        return np.asarray(y)

    def learn(self, X: Any, y: Any) -> None:
        self.estimator.partial_fit(X, y, **self.first)
        self.ready, self.first = True, {}

    def size(self) -> tuple[int | None, int | None]:
        model = getattr(self.estimator, "model_", None)
        return (model.n_support, model.nbytes) if isinstance(model, Model) else (None, None)


def _is_fitted(estimator: Any) -> bool:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def as_learner(model: Any, classes: Any) -> Learner:
    if isinstance(model, Model):
        return ModelLearner(model)
    if not hasattr(model, "partial_fit") or not hasattr(model, "predict"):
        raise ValueError(f"{model!r} is neither a Model nor an estimator with partial_fit and predict.")
    return EstimatorLearner(model, classes)
