"""Kernel values of many rows against a set of support vectors, compiled, from any number of threads."""

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse

from .types import Array

if TYPE_CHECKING:
    from ..kernels import Kernel
from .inputs import canonical
from .look_ahead import WIDE, together
from .numba.cache import fingerprint, specialise
from .numba.views import unowned
from .rows import length, sqnorm, take
from .strategy import Dims
from .workspace import new_workspace

TOGETHER = 64  # rows per matrix product


def rows_singly(kernel: Any, X: Any, sv: Array, sq: Array, n: int, out: Array, workspace: Any) -> None:
    """Entry point: out[i, j] = κ(x_j, X[i]) for j < n."""
    X, sv, sq, out = unowned(X), unowned(sv), unowned(sq), unowned(out)
    for i in range(length(X)):
        x = take(X, i)
        kernel.row(sv, sq, x, sqnorm(x), n, out[i], workspace.scratch)


def rows_together(kernel: Any, X: Any, sv: Array, sq: Array, n: int, out: Array, workspace: Any) -> int:
    """Entry point: the same by matrix products, for whole blocks of rows; returns the number of rows done."""
    X, sv, sq, out, block = unowned(X), unowned(sv), unowned(sq), unowned(out), workspace.block
    step, i = block.xx.shape[0], 0
    while together(X, i, kernel, block, sv, sq, n):
        for k in range(step):
            for j in range(n):
                out[i + k, j] = block.K[k, j]
        i += step
    return i


class KernelRows:
    """Computes κ(X_i, x_j) in the precision of the support vectors, which are stored as an expansion stores them."""

    def __init__(self, kernel: "Kernel", dims: Dims) -> None:
        self.kernel, self.dims = kernel, dims
        self._singly, self._together = (specialise(f, *fingerprint(kernel)) for f in (rows_singly, rows_together))
        self._mine = threading.local()

    def __call__(self, X: Any, sv: np.ndarray, sq: np.ndarray, n: int, out: np.ndarray | None = None) -> np.ndarray:
        if not hasattr(self._mine, "node"):
            self._mine.boxed = new_workspace(self.dims, 0, TOGETHER)
            self._mine.node = self._mine.boxed.node
        rows, node, done = canonical(X, self.dims.dtype), self._mine.node, 0
        out = np.empty((X.shape[0], n), self.dims.dtype) if out is None else out
        if self.kernel.blocks and self.dims.features >= WIDE and not issparse(X):
            done = self._together(self.kernel, rows, sv, sq, n, out, node)
        if done < len(out):
            self._singly(self.kernel, rows[done:] if done else rows, sv, sq, n, out[done:], node)
        return out


@lru_cache(maxsize=16)
def kernel_rows(kernel: "Kernel", dims: Dims) -> KernelRows:
    """The same object for the same kernel and sizes: its workspaces are reused."""
    return KernelRows(kernel, dims)
