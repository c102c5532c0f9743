"""Margin losses for two classes."""

import math

from ..core.strategy import strategy
from .base import Loss, ScalarLoss


@strategy
class Hinge(ScalarLoss):
    """The hinge loss ℓ(z, y) = max(0, 1 − yz) of support vector machines. With more classes: `CrammerSinger`."""

    target = "signs"

    def value(self, z: float, y: float) -> float:
        return max(0.0, 1.0 - y * z)

    def slope(self, z: float, y: float) -> float:
        return -y if y * z < 1.0 else 0.0

    def reach(self, outputs: int, y_max: float) -> float:
        return float(outputs)

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(outputs)

    def for_classes(self, classes: int) -> Loss:
        from .crammer_singer import CrammerSinger

        return CrammerSinger()


@strategy
class SquaredHinge(ScalarLoss):
    """The squared hinge loss ℓ(z, y) = max(0, 1 − yz)²."""

    target = "signs"

    def value(self, z: float, y: float) -> float:
        return max(0.0, 1.0 - y * z) ** 2

    def slope(self, z: float, y: float) -> float:
        return -2.0 * y * max(0.0, 1.0 - y * z)

    def reach(self, outputs: int, y_max: float) -> float:
        return 0.5 * outputs

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float | None:
        return 2.0 * (math.sqrt(outputs) + radius) if radius < math.inf else None
