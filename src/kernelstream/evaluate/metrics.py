"""Metrics as means over examples, so that a running sum is enough: accuracy, root mean squared and absolute error."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Metric(NamedTuple):
    """A mean over examples, and the function of it that is reported."""

    name: str
    of: Callable[[np.ndarray, np.ndarray], Any]  # (targets, predictions) → one number per example
    reported: Callable[[float], float] = float

    def sum(self, truth: np.ndarray, prediction: np.ndarray, weights: np.ndarray | None = None) -> float:
        """Over the examples of a batch."""
        values = np.asarray(self.of(truth, prediction), np.float64)
        if values.shape != (len(truth),):
            raise ValueError(
                f"The metric {self.name} returned an array of shape {values.shape} for {len(truth)} examples; "
                "it must return one number for each."
            )
        return float(values.sum() if weights is None else values @ weights)

    def mean(self, total: float, count: float) -> float:
        """The metric over `count` examples, or weights, whose numbers add up to `total`; NaN for none."""
        return self.reported(total / count) if count else math.nan


def _hits(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    return truth == prediction


def _squares(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    return np.mean(np.reshape(truth - prediction, (len(truth), -1)) ** 2, axis=1)


def _distances(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    return np.mean(np.abs(np.reshape(truth - prediction, (len(truth), -1))), axis=1)


METRICS = {
    "accuracy": Metric("accuracy", _hits),
    "rmse": Metric("rmse", _squares, math.sqrt),
    "mae": Metric("mae", _distances),
}


def as_metric(metric: str | Callable[..., Any] | None, usual: str) -> Metric:
    """The metric of a name or a function; None is the usual one."""
    if callable(metric):
        return Metric(getattr(metric, "__name__", repr(metric)), metric)
    name = usual if metric is None else metric
    if name not in METRICS:
        raise ValueError(
            f"unknown metric {name!r}. Available: {', '.join(map(repr, METRICS))}, or a function of targets and "
            "predictions that returns one number per example."
        )
    return METRICS[name]
