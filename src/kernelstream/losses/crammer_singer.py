"""The multi-class hinge loss."""

import math

from ..core.strategy import strategy
from ..core.types import Array
from .base import Loss, best_wrong
from .smooth import ClassHinges, Smooth

MARGIN = 1.0  # between the classes, one of which should have the score 1 and the others −1


@strategy
class CrammerSinger(Loss):
    """The multi-class hinge loss ℓ(z, y) = max(0, 1 + z_r − z_y), r the best wrong class (Crammer & Singer 2001)."""

    target = "class"
    touches = True

    def gradient(self, f: Array, y: Array, g: Array) -> float:
        k = int(y[0])
        r = best_wrong(f, k)
        for c in range(f.shape[0]):
            g[c] = 0.0
        if r < 0:
            return 0.0  # a single class: no mistakes
        loss = 1.0 + f[r] - f[k]
        if loss <= 0.0:
            return 0.0
        g[k] = -1.0
        g[r] = 1.0
        return loss

    def touch(self, f: Array, y: Array, s: Array) -> float:
        k = int(y[0])
        r = best_wrong(f, k)
        for c in range(f.shape[0]):
            s[c] = 1.0 if c == k else -1.0
        return 2.0 if r >= 0 and f[k] - f[r] < MARGIN else 0.0

    def mistaken(self, f: Array, y: Array) -> float:
        return 1.0 if f.argmax() != int(y[0]) else 0.0

    def reach(self, outputs: int, y_max: float) -> float:
        return 1.0

    def smooth(self) -> Smooth:
        return ClassHinges()

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(2.0)
