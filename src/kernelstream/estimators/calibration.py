"""Probabilities from scores of any loss: one number, fitted on rows that were scored before they were learned."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

MOST = 512  # scores remembered
LEAST = 32  # fewer tell nothing


def probabilities(scores: np.ndarray, slope: float) -> np.ndarray:
    """Class probabilities (n, classes), the most probable class that of the highest score.

    >>> probabilities(np.array([[0.0], [2.0]]), 1.0).round(2)
    array([[0.5 , 0.5 ],
           [0.12, 0.88]])
    """
    found: np.ndarray = softmax(slope * _logits(scores), axis=1)
    return found


def _logits(scores: np.ndarray) -> np.ndarray:
    return np.column_stack([np.zeros(len(scores)), scores[:, 0]]) if scores.shape[1] == 1 else scores


class Calibration:
    """The latest scores with the class that each should have named, and the slope that makes them probabilities.

    There is no shift beside the slope: the most probable class is always the predicted one.
    """

    def __init__(self, scores: np.ndarray | None = None, index: np.ndarray | None = None, prior: float = 1.0):
        self.scores = np.empty((0, 1)) if scores is None else scores
        self.index = np.empty(0, np.int64) if index is None else index
        self.prior = prior  # the slope while there are few scores
        self._slope: float | None = None

    def joined(self, scores: np.ndarray, index: np.ndarray) -> "Calibration":
        """With more scores, of rows that had not been learned, and the index of their class."""
        if len(self.index):
            scores, index = np.concatenate([self.scores, scores]), np.concatenate([self.index, index])
        return Calibration(scores[-MOST:], index[-MOST:], self.prior)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.slope == other.slope

    __hash__ = None  # type: ignore[assignment]

    @property
    def full(self) -> bool:
        return len(self.index) >= MOST

    @property
    def slope(self) -> float:
        """What the scores are multiplied by."""
        if len(self.index) < LEAST:
            return self.prior
        if self._slope is None:
            self._slope = _fitted(_logits(self.scores), self.index)
        return self._slope


def _fitted(logits: np.ndarray, index: np.ndarray) -> float:
    """The slope of the highest likelihood. Twice 1/(n + 2) of doubt, as Platt has it, keeps it finite on clean data."""
    rows, classes = logits.shape
    target = np.full(logits.shape, 1.0 / (rows + 2) / max(classes - 1, 1))
    target[np.arange(rows), index] = (rows + 1.0) / (rows + 2.0)
    spread = max(float(np.abs(logits - logits.mean(axis=1, keepdims=True)).mean()), 1e-12)

    def cost(log_slope: float) -> float:
        return -float(np.sum(target * log_softmax(np.exp(log_slope) / spread * logits, axis=1)))

    found = minimize_scalar(cost, bounds=(-7.0, 7.0), method="bounded")
    return float(np.exp(found.x) / spread)
