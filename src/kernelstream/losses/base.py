"""The interface of a loss: its value and derivative at the scores f(x)."""

import math
from typing import ClassVar

import numpy as np

from ..core.numba.lowering import callable_anywhere
from ..core.strategy import Strategy, lowered
from ..core.types import Array
from .smooth import Smooth, SquaredHinges


class Loss(Strategy):
    """A loss ℓ(f(x), y), for stage 1, evaluate. `f` holds the scores, `y` the target, both one number per output.

    `target` says what y is: "signs" (−1 or +1 per output), "class" (y[0] is the index of the class) or "values".
    """

    __slots__ = ()
    target: ClassVar[str] = "values"
    touches: ClassVar[bool] = False  # whether `touch` is defined

    @property
    def self_bound(self) -> float | None:
        """L with ‖g‖ ≤ L ℓ; None if there is none."""
        return None

    @property
    def gap(self) -> float:
        """The difference between the scores of two classes that corresponds to a single score of 1."""
        return 1.0 if self.target == "class" else 2.0

    @lowered
    def gradient(self, f: Array, y: Array, g: Array) -> float:
        """Write ∂ℓ/∂f into g and return ℓ."""
        raise NotImplementedError

    @lowered(inline=True)
    def value(self, z: float, y: float) -> float:
        """ℓ of one score z and one target y."""
        raise NotImplementedError

    @lowered(inline=True)
    def slope(self, z: float, y: float) -> float:
        """∂ℓ/∂z."""
        raise NotImplementedError

    @lowered
    def touch(self, f: Array, y: Array, s: Array) -> float:
        """A parabola ½h‖z − s‖² for the loss, or its smooth replacement, at the scores f: write s, return h.

        It touches the loss, but for outputs that are beyond their margin while another is short of it: their s is the
        margin too. What they scored would be remembered for ever, and early scores are not worth it.
        """
        return 0.0

    @lowered
    def mistaken(self, f: Array, y: Array) -> float:
        """The error of scores, for comparing two functions: 1 for a mistake, or the loss in regression."""
        return 0.0

    def reach(self, outputs: int, y_max: float) -> float | None:
        """sup_z(−g·z) = λR²: the ball of radius R holds the optimum. None if it is not known."""
        return None

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float | None:
        """A bound on ‖g‖ for scores of ‖z‖ ≤ radius and targets of |y| ≤ y_max; None if there is none."""
        return None

    def for_classes(self, classes: int) -> "Loss":
        """The loss to use for this many classes; by default the loss itself, one score per class against the rest."""
        return self

    def probabilities(self, scores: np.ndarray) -> np.ndarray | None:
        """Class probabilities (n, classes) from scores (n, outputs); None if the loss does not define any."""
        return None

    def smooth(self) -> Smooth | None:
        """The smooth loss that `output.Refit` minimises in its place; None if there is none."""
        return None if self.target == "values" else SquaredHinges()


@callable_anywhere
def best_wrong(f: Array, k: int) -> int:
    """The class of the highest score among all but k, the first among equals; −1 if there is none."""
    r = -1
    for c in range(f.shape[0]):
        if c != k and (r < 0 or f[c] > f[r]):
            r = c
    return r


@callable_anywhere
def touch_margin(f: Array, c: int, sign: float, s: Array) -> float:
    """The parabola of a squared hinge loss in score c; its minimum is the margin. Beyond the margin, the loss is 0."""
    s[c] = sign
    return 2.0 if sign * f[c] < 1.0 else 0.0


class ScalarLoss(Loss):
    """A loss of each score separately, summed over the outputs: define `value` and `slope`."""

    __slots__ = ()

    def gradient(self, f: Array, y: Array, g: Array) -> float:
        total = 0.0
        for c in range(f.shape[0]):
            total += self.value(f[c], y[c])
            g[c] = self.slope(f[c], y[c])
        return total
