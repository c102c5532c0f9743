"""The perceptron loss: only mistakes count."""

import math

from ..core.strategy import NonNegative, strategy
from ..core.types import Array
from .base import Loss, ScalarLoss, best_wrong


@strategy
class Perceptron(ScalarLoss):
    """The perceptron loss ℓ(z, y) = max(0, −yz), with gradient −y if yz ≤ 0: a score of 0 is a mistake too.

    With a margin β: ℓ(z, y) = max(0, β − yz), with gradient −y if yz ≤ β.

    Parameters
    ----------
    margin : float, default 0.0
        β, the margin up to which an example counts as a mistake.
    """

    margin: NonNegative = 0.0
    target = "signs"

    def value(self, z: float, y: float) -> float:
        return max(0.0, self.margin - y * z)

    def slope(self, z: float, y: float) -> float:
        return -y if y * z <= self.margin else 0.0

    def reach(self, outputs: int, y_max: float) -> None:
        return None

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(outputs)

    def for_classes(self, classes: int) -> Loss:
        return PerceptronClasses(self.margin)


@strategy
class PerceptronClasses(Loss):
    """The multi-class perceptron loss ℓ(z, y) = max(0, z_r − z_y), r the best wrong class; a tie is a mistake too.

    With a margin β: max(0, β + z_r − z_y), with a gradient if z_y − z_r ≤ β.

    Parameters
    ----------
    margin : float, default 0.0
        β, the margin up to which an example counts as a mistake.
    """

    margin: NonNegative = 0.0
    target = "class"

    def gradient(self, f: Array, y: Array, g: Array) -> float:
        k = int(y[0])
        r = best_wrong(f, k)
        for c in range(f.shape[0]):
            g[c] = 0.0
        if r < 0 or f[k] - f[r] > self.margin:
            return 0.0  # correct, or a single class
        g[k] = -1.0
        g[r] = 1.0
        return self.margin + f[r] - f[k]

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(2.0)
