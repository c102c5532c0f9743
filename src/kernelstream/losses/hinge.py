"""Margin losses for two classes."""

import math

from ..core.strategy import strategy
from .base import Loss, ScalarLoss


@strategy
class Hinge(ScalarLoss):
    """ℓ(z, y) = max(0, 1 − yz), the loss of support vector machines. With more classes: `CrammerSinger`."""

    target = "signs"

    def value(self, z, y):
        return max(0.0, 1.0 - y * z)

    def slope(self, z, y):
        return -y if y * z < 1.0 else 0.0

    def reach(self, outputs, y_max):
        return float(outputs)

    def steepest(self, outputs):
        return math.sqrt(outputs)

    def for_classes(self, classes) -> Loss:
        from .crammer_singer import CrammerSinger

        return CrammerSinger()


@strategy
class SquaredHinge(ScalarLoss):
    """ℓ(z, y) = max(0, 1 − yz)²."""

    target = "signs"

    def value(self, z, y):
        return max(0.0, 1.0 - y * z) ** 2

    def slope(self, z, y):
        return -2.0 * y * max(0.0, 1.0 - y * z)

    def reach(self, outputs, y_max):
        return 0.5 * outputs
