"""What the scores of a function mean: labels and probabilities, numbers, or nothing more than scores."""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from ..estimators import KernelClassifier
from ..estimators.calibration import logits
from ..losses import Loss


class Scores(NamedTuple):
    """The scores themselves."""


class Numbers(NamedTuple):
    """Predictions of a regressor."""


class Classes(NamedTuple):
    """The label of the highest score, where two classes share one score, positive for the second; probabilities are
    softmax(factor · scores)."""

    labels: np.ndarray
    factor: float

    @property
    def size(self) -> int:
        return len(self.labels)

    @staticmethod
    def winners(scores: np.ndarray) -> np.ndarray:
        """The index of the class that each row of scores stands for, where there are two or more."""
        found: np.ndarray = scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1)
        return found


Answer = Scores | Numbers | Classes


def classes_of(estimator: KernelClassifier) -> Classes:
    """Labels as int64, float64 or strings; and the factor that predict_proba has."""
    return Classes(_labels(estimator.classes_), _factor(estimator))


def _labels(classes: np.ndarray) -> np.ndarray:
    listed = classes.tolist()
    if all(isinstance(label, str) for label in listed):
        return np.array(listed, str)
    if all(isinstance(label, (bool, int, float)) for label in listed):
        numbers = np.array(listed, np.float64)
        whole = (numbers == np.floor(numbers)).all() and (np.abs(numbers) < 2.0**53).all()
        return numbers.astype(np.int64) if whole else numbers
    raise ValueError(f"The labels {listed} are neither all numbers nor all strings, so they cannot be exported.")


def _factor(estimator: KernelClassifier) -> float:
    loss, outputs = estimator.model_.recipe.loss, estimator.model_.n_outputs
    trial = np.linspace(-3.0, 3.0, 5 * outputs).reshape(5, outputs) ** 3
    found = loss.probabilities(trial)
    if found is None:
        return float(estimator.calibration_.factor)
    if found.shape == logits(trial).shape and np.allclose(found, softmax(logits(trial), axis=1)):
        return 1.0
    raise ValueError(f"{_name(loss)} makes probabilities of scores by a rule of its own, which cannot be exported.")


def _name(loss: Loss) -> str:
    return f"The loss {loss!r}"
