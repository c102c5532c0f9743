"""Sums, products and multiples of kernels.

Two kernels of the same family combine into one scalar map and keep the fast row. Other combinations are computed pair
by pair: a sum that computed two rows would need two buffers, and a nested sum would overwrite them.
"""

import numbers
from typing import Any

import numpy as np

from ..core.numba.math import cast
from ..core.strategy import Positive, strategy
from ..core.types import Array
from .base import Kernel, OfDot, OfManhattan, Pairwise, Radial
from .gaussian import Gaussian


def _of_sum(self: Any, u: Any) -> Any:
    return self.left.of(u) + self.right.of(u)


def _of_product(self: Any, u: Any) -> Any:
    return self.left.of(u) * self.right.of(u)


def _of_multiple(self: Any, u: Any) -> Any:
    return cast(self.factor, u) * self.kernel.of(u)


@strategy
class RadialSum(Radial):
    """The sum of two kernels of the squared distance."""

    left: Kernel
    right: Kernel
    of = _of_sum


@strategy
class RadialProduct(Radial):
    """The product of two kernels of the squared distance."""

    left: Kernel
    right: Kernel
    of = _of_product


@strategy
class RadialMultiple(Radial):
    """A positive multiple of a kernel of the squared distance."""

    kernel: Kernel
    factor: Positive
    of = _of_multiple


@strategy
class DotSum(OfDot):
    """The sum of two kernels of the dot product."""

    left: Kernel
    right: Kernel
    of = _of_sum


@strategy
class DotProduct(OfDot):
    """The product of two kernels of the dot product."""

    left: Kernel
    right: Kernel
    of = _of_product


@strategy
class DotMultiple(OfDot):
    """A positive multiple of a kernel of the dot product."""

    kernel: Kernel
    factor: Positive
    of = _of_multiple


@strategy
class ManhattanSum(OfManhattan):
    """The sum of two kernels of the Manhattan distance."""

    left: Kernel
    right: Kernel
    of = _of_sum


@strategy
class ManhattanProduct(OfManhattan):
    """The product of two kernels of the Manhattan distance."""

    left: Kernel
    right: Kernel
    of = _of_product


@strategy
class ManhattanMultiple(OfManhattan):
    """A positive multiple of a kernel of the Manhattan distance."""

    kernel: Kernel
    factor: Positive
    of = _of_multiple


@strategy
class MixedSum(Pairwise):
    """The sum of any two kernels."""

    left: Kernel
    right: Kernel

    def pair(self, x: Array, z: Array) -> float:
        return self.left.pair(x, z) + self.right.pair(x, z)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.left.matrix(X, Z) + self.right.matrix(X, Z)


@strategy
class MixedProduct(Pairwise):
    """The product of any two kernels."""

    left: Kernel
    right: Kernel

    def pair(self, x: Array, z: Array) -> float:
        return self.left.pair(x, z) * self.right.pair(x, z)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.left.matrix(X, Z) * self.right.matrix(X, Z)


@strategy
class MixedMultiple(Pairwise):
    """A positive multiple of any kernel."""

    kernel: Kernel
    factor: Positive

    def pair(self, x: Array, z: Array) -> float:
        return self.factor * self.kernel.pair(x, z)

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.factor * self.kernel.matrix(X, Z)


_SUMS = {Radial: RadialSum, OfDot: DotSum, OfManhattan: ManhattanSum, Pairwise: MixedSum}
_PRODUCTS = {Radial: RadialProduct, OfDot: DotProduct, OfManhattan: ManhattanProduct, Pairwise: MixedProduct}
_MULTIPLES = {Radial: RadialMultiple, OfDot: DotMultiple, OfManhattan: ManhattanMultiple, Pairwise: MixedMultiple}


def _family(*kernels: Any) -> type[Kernel]:
    return next((f for f in (Radial, OfDot, OfManhattan) if all(isinstance(k, f) for k in kernels)), Pairwise)


def add(left: Any, right: Any) -> Kernel:
    if not isinstance(right, Kernel):
        return NotImplemented
    return _SUMS[_family(left, right)](left, right)


def multiply(left: Any, right: Any) -> Kernel:
    if isinstance(right, numbers.Real):
        return _MULTIPLES[_family(left)](left, float(right))
    if not isinstance(right, Kernel):
        return NotImplemented
    if isinstance(left, Gaussian) and isinstance(right, Gaussian):
        first, second = left.gamma, right.gamma
        if not isinstance(first, str) and not isinstance(second, str):
            return Gaussian(first + second)  # stays mergeable
    return _PRODUCTS[_family(left, right)](left, right)
