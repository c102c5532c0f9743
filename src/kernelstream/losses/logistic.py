"""Losses that are likelihoods, and the exponential loss."""

import math

import numpy as np
from scipy.special import expit, lambertw, softmax

from ..core.strategy import Positive, strategy
from ..core.types import Array
from .base import Loss, ScalarLoss
from .smooth import Logistics, Smooth, Softmax


@strategy
class Logistic(ScalarLoss):
    """The logistic loss ℓ(z, y) = ln(1 + e^−yz); gives probabilities. With more classes: `Multinomial`."""

    target = "signs"

    @property
    def self_bound(self) -> float:
        return 1.0

    def value(self, z: float, y: float) -> float:
        m = -y * z
        return max(m, 0.0) + math.log1p(math.exp(-abs(m)))

    def slope(self, z: float, y: float) -> float:
        return -y / (1.0 + math.exp(min(y * z, 700.0)))

    def reach(self, outputs: int, y_max: float) -> float:
        return 0.2784645427610738 * outputs  # W(1/e)

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(outputs)

    def for_classes(self, classes: int) -> Loss:
        return Multinomial()

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        p = expit(scores[:, 0])
        return np.column_stack([1.0 - p, p])

    def smooth(self) -> Smooth:
        return Logistics()


@strategy
class Multinomial(Loss):
    """The multinomial logistic loss ℓ(z, y) = −log softmax(z)_y of any number of classes; gives probabilities."""

    target = "class"

    @property
    def self_bound(self) -> float:
        return math.sqrt(2.0)

    def gradient(self, f: Array, y: Array, g: Array) -> float:
        k = int(y[0])
        top = f[0]
        for c in range(1, f.shape[0]):
            top = max(top, f[c])
        total = 0.0
        for c in range(f.shape[0]):
            g[c] = math.exp(f[c] - top)
            total += g[c]
        for c in range(f.shape[0]):
            g[c] /= total
        g[k] -= 1.0
        return math.log(total) + top - f[k]

    def reach(self, outputs: int, y_max: float) -> float:
        return float(lambertw((outputs - 1) / math.e).real)

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(2.0)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        return softmax(scores, axis=1)

    def smooth(self) -> Smooth:
        return Softmax()


@strategy
class Exponential(ScalarLoss):
    """The exponential loss ℓ(z, y) = e^−yz, at most e³⁰ so that it stays finite.

    Its derivative is unbounded: use it with a `Ball`.
    """

    target = "signs"

    @property
    def self_bound(self) -> float:
        return 1.0

    def value(self, z: float, y: float) -> float:
        return math.exp(min(-y * z, 30.0))

    def slope(self, z: float, y: float) -> float:
        return -y * math.exp(min(-y * z, 30.0))

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs / math.e

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float | None:
        return math.sqrt(outputs) * math.exp(radius) if radius < 30.0 else None

    def smooth(self) -> Smooth:
        return Logistics(2.0)


@strategy
class RealExponential(ScalarLoss):
    """The exponential loss ℓ(z, y) = e^−yz of a real target |y| ≤ d, at most e³⁰; a target beyond ±d counts as ±d.

    The sign of y is the class, and |y| its weight: scores are compared with 0, not with y. In a `KernelRegressor`, set
    `scale_target=False`, or the signs are lost.

    Parameters
    ----------
    d : float, default 1.0
        The largest target in absolute value.
    """

    d: Positive = 1.0

    @property
    def self_bound(self) -> float:
        return self.d

    def value(self, z: float, y: float) -> float:
        return math.exp(min(-max(-self.d, min(self.d, y)) * z, 30.0))

    def slope(self, z: float, y: float) -> float:
        y = max(-self.d, min(self.d, y))
        return -y * math.exp(min(-y * z, 30.0))

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs / math.e

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float | None:
        return math.sqrt(outputs) * self.d * math.exp(self.d * radius) if self.d * radius < 30.0 else None
