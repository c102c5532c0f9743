"""Data that is all there, as the refit sees it: what a function costs on it, and how that curves."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..parallel import in_order
from .statistics import Statistics

BLOCK = 1024  # rows of kernel values in memory at once
SAMPLE = 16  # rows per support vector that the curvature is estimated from


class Data:
    """The rows to learn from, those of positive weight."""

    def __init__(self, fit: Statistics, X: Any, Y: np.ndarray, weight: np.ndarray):
        self.fit, self.X, self.Y, self.weight = fit, X, Y, weight
        self.mass, self._gram = float(weight.sum()), fit.gram
        some = np.flatnonzero(weight)
        self._sample = some[:: max(1, len(some) // (SAMPLE * max(fit.n, 1)))]

    def part(self, index: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kernel rows, targets and weights of some of them."""
        targets = self.fit.smooth.targets(self.Y[index], len(self.fit.own.coef))
        return self.fit.rows(self.X[index]), targets, self.weight[index]

    def sample(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of a few, weighted so that they stand for all."""
        K, T, w = self.part(self._sample)
        return K, T, w * (self.mass / max(float(w.sum()), 1e-300))

    def curvature(self, K: np.ndarray, w: np.ndarray) -> np.ndarray:
        """A bound on the second derivative of the sum of losses, from a sample."""
        root = np.sqrt(self.fit.smooth.curvature * w)[:, None].astype(K.dtype)
        return ((K * root).T @ (K * root)).astype(np.float64)

    def total(self, block: Callable[[int], tuple[Any, ...]]) -> list[Any]:
        """The sums of what `block(start)` returns, over all blocks of rows."""
        rows, columns = self.X.shape
        sums: list[Any] = []
        for found in in_order(block, range(0, rows, BLOCK), float(rows) * self.fit.n * columns):
            sums = [a + b for a, b in zip(sums, found, strict=True)] if sums else [np.asarray(f, float) for f in found]
        return sums

    def objective(self, a: np.ndarray) -> tuple[float, np.ndarray]:
        """N (λ/2 ‖f‖² + mean loss) of coefficients a, and its gradient; the support vectors are where they were."""
        short, smooth = a.astype(self.fit.own.sv.dtype), self.fit.smooth

        def block(start: int) -> tuple[float, np.ndarray]:
            K, T, w = self.part(slice(start, start + BLOCK))
            losses, slopes = smooth.loss(K @ short, T.astype(K.dtype, copy=False))
            return float(w @ losses), K.T @ (w[:, None] * slopes).astype(K.dtype)

        losses, slope = self.total(block)
        pull = self.fit.lam * self.mass * (self._gram @ a)
        return 0.5 * float(np.sum(a * pull)) + float(losses), slope + pull
