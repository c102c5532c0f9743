"""Scaling of features, fixed by the first rows."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import csr_matrix


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
        mean = X.mean(axis=0)
        return cls(mean, _inverse(X.std(axis=0), np.abs(mean)))

    @classmethod
    def sparse(cls, X: csr_matrix) -> Self:
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        return cls(np.zeros(X.shape[1]), _inverse(np.sqrt(np.maximum(square - mean**2, 0.0)), np.abs(mean)))


class MinMax(Scaling):
    """Minimum 0 and maximum 1; sparse rows: absolute values at most 1.

    >>> MinMax.dense(np.array([[1.0], [3.0]])).apply(np.array([[2.0], [5.0]])).tolist()
    [[0.5], [2.0]]
    """

    name = "minmax"

    @classmethod
    def dense(cls, X: np.ndarray) -> Self:
        low = X.min(axis=0)
        return cls(low, _inverse(X.max(axis=0) - low, np.abs(low)))

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
