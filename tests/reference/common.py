"""What all the oracles share: random draws, kernels, losses, step schedules and a plain kernel expansion.

An expansion is f(.) = sum_j a_j k(x_j, .) with a_j in R^c.  Everything here is written to be read, not to be
fast: coefficients are actual values (no lazy scale), every norm is recomputed from a full Gram matrix.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

Kernel = Callable[[np.ndarray, np.ndarray], float]
Loss = Callable[[object, np.ndarray], tuple[float, np.ndarray]]
Rate = Callable[[int], float]
Decay = Callable[[int, float], float]

TIE = 1e-9  # values within this relative distance of the minimum count as equal


# ---------------------------------------------------------------------------------------------- draws


class Draws:
    """splitmix64: s += 0x9E37...; two xor-multiply rounds; u = the top 53 bits times 2^-53."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.state = seed & self.MASK

    def next_uint64(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return (self.next_uint64() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """An integer in 0 .. n-1 from one uniform."""
        return min(int(self.uniform() * n), n - 1)


# -------------------------------------------------------------------------------------------- kernels


def gaussian(gamma: float) -> Kernel:
    """exp(-gamma ||x - z||^2)"""

    def k(x, z):
        d = x - z
        return math.exp(-gamma * float(d @ d))

    return k


def laplacian(gamma: float) -> Kernel:
    """exp(-gamma sum_i |x_i - z_i|)"""
    return lambda x, z: math.exp(-gamma * float(np.abs(x - z).sum()))


def cauchy(gamma: float) -> Kernel:
    """1 / (1 + gamma ||x - z||^2)"""
    return lambda x, z: 1.0 / (1.0 + gamma * float((x - z) @ (x - z)))


def inverse_multiquadric(gamma: float) -> Kernel:
    """1 / sqrt(1 + gamma ||x - z||^2)"""
    return lambda x, z: 1.0 / math.sqrt(1.0 + gamma * float((x - z) @ (x - z)))


def polynomial(degree: int, gamma: float = 1.0, shift: float = 1.0) -> Kernel:
    """(gamma x.z + shift)^degree"""
    return lambda x, z: (gamma * float(x @ z) + shift) ** degree


def linear() -> Kernel:
    """x.z"""
    return lambda x, z: float(x @ z)


# --------------------------------------------------------------------------------------------- losses
#
# loss(y, z) -> (value, g) with z = f(x) in R^c and g = d loss / d z in R^c.
# Binary: y = -1 or +1 and c = 1.  Multi-class: y is the class index.  Regression: y is a scalar or a vector
# in R^c, and the loss is the sum over the outputs.


def hinge(y, z):
    """max(0, 1 - y z); the derivative is nonzero only if 1 - y z > 0."""
    slack = 1.0 - y * z[0]
    if slack > 0.0:
        return slack, np.array([-float(y)])
    return 0.0, np.zeros(1)


def squared_hinge(y, z):
    """max(0, 1 - y z)^2"""
    slack = max(0.0, 1.0 - y * z[0])
    return slack**2, np.array([-2.0 * y * slack])


def logistic(y, z):
    """ln(1 + exp(-y z)), derivative -y / (1 + exp(y z))"""
    margin = y * z[0]
    value = float(np.logaddexp(0.0, -margin))
    return value, np.array([-y * math.exp(-float(np.logaddexp(0.0, margin)))])


def exponential(y, z):
    """exp(-y z)"""
    value = math.exp(-y * z[0])
    return value, np.array([-y * value])


def crammer_singer(y, z):
    """max(0, 1 + z_r - z_y), r = the best wrong class, the lowest index of equals."""
    r = None
    for i in range(len(z)):
        if i != y and (r is None or z[i] > z[r]):
            r = i
    value = 1.0 + z[r] - z[y]
    g = np.zeros(len(z))
    if value > 0.0:
        g[y] = -1.0
        g[r] = +1.0
        return float(value), g
    return 0.0, g


def multinomial(y, z):
    """-log softmax(z)_y, derivative softmax(z) - e_y"""
    top = float(np.max(z))
    log_sum = top + math.log(float(np.sum(np.exp(z - top))))
    g = np.exp(z - log_sum)
    g[y] -= 1.0
    return log_sum - float(z[y]), g


def _residual(y, z):
    return z - np.broadcast_to(np.asarray(y, dtype=float), z.shape)


def l2(y, z):
    """sum 1/2 (z - y)^2"""
    r = _residual(y, z)
    return 0.5 * float(r @ r), r


def l1(y, z):
    """sum |z - y|, derivative 0 at 0"""
    r = _residual(y, z)
    return float(np.abs(r).sum()), np.sign(r)


def epsilon_insensitive(epsilon: float) -> Loss:
    """sum max(0, |z - y| - epsilon)"""

    def loss(y, z):
        r = _residual(y, z)
        outside = np.abs(r) > epsilon
        return float(np.sum(np.maximum(0.0, np.abs(r) - epsilon))), np.where(outside, np.sign(r), 0.0)

    return loss


def huber(delta: float) -> Loss:
    """sum of 1/2 r^2 for |r| <= delta, delta (|r| - delta/2) outside, r = z - y"""

    def loss(y, z):
        r = _residual(y, z)
        inside = np.abs(r) <= delta
        value = np.where(inside, 0.5 * r**2, delta * (np.abs(r) - 0.5 * delta))
        return float(value.sum()), np.where(inside, r, delta * np.sign(r))

    return loss


def quantile(tau: float) -> Loss:
    """Pinball loss: sum of tau (y - z) for y > z and (1 - tau) (z - y) for y < z; derivative 0 at 0."""

    def loss(y, z):
        r = _residual(y, z)
        value = np.where(r < 0.0, -tau * r, (1.0 - tau) * r)
        g = np.where(r < 0.0, -tau, np.where(r > 0.0, 1.0 - tau, 0.0))
        return float(value.sum()), g

    return loss


# ------------------------------------------------------------------------------------------ schedules


def constant(eta: float) -> Rate:
    """eta_t = eta"""
    return lambda t: eta


def power(eta: float, b: float) -> Rate:
    """eta_t = eta t^-b"""
    return lambda t: eta * t**-b


def inverse_time(lam: float, t0: float = 0.0) -> Rate:
    """eta_t = 1 / (lam (t + t0))"""
    return lambda t: 1.0 / (lam * (t + t0))


def weight_decay(lam: float) -> Decay:
    """The factor 1 - eta_t lam."""
    return lambda t, eta: 1.0 - eta * lam


def old_at_most(half_life: float, rate: Rate) -> Rate:
    """The rate at update t, or at the mean age h/ln 2 of a memory with half-life h, rounded up, if that is earlier."""
    return lambda t: rate(min(t, math.floor(half_life / math.log(2.0)) + 1))


def fading(half_life: float, decay: Decay) -> Decay:
    """The factor 1 - eta_t lam, but no more than what halves in h updates."""
    return lambda t, eta: min(decay(t, eta), 2.0 ** (-1.0 / half_life))


def no_decay(t: int, eta: float) -> float:
    """The factor 1."""
    return 1.0


# ------------------------------------------------------------------------------------------ expansion


class Step(NamedTuple):
    """The state after one update."""

    sv: np.ndarray  # (n, d)
    coef: np.ndarray  # (n, c)
    delta: float  # RKHS norm of what budget maintenance changed in this update, 0.0 if nothing
    norm2: float  # ||f||^2 = tr a' K a, exact


class Expansion:
    """f(.) = sum_j a_j k(x_j, .), a_j in R^c.

    Positions matter because random draws choose positions: append puts the new SV at the end, remove(j) moves
    the last SV into position j.  The age of an SV is the update counter t at its insertion,
    and within a batch grows by a fraction with the order of arrival.
    """

    def __init__(self, kernel: Kernel, dim: int, outputs: int) -> None:
        self.kernel = kernel
        self.dim = dim
        self.outputs = outputs
        self.x: list[np.ndarray] = []
        self.a: list[np.ndarray] = []
        self.age: list[float] = []

    def __len__(self) -> int:
        return len(self.x)

    def value(self, x: np.ndarray) -> np.ndarray:
        """f(x) in R^c"""
        z = np.zeros(self.outputs)
        for xj, aj in zip(self.x, self.a, strict=True):
            z = z + aj * self.kernel(xj, x)
        return z

    def gram(self) -> np.ndarray:
        return gram(self.kernel, self.x)

    def self_kernel(self, j: int) -> float:
        return self.kernel(self.x[j], self.x[j])

    def coefficients(self) -> np.ndarray:
        return np.array(self.a).reshape(len(self), self.outputs)

    def norm2(self) -> float:
        """sum_ij (a_i . a_j) k(x_i, x_j)"""
        a = self.coefficients()
        return float(np.sum((a @ a.T) * self.gram()))

    def append(self, x: np.ndarray, a: np.ndarray, age: float) -> None:
        self.x.append(np.array(x, dtype=float))
        self.a.append(np.array(a, dtype=float))
        self.age.append(age)

    def remove(self, j: int) -> None:
        for column in (self.x, self.a, self.age):
            last = column.pop()
            if j < len(column):
                column[j] = last

    def scale(self, q: float) -> None:
        """f <- q f; a factor of 0 empties the expansion."""
        if q == 0.0:
            self.x, self.a, self.age = [], [], []
        self.a = [q * aj for aj in self.a]

    def ball(self, radius: float | None) -> None:
        """f <- min(1, radius / ||f||) f; None for no ball."""
        if radius is None:
            return
        norm = math.sqrt(max(0.0, self.norm2()))
        if norm > radius:
            self.scale(radius / norm)

    def copy(self) -> "Expansion":
        other = Expansion(self.kernel, self.dim, self.outputs)
        other.x, other.a, other.age = list(self.x), list(self.a), list(self.age)
        return other

    def snapshot(self, delta: float = 0.0) -> Step:
        sv = np.array(self.x).reshape(len(self), self.dim)
        return Step(sv, self.coefficients(), delta, self.norm2())


def gram(kernel: Kernel, points: list[np.ndarray]) -> np.ndarray:
    """[k(x_i, x_j)]_ij"""
    n = len(points)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            K[i, j] = K[j, i] = kernel(points[i], points[j])
    return K


def distance(f: Expansion, g: Expansion) -> float:
    """||f - g|| in the RKHS: sqrt(d' K d), d the difference of the coefficients at every point of either."""
    difference: dict[bytes, np.ndarray] = {}
    point: dict[bytes, np.ndarray] = {}
    for sign, expansion in ((+1.0, f), (-1.0, g)):
        for x, a in zip(expansion.x, expansion.a, strict=True):
            key = x.tobytes()
            point[key] = x
            difference[key] = difference.get(key, 0.0) + sign * a
    h = Expansion(f.kernel, f.dim, f.outputs)
    for key, d in difference.items():
        h.append(point[key], d, 0)
    return math.sqrt(max(0.0, h.norm2()))


def step_value(kernel: Kernel, step: Step, x: np.ndarray) -> np.ndarray:
    """f(x) of a recorded state"""
    z = np.zeros(step.coef.shape[1])
    for xj, aj in zip(step.sv, step.coef, strict=True):
        z = z + aj * kernel(xj, x)
    return z


def oldest_of_equals(values: list[float], ages: list[float]) -> int:
    """Position of the minimum; of all within 1e-9 relative of it the lowest age, then the lowest position."""
    limit = min(values) + TIE * abs(min(values))
    best = None
    for j in range(len(values)):
        if values[j] <= limit and (best is None or ages[j] < ages[best]):
            best = j
    return best


def solve(K: np.ndarray, b: np.ndarray) -> np.ndarray:
    """K^-1 b by a dense solve (least squares of least norm if K is singular)."""
    return np.linalg.lstsq(K, b, rcond=None)[0]


def batches(X, Y, size: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """(t, examples, targets) for t = 1, 2, ...; the last batch may be smaller."""
    X = np.asarray(X, dtype=float)
    Y = np.asarray(Y)
    for t, first in enumerate(range(0, len(X), size), start=1):
        yield t, X[first : first + size], Y[first : first + size]


def start(X, kernel: Kernel, outputs: int) -> Expansion:
    """f = 0"""
    return Expansion(kernel, np.asarray(X).shape[1], outputs)
