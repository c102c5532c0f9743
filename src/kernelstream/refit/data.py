"""Data that is all there, as the refit sees it: what a function costs on it, and how that curves."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ..parallel import in_order
from . import sums
from .statistics import Statistics

BLOCK = 1024  # rows of kernel values in memory at once
SAMPLE = 16  # rows per support vector that the curvature is estimated from


class Places(Protocol):
    """Where rows are: sums over all of them can be had, and a few of them."""

    mass: float  #: the sum of their weights

    def total(self, fit: Statistics, term: Callable[..., tuple[Any, ...]], a: np.ndarray) -> list[Any]:
        """The sums of what `term(fit, X, Y, weight, a)` returns for some rows, over all rows."""

    def sample(self, size: int) -> tuple[Any, np.ndarray, np.ndarray]:
        """About so many rows, with targets and weights."""


class Here:
    """Rows in the memory of this process, those of positive weight."""

    def __init__(self, X: Any, Y: np.ndarray, weight: np.ndarray):
        self.X, self.Y, self.weight, self.mass = X, Y, weight, float(weight.sum())

    def total(self, fit: Statistics, term: Callable[..., tuple[Any, ...]], a: np.ndarray) -> list[Any]:
        def block(start: int) -> tuple[Any, ...]:
            some = slice(start, start + BLOCK)
            return term(fit, self.X[some], self.Y[some], self.weight[some], a)

        rows, columns = self.X.shape
        found = in_order(block, range(0, rows, BLOCK), float(rows) * fit.n * columns)
        return add(found)

    def sample(self, size: int) -> tuple[Any, np.ndarray, np.ndarray]:
        some = np.flatnonzero(self.weight)
        some = some[:: max(1, len(some) // max(size, 1))]
        return self.X[some], self.Y[some], self.weight[some]


def add(found: Any) -> list[Any]:
    """Tuples of numbers and arrays added up in their order, in float64."""
    total: list[Any] = []
    for each in found:
        total = [a + b for a, b in zip(total, each, strict=True)] if total else [np.asarray(e, float) for e in each]
    return total


class Data:
    """The rows to learn from, wherever they are."""

    def __init__(self, fit: Statistics, places: Places):
        self.fit, self.places, self.mass, self._gram = fit, places, places.mass, fit.gram
        self._sample = places.sample(SAMPLE * max(fit.n, 1))

    def part(self, X: Any, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kernel rows and targets of rows."""
        return self.fit.rows(X), self.fit.smooth.targets(Y, len(self.fit.own.coef))

    def sample(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of a few, and their weights, so that they stand for all."""
        X, Y, w = self._sample
        return *self.part(X, Y), w * (self.mass / max(float(w.sum()), 1e-300))

    def curvature(self, K: np.ndarray, w: np.ndarray) -> np.ndarray:
        """A bound on the second derivative of the sum of losses, from a sample."""
        root = np.sqrt(self.fit.smooth.curvature * w)[:, None].astype(K.dtype)
        return ((K * root).T @ (K * root)).astype(np.float64)

    def total(self, term: Callable[..., tuple[Any, ...]], a: np.ndarray) -> Sequence[Any]:
        return self.places.total(self.fit, term, a)

    def objective(self, a: np.ndarray) -> tuple[float, np.ndarray]:
        """N (λ/2 ‖f‖² + mean loss) of coefficients a, and its gradient; the support vectors are where they were."""
        losses, slope = self.total(sums.losses, a)
        pull = self.fit.lam * self.mass * (self._gram @ a)
        return 0.5 * float(np.sum(a * pull)) + float(losses), slope + pull
