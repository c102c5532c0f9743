"""What is measured of a learner's answers, each given before the row was learned.

Probabilities are divided by their sum, and those below 10⁻⁶ count as 10⁻⁶, so that one certain error costs 13.8. A
label without a probability, such as a new one, has probability 0; the first row counts as wrong for everyone.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CLIP = 1e-6
WINDOWS = 100
LAST = 0.2  # share of the rows that the accuracy at the end is of


class Measure(NamedTuple):
    """A figure of a record: its key, its name in tables, whether more is better, and its decimals."""

    key: str
    title: str
    higher: bool
    digits: int
    tasks: str  #: "classification", "regression" or "both"


MEASURES = (
    Measure("accuracy", "accuracy (%)", True, 1, "classification"),
    Measure("last_accuracy", f"accuracy over the last {LAST:.0%} of the rows (%)", True, 1, "classification"),
    Measure("kappa_temporal", "κ-temporal (%), 0 for repeating the last label", True, 1, "classification"),
    Measure("log_loss", "log-loss (nats)", False, 3, "classification"),
    Measure("rmse", "root mean squared error", False, 3, "regression"),
    Measure("mae", "mean absolute error", False, 3, "regression"),
    Measure("us_per_row", "CPU time of predicting and learning one row (µs)", False, 0, "both"),
    Measure("kib", "memory of the model after the last row (KiB)", False, 0, "both"),
)


def kappa_temporal(accuracy: float, persistent: float) -> float:
    """(p − p_persistent) / (1 − p_persistent), Žliobaitė, Bifet, Read, Pfahringer & Holmes, Machine Learning 2015.

    >>> round(kappa_temporal(0.9, 0.8), 6), kappa_temporal(0.8, 0.8)
    (0.5, 0.0)
    """
    return (accuracy - persistent) / (1.0 - persistent)


def persistent_accuracy(y: NDArray[Any]) -> float:
    """The accuracy of repeating the last label.

    >>> persistent_accuracy(np.array([1, 1, 2, 2]))
    0.5
    """
    return float(np.count_nonzero(y[1:] == y[:-1]) / len(y))


def log_loss(probability: float) -> float:
    """−log p, with p at least 10⁻⁶; what is not a number counts as 0.

    >>> round(log_loss(0.5), 3), round(log_loss(0.0), 1), round(log_loss(math.nan), 1)
    (0.693, 13.8, 13.8)
    """
    return -math.log(probability if probability >= CLIP else CLIP)


def of_classifier(answers: Sequence[Mapping[Any, float]], y: NDArray[Any]) -> dict[str, Any]:
    """The measures of predicted probabilities, one mapping from labels for each row."""
    right, losses = np.zeros(len(y), bool), np.empty(len(y))
    for i, (answer, label) in enumerate(zip(answers, y.tolist(), strict=True)):
        total = sum(answer.values())
        right[i] = bool(answer) and max(answer, key=answer.__getitem__) == label
        losses[i] = log_loss(min(answer.get(label, 0.0) / total, 1.0) if total > 0.0 else 0.0)
    accuracy = float(right.mean())
    windows = np.array_split(right, min(WINDOWS, len(y)))
    return {
        "accuracy": 100.0 * accuracy,
        "last_accuracy": 100.0 * float(right[-max(1, round(LAST * len(y))) :].mean()),
        "kappa_temporal": 100.0 * kappa_temporal(accuracy, persistent_accuracy(y)),
        "log_loss": float(losses.mean()),
        "windows": [round(100.0 * float(window.mean()), 4) for window in windows],
    }


def of_regressor(answers: Sequence[float], y: NDArray[Any]) -> dict[str, Any]:
    """The measures of predicted numbers."""
    error = np.asarray(answers) - y
    return {"rmse": float(np.sqrt(np.mean(error**2))), "mae": float(np.mean(np.abs(error)))}
