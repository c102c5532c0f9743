"""The rows of a refit: in memory, or in any backend that can compute sums over them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..core.parallel import in_order
from .statistics import Statistics

BLOCK = 1024  # rows of kernel values in memory at once

Term = Callable[..., tuple[Any, ...]]  # term(fit, X, Y, weight, a): sums over some rows


class Rows(NamedTuple):
    """Rows with targets and weights."""

    X: Any
    Y: np.ndarray
    weight: np.ndarray


class RowSource(Protocol):
    """The rows to fit: sums over all of them, and a sample. A new backend, besides memory and Dask, implements this."""

    mass: float  #: the sum of their weights
    rows: int  #: their number

    def total(self, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
        """The sums over all rows of what `term` returns for some of them."""

    def begin(self, fit: Statistics, term: Term, a: np.ndarray) -> Callable[[], list[Any]]:
        """Start to compute `total` where the rows are, if that is elsewhere; what is returned waits for the result."""

    def sample(self, size: int) -> Rows:
        """About `size` rows."""


class InMemory:
    """Rows in the memory of this process; rows of weight 0 are ignored."""

    def __init__(self, X: Any, Y: np.ndarray, weight: np.ndarray) -> None:
        self.X, self.Y, self.weight, self.mass = X, Y, weight, float(weight.sum())
        self.rows = int(np.count_nonzero(weight))

    def total(self, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
        def block(start: int) -> tuple[Any, ...]:
            some = slice(start, start + BLOCK)
            return term(fit, self.X[some], self.Y[some], self.weight[some], a)

        rows, columns = self.X.shape
        return add_up(in_order(block, range(0, rows, BLOCK), float(rows) * fit.n * columns))

    def begin(self, fit: Statistics, term: Term, a: np.ndarray) -> Callable[[], list[Any]]:
        return partial(self.total, fit, term, a)

    def sample(self, size: int) -> Rows:
        some = np.flatnonzero(self.weight)
        if size < len(some):
            some = some[np.linspace(0, len(some) - 1, size).astype(np.int64)]
        return Rows(self.X[some], self.Y[some], self.weight[some])


def add_up(found: Iterable[Iterable[Any]]) -> list[Any]:
    """The sum of tuples of numbers and arrays, in their order, in float64."""
    total: list[Any] = []
    for each in found:
        total = [a + b for a, b in zip(total, each, strict=True)] if total else [np.asarray(e, float) for e in each]
    return total
