"""What the scores of an exported function are for: labels and probabilities, regression, or scores only."""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from ..estimators import KernelClassifier
from ..estimators.calibration import logits
from ..model import Model
from .kernel_model import KernelModel


class ScoreTask(NamedTuple):
    """The scores are the result."""


class RegressionTask(NamedTuple):
    """The scores are predictions of a regressor."""


class ClassificationTask(NamedTuple):
    """The label with the highest score; two classes have one score, positive for the second. Probabilities are
    softmax(factor · scores)."""

    labels: np.ndarray
    factor: float

    @property
    def size(self) -> int:
        return len(self.labels)

    @staticmethod
    def winners(scores: np.ndarray) -> np.ndarray:
        """The index of the predicted class for each row of scores, if there are two classes or more."""
        found: np.ndarray = scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1)
        return found


PredictionTask = ScoreTask | RegressionTask | ClassificationTask


def classification_task(estimator: KernelClassifier, source: KernelModel) -> ClassificationTask:
    """Labels as int64, float64 or strings, and the factor of `predict_proba`."""
    factor = _factor(estimator, source.model) if source.best is None else source.best.factor
    return ClassificationTask(_labels(estimator.classes_), factor)


def _labels(classes: np.ndarray) -> np.ndarray:
    listed = classes.tolist()
    if all(isinstance(label, str) for label in listed):
        return np.array(listed, str)
    if all(isinstance(label, (bool, int, float)) for label in listed):
        numbers = np.array(listed, np.float64)
        whole = (numbers == np.floor(numbers)).all() and (np.abs(numbers) < 2.0**53).all()
        return numbers.astype(np.int64) if whole else numbers
    raise ValueError(f"The labels {listed} cannot be exported: they must be all numbers or all strings.")


def _factor(estimator: KernelClassifier, model: Model) -> float:
    loss, outputs = model.recipe.loss, model.n_outputs
    trial = np.linspace(-3.0, 3.0, 5 * outputs).reshape(5, outputs) ** 3
    found = loss.probabilities(trial)
    if found is None:
        return float(estimator.calibration_.factor)
    if found.shape == logits(trial).shape and np.allclose(found, softmax(logits(trial), axis=1)):
        return 1.0
    raise ValueError(f"The loss {loss!r} has its own rule for probabilities, which cannot be exported.")
