"""Scores of a trained model on test data, accumulated batch by batch: accuracy, recall, precision, errors, R²."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..estimators.labels import encode

KEPT = 5000  # pairs of target and prediction kept for a plot


class ClassificationScores:
    """A confusion matrix and the scores that follow from it.

    Parameters
    ----------
    classes : array
        All labels, in order.

    Examples
    --------
    >>> scores = ClassificationScores(np.array(["a", "b"]))
    >>> scores.add(np.array(["a", "a", "b"]), np.array(["a", "b", "b"]))
    >>> scores.report()["accuracy"], scores.matrix.tolist()
    (0.6666666666666666, [[1, 1], [0, 1]])
    """

    metric = "accuracy"

    def __init__(self, classes: np.ndarray):
        self.classes = classes
        self.matrix = np.zeros((len(classes), len(classes)), np.int64)

    def add(self, truth: np.ndarray, predicted: np.ndarray) -> None:
        cells = encode(truth, self.classes), encode(predicted, self.classes)
        np.add.at(self.matrix, cells, 1)

    def add_classes(self, classes: np.ndarray) -> None:
        """Go on with more classes, which begin with those known."""
        more = len(classes) - len(self.classes)
        if more:
            self.classes, self.matrix = classes, np.pad(self.matrix, (0, more))

    def report(self) -> dict[str, Any]:
        """Accuracy and balanced accuracy; rows, recall and precision of every class; the confusion matrix."""
        correct, actual, predicted = np.diag(self.matrix), self.matrix.sum(axis=1), self.matrix.sum(axis=0)
        per_class = [
            {"class": label, "rows": int(n), "recall": _ratio(hit, n), "precision": _ratio(hit, m)}
            for label, hit, n, m in zip(self.classes.tolist(), correct, actual, predicted, strict=True)
        ]
        rows = int(self.matrix.sum())
        return {
            "rows": rows,
            "accuracy": _ratio(correct.sum(), rows),
            "balanced_accuracy": _mean([entry["recall"] for entry in per_class]),
            "classes": per_class,
            "confusion": self.matrix.tolist(),
        }


class RegressionScores:
    """Sums of errors; with several targets those of each, and scores that are means over them.

    Parameters
    ----------
    targets : sequence of str, default ()
        The names of several targets.

    Examples
    --------
    >>> scores = RegressionScores()
    >>> scores.add(np.array([1.0, 3.0]), np.array([1.0, 4.0]))
    >>> scores.report()
    {'rows': 2, 'mae': 0.5, 'rmse': 0.7071067811865476, 'r2': 0.5}
    """

    metric = "rmse"

    def __init__(self, targets: Sequence[str] = ()) -> None:
        self.targets, self.rows = list(targets), 0
        self.distance = self.squares = np.zeros(max(len(targets), 1))
        self.mean = self.spread = np.zeros_like(self.distance)  # of the targets, by Welford's method: no cancellation
        self.kept: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, truth: np.ndarray, predicted: np.ndarray) -> None:
        if sum(len(pair[0]) for pair in self.kept) < KEPT:
            self.kept.append((truth, predicted))
        truth = np.reshape(truth, (len(truth), -1))
        error = np.reshape(predicted, truth.shape) - truth
        self.distance = self.distance + np.abs(error).sum(axis=0)
        self.squares = self.squares + (error**2).sum(axis=0)
        count, mean = len(truth), truth.mean(axis=0)
        total, shift = self.rows + count, mean - self.mean
        self.spread = self.spread + ((truth - mean) ** 2).sum(axis=0) + shift**2 * self.rows * count / total
        self.mean = self.mean + shift * count / total
        self.rows = total

    def report(self) -> dict[str, Any]:
        """Mean absolute error, root mean squared error, and R²."""
        if self.rows == 0:
            return {"rows": 0, "mae": None, "rmse": None, "r2": None}
        each = [self._report(i) for i in range(len(self.squares))]
        found: dict[str, Any] = {
            "rows": self.rows,
            "mae": float(self.distance.mean()) / self.rows,
            "rmse": math.sqrt(float(self.squares.mean()) / self.rows),
            "r2": _mean([one["r2"] for one in each]),
        }
        if len(each) > 1:
            found["targets"] = [{"target": name, **one} for name, one in zip(self.targets, each, strict=True)]
        return found

    def _report(self, target: int) -> dict[str, float | None]:
        squares, spread = float(self.squares[target]), float(self.spread[target])
        return {
            "mae": float(self.distance[target]) / self.rows,
            "rmse": math.sqrt(squares / self.rows),
            "r2": 1.0 - squares / spread if spread > 0 else None,
        }


def _ratio(part: Any, whole: Any) -> float | None:
    return float(part / whole) if whole else None


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
