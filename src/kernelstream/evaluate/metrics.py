"""How right predictions are: one number per example, so that sums of them can be kept."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Metric(NamedTuple):
    """A mean over examples, and what is reported of it."""

    name: str
    of: Callable[[np.ndarray, np.ndarray], Any]  # truth, prediction → a number for each example
    reported: Callable[[float], float] = float

    def sum(self, truth: np.ndarray, prediction: np.ndarray) -> float:
        """Over the examples of a batch."""
        values = np.asarray(self.of(truth, prediction), np.float64)
        if values.shape != (len(truth),):
            raise ValueError(
                f"The metric {self.name} gave numbers of shape {values.shape} for {len(truth)} examples; "
                "it must give one for each."
            )
        return float(values.sum())


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
    """The metric that a name or a function stands for; None is the usual one."""
    if callable(metric):
        return Metric(getattr(metric, "__name__", repr(metric)), metric)
    name = usual if metric is None else metric
    if name not in METRICS:
        raise ValueError(
            f"metric: {name!r} is not known. Use {', '.join(map(repr, METRICS))}, or a function of truth and "
            "prediction that gives one number per example."
        )
    return METRICS[name]
