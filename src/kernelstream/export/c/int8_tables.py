"""Quantization: a function with 8-bit tables that is as close as possible to the original.

A feature of the support vectors is an int8 times its own step, a whole number of units that all features share. So a
distance is a sum of squares of integers, exact and without floating point, and no feature loses precision because
another has a larger range. The coefficients are those of the projection onto the rounded vectors. They keep 16 bits,
because a few of them are large and cancel, and the difference must not be lost in rounding.
"""

from typing import NamedTuple

import numpy as np

from ..exported_function import ExportedFunction, FourierFunction, KernelExpansion, LinearFunction

_LARGEST = 2**31 - 1
_MAX_PROJECTED = 4096  # vectors: the time grows with their cube, and more of them fit no microcontroller
_RIDGE = 1e-4  # relative to κ(z, z): keeps coefficients small


class QuantizedVectors(NamedTuple):
    """values[j, k] = codes[j, k] · steps[k] · unit."""

    codes: np.ndarray
    steps: np.ndarray
    unit: float
    limit: int  # of a feature in these units; features are clipped to it

    @property
    def values(self) -> np.ndarray:
        found: np.ndarray = self.codes * (self.steps * self.unit)
        return found


def quantized_vectors(vectors: np.ndarray) -> QuantizedVectors:
    """Vectors in the smallest unit for which sums over all features fit 32 bits.

    Features to predict may be about twice as large as the largest of the support vectors; then a difference is at most
    three times as large, and d squares of it must stay below 2³¹.

    >>> quantized_vectors(np.array([[1.0, 0.01], [-0.5, -0.02]])).values.round(2).tolist()
    [[1.0, 0.01], [-0.5, -0.02]]
    """
    root = int(np.sqrt(_LARGEST / vectors.shape[1]))
    largest = float(np.abs(vectors).max(initial=0.0)) or 1.0
    unit = float(np.float32(3.0 * largest / root))
    widest = np.abs(vectors).max(axis=0, initial=0.0) / unit
    steps = np.ceil(np.maximum(widest / 127.0, 1.0)).astype(np.uint8)  # at most 122, for a single feature
    return QuantizedVectors(
        np.rint(vectors / (unit * steps)).astype(np.int8), steps, unit, root - 127 * int(steps.max()) - 1
    )


class QuantizedColumns(NamedTuple):
    """values = codes · factors, with one factor per column."""

    codes: np.ndarray
    factors: np.ndarray

    @property
    def values(self) -> np.ndarray:
        found: np.ndarray = self.codes * self.factors
        return found


def quantized_columns(values: np.ndarray, kind: type[np.signedinteger]) -> QuantizedColumns:
    largest = np.abs(values).max(axis=0, initial=0.0)
    factors = np.where(largest > 0.0, largest / np.iinfo(kind).max, 1.0)
    return QuantizedColumns(np.rint(values / factors).astype(kind), factors)


def coefficients(function: ExportedFunction) -> np.ndarray:
    """The coefficients of a function; of random features, those of cosine and sine alternate."""
    if isinstance(function, LinearFunction):
        return function.weights
    if isinstance(function, FourierFunction):
        both = np.stack([function.cosines, function.sines], axis=1)
        return both.reshape(-1, both.shape[2])
    return function.coefficients


def quantized(function: ExportedFunction) -> ExportedFunction:
    """The function that 8-bit tables compute, but for the rounding of rows to predict."""
    if isinstance(function, LinearFunction):
        return function._replace(weights=quantized_columns(function.weights, np.int16).values)
    if isinstance(function, FourierFunction):
        both = quantized_columns(coefficients(function), np.int16).values
        frequencies = quantized_columns(function.frequencies, np.int8).values
        return function._replace(frequencies=frequencies, cosines=both[0::2], sines=both[1::2])
    vectors = quantized_vectors(function.vectors).values
    moved = function._replace(vectors=vectors, products=(vectors + function.offset) @ function.offset)
    moved = moved._replace(coefficients=quantized_columns(_projected(function, moved), np.int16).values)
    return moved


def rounded_rows(rows: np.ndarray, function: KernelExpansion) -> np.ndarray:
    """Features to predict as whole numbers of units, clipped, as the C function rounds them."""
    codes = quantized_vectors(function.vectors)
    found: np.ndarray = np.clip(np.rint(rows / codes.unit), -codes.limit, codes.limit) * codes.unit
    return found


def _projected(function: KernelExpansion, moved: KernelExpansion) -> np.ndarray:
    """The coefficients with which `moved` is nearest to `function` in the space of the kernel."""
    a = function.coefficients
    if len(a) > _MAX_PROJECTED:
        return a
    own, across = moved.kernel_values(moved.vectors, np.float64), function.kernel_values(moved.vectors, np.float64)
    ridge = _RIDGE * abs(float(np.trace(own))) / len(a)
    found: np.ndarray = np.linalg.solve(own + ridge * np.eye(len(a)), across @ a + ridge * a)
    return found
