"""Scaling of features, fixed by the first rows."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import csr_matrix

_VAST = 1e150  # the squares of larger numbers overflow


class Scaling(ABC):
    """(x − shift) · factor for every numeric column; sparse rows x · factor. Features added later are not scaled."""

    name: ClassVar[str]

    def __init__(self, shift: np.ndarray, factor: np.ndarray):
        self.shift, self.factor = shift, factor

    @classmethod
    @abstractmethod
    def dense(cls, X: np.ndarray) -> Self:
        """Fitted to the first rows."""

    @classmethod
    @abstractmethod
    def sparse(cls, X: csr_matrix) -> Self:
        """Fitted to the first rows, zeros included; without a shift, so that zeros stay zeros."""

    def apply(self, X: np.ndarray) -> np.ndarray:
        """The scaled rows; X may have more columns than the first rows."""
        known = len(self.factor)
        if X.shape[1] == known:
            return (X - self.shift) * self.factor
        scaled = X.copy()
        scaled[:, :known] = (X[:, :known] - self.shift) * self.factor
        return scaled

    def apply_sparse(self, indices: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The scaled values of these columns."""
        factors = np.append(self.factor, 1.0)
        return values * factors[np.minimum(indices, len(self.factor))]

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "shift": self.shift.tolist(), "factor": self.factor.tolist()}


class Unscaled(Scaling):
    name = "none"

    @classmethod
    def dense(cls, X: np.ndarray) -> Self:
        return cls(np.zeros(X.shape[1]), np.ones(X.shape[1]))

    @classmethod
    def sparse(cls, X: csr_matrix) -> Self:
        return cls(np.zeros(X.shape[1]), np.ones(X.shape[1]))


class Standard(Scaling):
    """Mean 0 and standard deviation 1.

    >>> Standard.dense(np.array([[1.0, 7.0], [3.0, 7.0]])).apply(np.array([[3.0, 8.0]])).tolist()
    [[1.0, 1.0]]
    """

    name = "standard"

    @classmethod
    def dense(cls, X: np.ndarray) -> Self:
        mean, deviation = X.mean(axis=0), X.std(axis=0)
        vast = ~(np.isfinite(mean) & np.isfinite(deviation))  # sums or squares overflow
        if vast.any():
            size = np.abs(X[:, vast]).max(axis=0)
            mean[vast] = (X[:, vast] / size).mean(axis=0) * size
            deviation[vast] = (X[:, vast] / size).std(axis=0) * size
        return cls(mean, _inverse(deviation, np.abs(mean)))

    @classmethod
    def sparse(cls, X: csr_matrix) -> Self:
        size = np.ones(X.shape[1])
        if np.abs(X.data).max(initial=0.0) > _VAST:
            size = np.maximum(np.asarray(abs(X).max(axis=0).todense()).ravel(), 1.0)
            X = csr_matrix(X.multiply(1.0 / size))
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        deviation = np.sqrt(np.maximum(square - mean**2, 0.0)) * size
        return cls(np.zeros(X.shape[1]), _inverse(deviation, np.abs(mean) * size))


class MinMax(Scaling):
    """Minimum 0 and maximum 1; sparse rows: absolute values at most 1.

    >>> MinMax.dense(np.array([[1.0], [3.0]])).apply(np.array([[2.0], [5.0]])).tolist()
    [[0.5], [2.0]]
    """

    name = "minmax"

    @classmethod
    def dense(cls, X: np.ndarray) -> Self:
        low, high = X.min(axis=0), X.max(axis=0)
        factor = _inverse(high - low, np.abs(low))
        # where the difference overflows, half of it does not
        return cls(low, np.where(np.isinf(high - low), 0.5 * _inverse(high / 2 - low / 2, np.zeros_like(low)), factor))

    @classmethod
    def sparse(cls, X: csr_matrix) -> Self:
        largest = np.asarray(abs(X).max(axis=0).todense()).ravel()
        return cls(np.zeros(X.shape[1]), _inverse(largest, largest))


def _inverse(width: np.ndarray, size: np.ndarray) -> np.ndarray:
    """1/width; 1 where a column is constant up to rounding."""
    return np.divide(1.0, width, out=np.ones_like(width), where=width > 1e-12 * size)


SCALINGS: dict[str, type[Scaling]] = {kind.name: kind for kind in (Standard, MinMax, Unscaled)}


def scaling_from_dict(saved: dict[str, Any]) -> Scaling:
    return SCALINGS[saved["name"]](np.array(saved["shift"], np.float64), np.array(saved["factor"], np.float64))
