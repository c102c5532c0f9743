"""What a classifier and a regressor answer differently: targets, scores, weights of rows, calibration."""

from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np

from ..losses import Loss
from ..model import Model
from ..tracking import AdaptiveModel
from .fitted import Fitted


class Hooks(Fitted, metaclass=ABCMeta):
    """Methods that an estimator has for its kind of targets."""

    @abstractmethod
    def _check_targets(self, y: np.ndarray) -> np.ndarray:
        """Targets of the right kind and shape, or a ValueError that names the row."""

    @abstractmethod
    def _begin_targets(self, y: np.ndarray, weights: np.ndarray, classes: np.ndarray | None) -> None:
        """Set what targets are encoded with: labels, or a mean and a scale; without weights, numbers stay as they
        are."""

    @abstractmethod
    def _n_classes(self) -> int:
        """The number of classes that the loss is for."""

    @abstractmethod
    def _n_outputs(self, loss: Loss) -> int:
        """Scores per example."""

    @abstractmethod
    def _translate(self, y: np.ndarray, loss: Loss) -> np.ndarray:
        """Targets as this loss takes them."""

    @abstractmethod
    def _predictions(self, scores: np.ndarray) -> np.ndarray:
        """Scores as labels or numbers."""

    def _takes_single(self, y: np.ndarray) -> bool:
        """Whether a row has one target, as streams that are adapted to must have."""
        return True

    def _weighted(self, y: np.ndarray, weights: np.ndarray, first: bool) -> np.ndarray:
        """The weights of rows, with those of their classes; `first` if nothing was learned before."""
        return weights

    def row_weights(self, y: np.ndarray) -> np.ndarray:
        """The weights of rows with these validated targets: those of their classes, by what was counted so far."""
        return np.ones(len(y))

    def _reset_calibration(self) -> None:
        """Start with an empty calibration."""

    def _calibrate_on(
        self, model: Model | AdaptiveModel, X: Any, y: np.ndarray, scores: np.ndarray | None = None
    ) -> None:
        """Use rows that the model has not learned yet for calibration; `scores` are theirs, where they are known."""
