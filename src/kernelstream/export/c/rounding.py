"""A function whose tables fit 8 bits, as close as may be to the one it stands for.

A feature of the support vectors is an int8 times a step of its own, a whole number of units that all features share. So
a distance is a sum of squares of integers, exact and without floating point, and no feature loses its digits because
another one has a longer range. Rounded vectors span another space of functions: the coefficients are those of the
projection on it. They keep 16 bits, because few of them are large, those cancel, and what is left must not be noise.
"""

from typing import NamedTuple

import numpy as np

from ..shapes import Affine, Expansion, Shape, Waves

_LARGEST = 2**31 - 1
_MOST = 4096  # vectors that are projected on: the time grows with their cube, and more of them fit no microcontroller
_RIDGE = 1e-4  # of κ(z, z): what keeps coefficients from growing


class Grid(NamedTuple):
    """Vectors as codes: values[j, k] = codes[j, k] · steps[k] · unit."""

    codes: np.ndarray
    steps: np.ndarray
    unit: float
    limit: int  # of a feature in these units; what is beyond is taken to be there

    @property
    def values(self) -> np.ndarray:
        found: np.ndarray = self.codes * (self.steps * self.unit)
        return found


def grid(vectors: np.ndarray) -> Grid:
    """Vectors in units so small that sums over all features just fit 32 bits.

    Features to predict may be about twice as large as the largest of the support vectors; then a difference is three
    times that at most, and d squares of it must stay below 2³¹.

    >>> grid(np.array([[1.0, 0.01], [-0.5, -0.02]])).values.round(2).tolist()
    [[1.0, 0.01], [-0.5, -0.02]]
    """
    root = int(np.sqrt(_LARGEST / vectors.shape[1]))
    largest = float(np.abs(vectors).max(initial=0.0)) or 1.0
    unit = float(np.float32(3.0 * largest / root))
    widest = np.abs(vectors).max(axis=0, initial=0.0) / unit
    steps = np.ceil(np.maximum(widest / 127.0, 1.0)).astype(np.uint8)  # 122 at most, of a single feature
    return Grid(np.rint(vectors / (unit * steps)).astype(np.int8), steps, unit, root - 127 * int(steps.max()) - 1)


class Codes(NamedTuple):
    """values = codes · factors, one factor for every column."""

    codes: np.ndarray
    factors: np.ndarray

    @property
    def values(self) -> np.ndarray:
        found: np.ndarray = self.codes * self.factors
        return found


def coded(values: np.ndarray, kind: type[np.signedinteger]) -> Codes:
    largest = np.abs(values).max(axis=0, initial=0.0)
    factors = np.where(largest > 0.0, largest / np.iinfo(kind).max, 1.0)
    return Codes(np.rint(values / factors).astype(kind), factors)


def coefficients(function: Shape) -> np.ndarray:
    """What scores are sums of; of waves those of the cosine and the sine of every frequency, one after the other."""
    if isinstance(function, Affine):
        return function.weights
    if isinstance(function, Waves):
        both = np.stack([function.cosines, function.sines], axis=1)
        return both.reshape(-1, both.shape[2])
    return function.coefficients


def rounded(function: Shape) -> Shape:
    """The function that tables of 8 bits give, but for the rounding of rows to predict."""
    if isinstance(function, Affine):
        return function._replace(weights=coded(function.weights, np.int16).values)
    if isinstance(function, Waves):
        both = coded(coefficients(function), np.int16).values
        frequencies = coded(function.frequencies, np.int8).values
        return function._replace(frequencies=frequencies, cosines=both[0::2], sines=both[1::2])
    vectors = grid(function.vectors).values
    moved = function._replace(vectors=vectors, products=(vectors + function.offset) @ function.offset)
    moved = moved._replace(coefficients=coded(_projected(function, moved), np.int16).values)
    return moved


def _projected(function: Expansion, moved: Expansion) -> np.ndarray:
    """The coefficients with which `moved` is nearest to `function` in the kernel's space."""
    a = function.coefficients
    if len(a) > _MOST:
        return a
    own, across = moved.kernel_values(moved.vectors, np.float64), function.kernel_values(moved.vectors, np.float64)
    ridge = _RIDGE * abs(float(np.trace(own))) / len(a)
    found: np.ndarray = np.linalg.solve(own + ridge * np.eye(len(a)), across @ a + ridge * a)
    return found
