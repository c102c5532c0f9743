"""The interface of a kernel: a row of values against all support vectors.

Most kernels are a scalar map of one number per pair: a squared distance (`Radial`), a dot product (`OfDot`) or a
Manhattan distance (`OfManhattan`). Those rows vectorise. Any other kernel is computed pair by pair (`Pairwise`).
"""

import math
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from ..core.numba.math import cast
from ..core.precision import cancellation
from ..core.rows import dense, dots, manhattan, sqdist
from ..core.state import Scratch, State
from ..core.strategy import Dims, Strategy, lowered
from ..core.types import Array, Row


class Kernel(Strategy):
    """A kernel κ(x, z), for stage 1, evaluate. Kernels can be added and multiplied: `Gaussian(2) + 0.1 * Linear()`."""

    __slots__ = ()
    normalised = False  # κ(x, x) = 1 for every x
    mergeable = False  # two support vectors can be merged into a point between them
    fixed = False  # has a fixed basis instead of support vectors
    blocks = False  # many rows at once can be computed by a matrix product

    @property
    def size(self) -> int:
        """The size of its fixed basis; 0 if it has none."""
        return 0

    def begin(self, state: State, dims: Dims) -> None:
        """Prepare the state of a new model (from Python)."""

    def gram(self, sv: np.ndarray) -> np.ndarray:
        """Inner products of the basis functions of these support vectors."""
        return self(sv)

    @lowered
    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        """out[j] = κ(x_j, x) for j < n, where sq[j] = ‖x_j‖² and xx = ‖x‖²."""
        raise NotImplementedError

    @lowered
    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        """κ(x, x) as a float64."""
        raise NotImplementedError

    @lowered
    def pair(self, x: Array, z: Array) -> float:
        """κ(x, z) of two dense vectors."""
        raise NotImplementedError

    @lowered
    def product(self, sv: Array, sq: Array, x: Array, xx: Array, n: int, out: Array) -> None:
        """out[i, j] = κ(x_j, x_i) for j < n by a matrix product; x is stored as sv is, sq in the precision of out.

        Called only if `safe` returns True.
        """

    @lowered
    def safe(self, square: float, like: Any) -> bool:
        """Whether `product` is accurate enough for ‖x_i‖² + ‖x_j‖² up to `square` in the precision of `like`."""
        return False

    @lowered
    def steepness(self) -> float:
        """The largest |dκ/du| of a kernel of the squared distance u."""
        return math.inf

    @lowered(inline=True)
    def of(self, u: Any) -> Any:
        """The kernel as a function of the distance or product of a pair."""
        raise NotImplementedError

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        """The matrix κ(X_i, Z_j), in float64."""
        X = np.atleast_2d(np.asarray(X, np.float64))
        return self.matrix(X, X if Z is None else np.atleast_2d(np.asarray(Z, np.float64)))

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.array([[self.pair(x, z) for z in Z] for x in X])

    def quick(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """The same for float64 rows by the fastest method, with an error of at most about 1e-12."""
        return self.matrix(X, Z)

    def __add__(self, other: Any) -> "Kernel":
        from .combine import add

        return add(self, other)

    def __mul__(self, other: Any) -> "Kernel":
        from .combine import multiply

        return multiply(self, other)

    __rmul__ = __mul__


def unit_diagonal(self: Any, x: Row, xx: float, scratch: Scratch) -> float:
    """The `diagonal` of a normalised kernel."""
    return 1.0


class Radial(Kernel):
    """A kernel that is a function `of(u)` of the squared distance u = ‖x − z‖²."""

    __slots__ = ()

    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        sqdist(sv, sq, x, xx, n, out, scratch.wide)
        for j in range(n):
            out[j] = self.of(out[j])

    def product(self, sv: Array, sq: Array, x: Array, xx: Array, n: int, out: Array) -> None:
        np.dot(x.T, sv, out)
        two, zero = cast(2.0, out), cast(0.0, out)
        for i in range(x.shape[1]):
            row, square = out[i], cast(xx[i], out)
            for j in range(n):
                row[j] = self.of(max(square + sq[j] - two * row[j], zero))

    def safe(self, square: float, like: Any) -> bool:
        return self.steepness() * square <= cancellation(like)

    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        return np.float64(self.of(0.0))

    def pair(self, x: Array, z: Array) -> float:
        u = 0.0
        for k in range(x.shape[0]):
            u += (np.float64(x[k]) - np.float64(z[k])) ** 2
        return self.of(u)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.of(cdist(X, Z, "sqeuclidean"))

    def quick(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        centre, same = Z.mean(axis=0), X is Z
        Z = Z - centre
        X = Z if same else X - centre  # the product of an array with itself takes half the time, and is symmetric
        xx, zz = np.square(X).sum(axis=1), np.square(Z).sum(axis=1)
        if not self.steepness() * (xx.max(initial=0.0) + zz.max(initial=0.0)) <= 1e3:
            return self.matrix(X, Z)  # ‖x‖² + ‖z‖² − 2x·z would cancel too many digits
        return self.of(np.maximum(xx[:, None] + zz - 2.0 * (X @ Z.T), 0.0))


class OfDot(Kernel):
    """A kernel that is a function `of(u)` of the dot product u = x · z."""

    __slots__ = ()

    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        dots(sv, x, n, out)
        for j in range(n):
            out[j] = self.of(out[j])

    def product(self, sv: Array, sq: Array, x: Array, xx: Array, n: int, out: Array) -> None:
        np.dot(x.T, sv, out)
        for i in range(x.shape[1]):
            row = out[i]
            for j in range(n):
                row[j] = self.of(row[j])

    def safe(self, square: float, like: Any) -> bool:
        return True

    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        return np.float64(self.of(xx))

    def pair(self, x: Array, z: Array) -> float:
        u = 0.0
        for k in range(x.shape[0]):
            u += np.float64(x[k]) * np.float64(z[k])
        return self.of(u)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.of(X @ Z.T)


class OfManhattan(Kernel):
    """A kernel that is a function `of(u)` of the Manhattan distance u = Σ_k |x_k − z_k|."""

    __slots__ = ()

    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        manhattan(sv, dense(x, scratch.x), n, out)
        for j in range(n):
            out[j] = self.of(out[j])

    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        return np.float64(self.of(0.0))

    def pair(self, x: Array, z: Array) -> float:
        u = 0.0
        for k in range(x.shape[0]):
            u += abs(np.float64(x[k]) - np.float64(z[k]))
        return self.of(u)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.of(cdist(X, Z, "cityblock"))


class Pairwise(Kernel):
    """A kernel that is any function of two vectors, computed one pair at a time."""

    __slots__ = ()

    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        dx, z = dense(x, scratch.x), scratch.z
        for j in range(n):
            for k in range(z.shape[0]):
                z[k] = sv[k, j]
            out[j] = self.pair(dx, z)

    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        dx = dense(x, scratch.x)
        return np.float64(self.pair(dx, dx))
