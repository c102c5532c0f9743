"""Regression losses; with several outputs, summed over them. r = z − y is the residual."""

import math

from ..core.strategy import NonNegative, Positive, Share, strategy
from ..core.types import Array
from .base import ScalarLoss
from .smooth import Hubers, Pinballs, Smooth

ROUNDED = 0.05  # width of the corner of the quantile loss in a refit


@strategy
class Squared(ScalarLoss):
    """The squared loss ℓ = ½ r²."""

    touches = True

    def value(self, z: float, y: float) -> float:
        return 0.5 * (z - y) ** 2

    def slope(self, z: float, y: float) -> float:
        return z - y

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs * y_max**2 / 4.0

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float | None:
        largest = radius + math.sqrt(outputs) * y_max
        return largest if largest < math.inf else None

    def touch(self, f: Array, y: Array, s: Array) -> float:
        for c in range(f.shape[0]):
            s[c] = y[c]
        return 1.0

    def mistaken(self, f: Array, y: Array) -> float:
        total = 0.0
        for c in range(f.shape[0]):
            total += self.value(f[c], y[c])
        return total

    def smooth(self) -> Smooth:
        return Hubers()


@strategy
class Absolute(ScalarLoss):
    """The absolute loss ℓ = |r|; estimates the median."""

    def value(self, z: float, y: float) -> float:
        return abs(z - y)

    def slope(self, z: float, y: float) -> float:
        return 1.0 if z > y else -1.0 if z < y else 0.0

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs * y_max

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(outputs)


@strategy
class EpsilonInsensitive(ScalarLoss):
    """The ε-insensitive loss ℓ = max(0, |r| − ε): errors of at most ε cost nothing and add no support vector.

    Parameters
    ----------
    epsilon : float, default 0.1
        ε, in units of the target (of the standardised one in `KernelRegressor`).
    """

    epsilon: NonNegative = 0.1

    def value(self, z: float, y: float) -> float:
        return max(0.0, abs(z - y) - self.epsilon)

    def slope(self, z: float, y: float) -> float:
        return 1.0 if z - y > self.epsilon else -1.0 if y - z > self.epsilon else 0.0

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs * y_max

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return math.sqrt(outputs)


@strategy
class Huber(ScalarLoss):
    """The Huber loss ℓ = ½ r² for |r| ≤ δ, else δ(|r| − ½δ).

    Parameters
    ----------
    delta : float, default 1.0
        δ, the residual from which on the loss is linear, in units of the target (of the standardised one in
        `KernelRegressor`).
    """

    delta: Positive = 1.0
    touches = True

    def value(self, z: float, y: float) -> float:
        r = abs(z - y)
        return 0.5 * r * r if r <= self.delta else self.delta * (r - 0.5 * self.delta)

    def slope(self, z: float, y: float) -> float:
        return max(-self.delta, min(self.delta, z - y))

    def reach(self, outputs: int, y_max: float) -> float:
        if y_max <= 2.0 * self.delta:
            return outputs * y_max**2 / 4.0
        return outputs * self.delta * (y_max - self.delta)

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return self.delta * math.sqrt(outputs)

    def touch(self, f: Array, y: Array, s: Array) -> float:
        far = 0.0
        for c in range(f.shape[0]):
            s[c] = y[c]
            far = max(far, abs(f[c] - y[c]))
        return self.delta / max(far, self.delta)

    def mistaken(self, f: Array, y: Array) -> float:
        total = 0.0
        for c in range(f.shape[0]):
            total += self.value(f[c], y[c])
        return total

    def smooth(self) -> Smooth:
        return Hubers(self.delta)


@strategy
class Quantile(ScalarLoss):
    """The quantile (pinball) loss ℓ = τ(y − z) below the target, (1 − τ)(z − y) above; estimates the τ-quantile.

    A refit minimises it with its corner rounded over 0.05 units of the target (of the standardised one in
    `KernelRegressor`).

    Parameters
    ----------
    tau : float, default 0.5
        τ, the quantile, between 0 and 1.
    """

    tau: Share = 0.5
    touches = True

    def value(self, z: float, y: float) -> float:
        return max(self.tau * (y - z), (1.0 - self.tau) * (z - y))

    def slope(self, z: float, y: float) -> float:
        return 1.0 - self.tau if z > y else -self.tau if z < y else 0.0

    def reach(self, outputs: int, y_max: float) -> float:
        return outputs * max(self.tau, 1.0 - self.tau) * y_max

    def steepest(self, outputs: int, radius: float = math.inf, y_max: float = math.inf) -> float:
        return max(self.tau, 1.0 - self.tau) * math.sqrt(outputs)

    def touch(self, f: Array, y: Array, s: Array) -> float:
        for c in range(f.shape[0]):
            slope = (f[c] - y[c]) / ROUNDED
            s[c] = f[c] - ROUNDED * max(-self.tau, min(1.0 - self.tau, slope))
        return 1.0 / ROUNDED

    def mistaken(self, f: Array, y: Array) -> float:
        total = 0.0
        for c in range(f.shape[0]):
            total += self.value(f[c], y[c])
        return total

    def smooth(self) -> Smooth:
        return Pinballs(self.tau, ROUNDED)
