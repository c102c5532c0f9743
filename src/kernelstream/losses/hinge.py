"""Margin losses for two classes."""

import math

from ..core.strategy import strategy
from ..core.types import Array
from .base import Loss, ScalarLoss, touch_margin


@strategy
class Hinge(ScalarLoss):
    """The hinge loss ℓ(z, y) = max(0, 1 − yz) of support vector machines. With more classes: `CrammerSinger`."""

    target = "signs"
    touches = True

    def value(self, z: float, y: float) -> float:
        return max(0.0, 1.0 - y * z)

    def slope(self, z: float, y: float) -> float:
        return -y if y * z < 1.0 else 0.0

    def touch(self, f: Array, y: Array, s: Array) -> float:
        h = 0.0
        for c in range(f.shape[0]):
            h = max(h, touch_margin(f, c, y[c], s))
        return h

    def mistaken(self, f: Array, y: Array) -> float:
        if f.shape[0] == 1:
            return 1.0 if (f[0] > 0.0) != (y[0] > 0.0) else 0.0
        return 1.0 if f.argmax() != y.argmax() else 0.0

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
