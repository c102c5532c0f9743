"""Targets of a stream as a tracker takes them, and its predictions as an estimator takes them."""

from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from ..core.mixture import Labels
from ..core.number_mixture import Numbers
from ..core.precision import LARGEST
from ..core.task import Task
from ..losses import Huber, Loss, Multinomial
from ..recipe import Recipe

DELTA = 2.0  # deviations up to which errors of kernel models count as squares


class StreamTargets(Protocol):
    """Labels or numbers."""

    @property
    def loss(self) -> Loss:
        """The loss that the stream's targets and scores are those of, to an estimator."""

    @property
    def width(self) -> int:
        """Numbers of a prediction."""

    @property
    def task(self) -> Task:
        """What the panel does."""

    def recipe(self, base: Recipe) -> Recipe:
        """The recipe of the kernel models."""

    def outputs(self, base: Recipe) -> int:
        """Their outputs."""

    def encode(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices of classes, and targets of the kernel models."""

    def encode_one(self, y: float) -> tuple[int, float]:
        """The same for one row."""

    def takes(self, y: Any) -> bool:
        """Whether this is a target."""

    def prior(self, first: np.ndarray) -> np.ndarray:
        """The prediction before any model has begun, from the targets so far."""

    def merged(self, predicted: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Predictions of a tracker that began before the latest classes came, for all of them."""

    def scores(self, predicted: np.ndarray) -> np.ndarray:
        """Predictions of the tracker as scores."""

    def expanded(self, width: int) -> Self:
        """With more classes."""


class LabelTargets(NamedTuple):
    """Indices of classes; two at least."""

    classes: int

    @property
    def loss(self) -> Loss:
        return Multinomial()

    @property
    def width(self) -> int:
        return self.classes

    @property
    def task(self) -> Task:
        return Labels()

    def recipe(self, base: Recipe) -> Recipe:
        return base.replace(loss=base.loss.for_classes(self.classes)) if self.classes > 2 else base

    def outputs(self, base: Recipe) -> int:
        return self.classes if self.recipe(base).loss.target == "class" or self.classes > 2 else 1

    def encode(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return y.astype(np.int64), y if self.classes > 2 else 2.0 * y - 1.0

    def takes(self, y: Any) -> bool:
        return isinstance(y, float) and 0.0 <= y < self.classes and y == int(y)

    def encode_one(self, y: float) -> tuple[int, float]:
        return int(y), y if self.classes > 2 else 2.0 * y - 1.0

    def prior(self, first: np.ndarray) -> np.ndarray:
        counts = np.bincount(first.astype(np.int64), minlength=self.classes).astype(np.float64)
        found: np.ndarray = counts / counts.sum() if len(first) else np.full(self.classes, 1.0 / self.classes)
        return found

    def merged(self, predicted: np.ndarray, first: np.ndarray) -> np.ndarray:
        known, shares = predicted.shape[1], self.prior(first)
        rest = np.tile(shares[known:], (len(predicted), 1))
        return np.concatenate([predicted * shares[:known].sum(), rest], axis=1)

    def scores(self, predicted: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.log(np.maximum(predicted, 1e-12))
        return found

    def expanded(self, width: int) -> "LabelTargets":
        return LabelTargets(width)


class NumberTargets(NamedTuple):
    """Numbers, in any units: the mixture follows their level and deviation."""

    of: Loss

    @property
    def loss(self) -> Loss:
        return self.of

    @property
    def width(self) -> int:
        return 1

    @property
    def task(self) -> Task:
        return Numbers()

    def recipe(self, base: Recipe) -> Recipe:
        return base.replace(loss=Huber(DELTA))

    def outputs(self, base: Recipe) -> int:
        return 1

    def encode(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(y), np.int64), y

    def takes(self, y: Any) -> bool:
        return isinstance(y, float) and abs(y) <= LARGEST

    def encode_one(self, y: float) -> tuple[int, float]:
        return 0, y

    def prior(self, first: np.ndarray) -> np.ndarray:
        return np.array([np.median(first) if len(first) else 0.0])

    def merged(self, predicted: np.ndarray, first: np.ndarray) -> np.ndarray:
        return predicted

    def scores(self, predicted: np.ndarray) -> np.ndarray:
        return predicted

    def expanded(self, width: int) -> "NumberTargets":
        return self


def targets_of(loss: Loss, outputs: int) -> Any:
    """For the loss of the kernel models, and a number of classes."""
    return NumberTargets(loss) if loss.target == "values" else LabelTargets(max(outputs, 2))
