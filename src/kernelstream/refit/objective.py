"""The objective that a refit minimises, and its curvature."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..losses.smooth import Smooth
from .sources import RowSource, Term
from .statistics import Statistics

ENOUGH = 8  # rows per support vector, from which the curvature is estimated: with 2, passes end before the minimum
LEAST, MOST = 4_000, 16_000  # such rows in all: with more of them, the estimate takes longer than several passes,
SHARE = 0.4  # and with more than this share of all rows
FEWEST = 2  # per support vector, even if these are more than MOST


def curvature_rows(support: int, rows: int) -> int:
    """How many rows the curvature is estimated from, of all that there are.

    >>> [curvature_rows(support, 1_000_000) for support in (100, 500, 2_000, 5_000, 10_000)]
    [4000, 4000, 16000, 16000, 20000]
    >>> curvature_rows(500, 20_000), curvature_rows(2_000, 20_000)
    (4000, 8000)
    """
    most = max(min(MOST, int(SHARE * rows)), LEAST)
    return max(FEWEST * support, min(max(ENOUGH * support, LEAST), most))


def losses(fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray) -> tuple[float, np.ndarray]:
    """The sum of losses of coefficients a on rows, and its gradient."""
    K, slopes, total = _slopes(fit, X, Y, w, a)
    return total, K.T @ slopes


def losses_and_positions(
    fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The same, and the sums for the gradient in the positions of the support vectors."""
    K, slopes, total = _slopes(fit, X, Y, w, a)
    W = (slopes @ a.astype(K.dtype).T) * K
    return total, K.T @ slopes, np.asarray(W.T @ X.astype(K.dtype)), W.sum(axis=0)


def _slopes(
    fit: Statistics, X: Any, Y: np.ndarray, w: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    K, T = fit.passing_rows(X), fit.smooth.targets(Y, len(fit.own.coef))
    found, slopes = fit.smooth.loss(K @ a.astype(K.dtype), T.astype(K.dtype, copy=False))
    return K, (w[:, None] * slopes).astype(K.dtype), float(w @ found)


class Objective:
    """N (λ/2 ‖f‖² + mean loss) over the rows of a source, as a function of the coefficients."""

    def __init__(self, fit: Statistics, source: RowSource) -> None:
        self.fit, self.source, self.mass, self.gram = fit, source, source.mass, fit.gram
        self._sample = source.sample(curvature_rows(fit.n, source.rows))

    def with_loss(self, smooth: Smooth) -> "Objective":
        """The same rows and support vectors with another loss."""
        found, fit = copy.copy(self), self.fit
        found.fit = Statistics(fit.own, fit.kernel, smooth, fit.lam)
        return found

    def part(self, X: Any, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kernel rows and targets of rows."""
        return self.fit.rows(X), self.fit.smooth.targets(Y, len(self.fit.own.coef))

    def sample(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same for a sample of rows, and their weights, scaled to the mass of all rows."""
        X, Y, w = self._sample
        return *self.part(X, Y), w * (self.mass / max(float(w.sum()), 1e-300))

    def curvature(self, K: np.ndarray, w: np.ndarray) -> np.ndarray:
        """A bound on the second derivative of the sum of losses, from a sample."""
        root = np.sqrt(self.fit.smooth.curvature * w)[:, None].astype(K.dtype)
        scaled = K * root
        return (scaled.T @ scaled).astype(np.float64)  # of one array with itself: half the multiplications

    def total(self, term: Term, a: np.ndarray) -> Sequence[Any]:
        return self.source.total(self.fit, term, a)

    def __call__(self, a: np.ndarray) -> tuple[float, np.ndarray]:
        """Its value and gradient at coefficients a, for fixed support vectors."""
        return self.begin(a)()

    def begin(self, a: np.ndarray) -> Callable[[], tuple[float, np.ndarray]]:
        """The same, to be called for when it is needed: workers elsewhere begin at once."""
        found = self.source.begin(self.fit, losses, a)

        def result() -> tuple[float, np.ndarray]:
            total, slope = found()
            pull = self.fit.lam * self.mass * (self.gram @ a)
            return 0.5 * float(np.sum(a * pull)) + float(total), slope + pull

        return result
