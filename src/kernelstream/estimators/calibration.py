"""Probabilities from scores of any loss: one factor, fitted on rows that were scored before they were learned.

`Calibration` is what `fit` and `partial_fit` keep, `RowCalibration` the same for streams of single rows. Both give
`probabilities`; another kind of calibration, isotonic say, would be a class with the methods of these.
"""

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

MOST = 512  # scores remembered
LEAST = 32  # with fewer scores, no factor is fitted
SOME = 8  # once the buffer is full, one row in 8 is scored
SELDOM = 2048  # no more rows than that between two fits for single rows


def logits(scores: np.ndarray) -> np.ndarray:
    """One column per class: a single score is that of the second class, the first has 0."""
    return np.column_stack([np.zeros(len(scores)), scores[:, 0]]) if scores.shape[1] == 1 else scores


class Calibration:
    """The latest scores, each with the index of its true class, and the factor that makes probabilities of them.

    Probabilities are softmax(factor · logits(scores)). There is no shift beside the factor: the most probable class is
    always the predicted one.

    >>> Calibration(prior=1.0).probabilities(np.array([[0.0], [2.0]])).round(2)
    array([[0.5 , 0.5 ],
           [0.12, 0.88]])
    """

    def __init__(self, scores: np.ndarray | None = None, index: np.ndarray | None = None, prior: float = 1.0):
        self.scores = np.empty((0, 1)) if scores is None else scores
        self.index = np.empty(0, np.int64) if index is None else index
        self.prior = prior  # the factor while there are few scores
        self._factor: float | None = None

    def joined(self, scores: np.ndarray, index: np.ndarray) -> "Calibration":
        """With more scores, of rows that had not been learned, and the indices of their classes."""
        if len(self.index):
            scores, index = np.concatenate([self.scores, scores]), np.concatenate([self.index, index])
        return Calibration(scores[-MOST:], index[-MOST:], self.prior)

    @classmethod
    def pooled(cls, known: Sequence["Calibration"], shares: np.ndarray | None = None) -> "Calibration":
        """Combine several calibrations: pool their latest scores or, with `shares` (if their classes differ, so that
        scores cannot be pooled), average their factors."""
        if shares is not None:
            return cls(prior=float(np.dot(shares, [one.factor for one in known])))
        room = max(MOST // len(known), 1)
        pool = cls(prior=float(np.mean([one.prior for one in known])))
        for one in known:
            if len(one.index):
                pool = pool.joined(one.scores[-room:], one.index[-room:])
        return pool

    def condensed(self) -> "Calibration":
        """The same factor without the scores."""
        return Calibration(prior=self.factor)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Class probabilities, (n, classes)."""
        found: np.ndarray = softmax(self.factor * logits(scores), axis=1)
        return found

    def __repr__(self) -> str:
        return f"Calibration(factor={self.factor:.4g}, rows={len(self.index)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.factor == other.factor

    __hash__ = None  # type: ignore[assignment]

    @property
    def full(self) -> bool:
        return len(self.index) >= MOST

    @property
    def factor(self) -> float:
        """What the scores are multiplied by."""
        if len(self.index) < LEAST:
            return self.prior
        if self._factor is None:
            self._factor = _fitted(logits(self.scores), self.index)
        return self._factor


def _fitted(logits: np.ndarray, index: np.ndarray) -> float:
    """The factor of the highest likelihood. Twice 1/(n + 2) of doubt, as in Platt's method, keeps it finite."""
    rows, classes = logits.shape
    target = np.full(logits.shape, 1.0 / (rows + 2) / max(classes - 1, 1))
    target[np.arange(rows), index] = (rows + 1.0) / (rows + 2.0)
    spread = max(float(np.abs(logits - logits.mean(axis=1, keepdims=True)).mean()), 1e-12)

    def cost(log_factor: float) -> float:
        return -float(np.sum(target * log_softmax(np.exp(log_factor) / spread * logits, axis=1)))

    found = minimize_scalar(cost, bounds=(-7.0, 7.0), method="bounded")
    return float(np.exp(found.x) / spread)


class RowCalibration:
    """Calibration along a stream of single rows, in preallocated arrays."""

    def __init__(self, outputs: int):
        self.scores, self.index = np.zeros((MOST, outputs)), np.zeros(MOST, np.int64)
        self.when = np.zeros(MOST, np.int64)  # the row that each is of
        self.rows = self.kept = 0  # how many have been learned, and how many of them with scores
        self.next = 2 * LEAST  # the row at which to fit the factor again
        self.factor = 1.0

    def due(self) -> bool:
        """Whether to score the row that comes next."""
        return self.kept < MOST or self.rows % SOME == 0

    def learned(self, scores: np.ndarray | None, index: int) -> None:
        """A row of this class has been learned; `scores` are those from before, if it was due."""
        self.rows += 1
        if scores is None or not math.isfinite(scores.sum()):
            return
        slot = self.kept % MOST
        self.scores[slot], self.index[slot], self.when[slot] = scores, index, self.rows
        self.kept += 1
        if self.rows >= self.next:
            # those of the later half: early scores may be on another scale, because first steps may be long
            recent = 2 * self.when > self.rows
            self.factor = Calibration(self.scores[recent], self.index[recent]).factor
            self.next = self.rows + min(self.rows // 4, SELDOM)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Class probabilities, (n, classes)."""
        return Calibration(prior=self.factor).probabilities(scores)

    def probabilities_one(self, scores: np.ndarray) -> list[float]:
        """Class probabilities of a single row, without the overhead of NumPy.

        >>> RowCalibration(1).probabilities_one(np.array([math.log(3.0)]))
        [0.25, 0.75]
        """
        values = [0.0, *scores] if len(scores) == 1 else scores.tolist()
        top = max(values)
        parts = [math.exp(self.factor * (value - top)) for value in values]
        total = sum(parts)
        return [part / total for part in parts]

    def mixed(self, mix: np.ndarray) -> Self:
        """The calibration of a model whose outputs are linear combinations of the present ones."""
        new = type(self)(len(mix))
        new.scores[...], new.index[...], new.when[...] = self.scores @ mix.T, self.index, self.when
        new.rows, new.kept, new.next, new.factor = self.rows, self.kept, self.next, self.factor
        return new
