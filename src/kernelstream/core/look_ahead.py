"""Exact look-ahead: the kernel rows of the next examples by one matrix product.

Computed one at a time, each kernel row loads all support vectors into the cache again. Here the rows of the next
`length` examples are computed together, and each later change of a support vector is applied to the rows not used yet.
The examples are still learned one by one: the model equals that of row-by-row computation up to rounding.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .expansion import load
from .numba.lowering import by_row, compiled
from .numba.math import cast
from .rows import Csr, length, sqnorm
from .state import State, one
from .strategy import Count, Dims, Strategy, lowered, strategy
from .types import Array, Own, Parts, Row

# with fewer support vectors or features, a single row is as fast
LEAST, WIDE = 128, 32


class LookAhead(Strategy):
    """How the kernel row of an example is computed. The base class computes each row when it is needed."""

    __slots__ = ()

    def init(self, dims: Dims) -> tuple:
        return ()

    @lowered
    def forget(self, own: Own) -> None:
        """The next rows are not those computed ahead."""

    @lowered
    def foresee(self, own: Own, r: Parts, st: State, X: Any, i: int) -> None:
        """Row i of X is next."""

    @lowered
    def serve(self, own: Own, r: Parts, st: State, x: Row, xx: float, n: int) -> None:
        """work.row[j] = κ(x_j, x)."""
        r.kernel.row(st.expansion.sv, st.expansion.sq, x, xx, n, st.work.row, st.scratch)

    @lowered
    def together(self, X: Any, start: int, kernel: Any, block: "KernelBlock", sv: Array, sq: Array, n: int) -> bool:
        """The kernel values of a block of rows from `start` on; False, with nothing done, if it must be row by row."""
        return False

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has a new support vector."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be removed; the last one takes its slot."""

    @lowered
    def replaced(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has another point."""


@strategy
class RowByRow(LookAhead):
    """No look-ahead."""


class KernelBlock(NamedTuple):
    x: np.ndarray  # (d, length) the rows, stored like support vectors
    xx: np.ndarray  # their squared norms
    sq: np.ndarray  # (capacity,) squared norms of the SVs, in the precision of the store
    K: np.ndarray  # (length, capacity) kernel values


def block(length: int, dims: Dims) -> KernelBlock:
    d, cap, dtype = dims.features, dims.capacity, dims.dtype
    return KernelBlock(
        np.zeros((d, length), dtype), np.zeros(length), np.zeros(cap, dtype), np.zeros((length, cap), dtype)
    )


class BlockState(NamedTuple):
    block: KernelBlock
    at: np.ndarray  # the current row; `length` if there is none
    wait: np.ndarray  # examples until the next block is attempted
    z: np.ndarray  # (d,) a support vector that has changed
    column: np.ndarray  # (length,) its kernel values


@compiled
def fill(kernel: Any, block: KernelBlock, sv: Array, sq: Array, n: int) -> bool:
    """Compute the kernel values of a block; returns False, with nothing done, if they would not be accurate enough."""
    largest = 0.0
    for j in range(n):
        largest = max(largest, sq[j])
    most = 0.0
    for i in range(block.xx.shape[0]):
        most = max(most, block.xx[i])
    if not kernel.safe(largest + most, sv):
        return False
    for j in range(sv.shape[1]):
        block.sq[j] = cast(sq[j], sv)
    kernel.product(sv, block.sq, block.x, block.xx, n, block.K)
    return True


@compiled
def read(X: Array, block: KernelBlock, start: int) -> bool:
    """Copy the next rows into the block; returns False if X has too few, or one is not finite."""
    x, xx = block.x, block.xx
    if start + xx.shape[0] > length(X):
        return False
    for i in range(xx.shape[0]):
        row = X[start + i]
        xx[i] = sqnorm(row)
        if not math.isfinite(xx[i]):
            return False
        for k in range(x.shape[0]):
            x[k, i] = row[k]
    return True


def _together(X: Array, start: int, kernel: Any, block: KernelBlock, sv: Array, sq: Array, n: int) -> bool:
    return read(X, block, start) and fill(kernel, block, sv, sq, n)


def _together_sparse(X: Csr, start: int, kernel: Any, block: KernelBlock, sv: Array, sq: Array, n: int) -> bool:
    # the cost of a sparse row is that of its non-zeros, less than any dense product
    return False


together = by_row(_together, _together_sparse)


@strategy
class Blocks(LookAhead):
    """The kernel rows of the next `length` examples by one matrix product, if X is dense and long enough."""

    length: Count = 64

    def init(self, dims: Dims) -> BlockState:
        return BlockState(
            block(self.length, dims), one(self.length, np.int64), one(0, np.int64),
            np.zeros(dims.features, dims.dtype), np.zeros(self.length, dims.dtype),
        )  # fmt: skip

    def forget(self, own: BlockState) -> None:
        own.at[0] = self.length
        own.wait[0] = 0

    def foresee(self, own: BlockState, r: Parts, st: State, X: Any, i: int) -> None:
        ex = st.expansion
        own.at[0] = min(own.at[0] + 1, self.length)
        if own.wait[0] > 0:
            own.wait[0] -= 1
        elif own.at[0] == self.length and ex.n[0] >= LEAST and 2 * ex.n[0] >= ex.sq.shape[0]:
            if self.together(X, i, r.kernel, own.block, ex.sv, ex.sq, ex.n[0]):
                own.at[0] = 0
            else:
                own.wait[0] = self.length

    def together(self, X: Any, start: int, kernel: Any, block: KernelBlock, sv: Array, sq: Array, n: int) -> bool:
        return together(X, start, kernel, block, sv, sq, n)

    def serve(self, own: BlockState, r: Parts, st: State, x: Row, xx: float, n: int) -> None:
        row, ex = st.work.row, st.expansion
        if own.at[0] < self.length:
            ready = own.block.K[own.at[0]]
            for j in range(n):
                row[j] = ready[j]
        else:
            r.kernel.row(ex.sv, ex.sq, x, xx, n, row, st.scratch)

    def inserted(self, own: BlockState, r: Parts, st: State, j: int) -> None:
        self.renew(own, r, st, j)

    def replaced(self, own: BlockState, r: Parts, st: State, j: int) -> None:
        self.renew(own, r, st, j)

    @lowered
    def renew(self, own: BlockState, r: Parts, st: State, j: int) -> None:
        """SV j is new: compute its values in the rows not used yet."""
        first, block, column = own.at[0] + 1, own.block, own.column
        if first < self.length:
            load(st.expansion, j, own.z)
            r.kernel.row(block.x, block.xx, own.z, st.expansion.sq[j], self.length, column, st.scratch)
            for i in range(first, self.length):
                block.K[i, j] = column[i]

    def dropping(self, own: BlockState, r: Parts, st: State, j: int) -> None:
        K, last = own.block.K, st.expansion.n[0] - 1
        for i in range(own.at[0] + 1, self.length):
            K[i, j] = K[i, last]
