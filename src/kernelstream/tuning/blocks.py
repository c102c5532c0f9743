"""Sums over rows, a block at a time, in as many threads as are allowed; the result does not depend on their number."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.parallel import in_order
from ..refit.sources import add_up
from .gaussian_rows import gaussian_rows

BLOCK = 1024  # rows: their kernel values stay in the cache while they are worked on
FEW = 4_000  # rows: with more, products in float64 would take longer than all else


def blocks(rows: int) -> list[slice]:
    return [slice(start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK)]


def summed(term: Callable[[slice], tuple[Any, ...]], rows: int, work: float) -> list[Any]:
    """The sums, in float64, of what `term` returns for each block; `work` is in multiplications."""
    return add_up(in_order(term, blocks(rows), work))


def kernel_matrix(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """`gaussian_rows`, block by block."""
    found = np.empty((len(X), len(Z)), np.float32)

    def fill(some: slice) -> None:
        gaussian_rows(X[some], Z, out=found[some])

    for _ in in_order(fill, blocks(len(X)), float(found.size) * (X.shape[1] + 20)):  # an exponential counts for 20
        pass
    return found


def normal_matrix(K: np.ndarray, short: np.ndarray | None = None, precise: bool = False) -> np.ndarray:
    """KᵀK over all rows, or over those that `short` is true for. Of few rows, or if it is to be `precise`, products are
    in float64: the smallest eigenvalues of wide kernels are below the rounding of float32, and so is the penalty then.
    """
    precise = precise or len(K) < FEW

    def term(some: slice) -> tuple[np.ndarray]:
        part = K[some] if short is None else K[some][short[some]]
        part = part.astype(np.float64) if precise else part
        return (part.T @ part,)

    return np.asarray(summed(term, len(K), 0.5 * float(K.size) * K.shape[1])[0])


class ShortRows:
    """KᵀK over the rows short of their margin, kept from one step of Newton's method to the next: few rows change."""

    def __init__(self, K: np.ndarray) -> None:
        self.K, self.short = K, np.zeros(len(K), bool)
        self.found = np.zeros((K.shape[1], K.shape[1]))

    def normal_matrix(self, short: np.ndarray) -> np.ndarray:
        come, gone = short & ~self.short, self.short & ~short
        if come.sum() + gone.sum() < short.sum():
            self.found = self.found + normal_matrix(self.K, come) - normal_matrix(self.K, gone)
        else:
            self.found = normal_matrix(self.K, short)
        self.short = short
        return self.found
