"""Second-order statistics of a stream on a dictionary of support vectors, and the coefficients that they determine.

With k = κ(SVs, x) each example adds the parabola that touches its loss: H += h k kᵀ, b += h k tᵀ. The coefficients
solve (H + λNK) a = b: for least squares exactly the ridge regression of the whole stream on the dictionary.
"""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.kernel_rows import kernel_rows
from ..core.strategy import Dims
from ..kernels import Kernel
from ..losses.smooth import Smooth
from .solver import Solver

if TYPE_CHECKING:
    from ..output.refit import RefitState

SCALES = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0])
_MINE = threading.local()
GROWTH = 1.1  # solve again when the mass has grown by this factor


class Statistics:
    """The operations on the refit's state."""

    def __init__(self, own: "RefitState", kernel: Kernel, smooth: Smooth, lam: float) -> None:
        self.own, self.kernel, self.smooth, self.lam = own, kernel, smooth, lam

    @property
    def n(self) -> int:
        return int(self.own.n[0])

    @property
    def gram(self) -> np.ndarray:
        support = self.support
        return self.kernel.quick(support, support)

    @property
    def support(self) -> np.ndarray:
        return self.own.sv[:, : self.n].T.astype(np.float64)

    def rows(self, X: Any, out: np.ndarray | None = None) -> np.ndarray:
        """The kernel values of rows against the support vectors, in the precision of the latter."""
        features, capacity = self.own.sv.shape
        dims = Dims(capacity, features, len(self.own.coef), self.own.sv.dtype)
        return kernel_rows(self.kernel, dims)(X, self.own.sv, self.own.sq, self.n, out)

    def passing_rows(self, X: Any) -> np.ndarray:
        """The same, in an array that this thread's next call writes over. In workers of Dask, which give memory back
        at once, new pages for every block of rows took longer than the kernel values in them."""
        size, dtype = X.shape[0] * self.n, self.own.sv.dtype
        array: np.ndarray | None = getattr(_MINE, "rows", None)
        if array is None or len(array) < size or array.dtype != dtype:
            _MINE.rows = array = np.empty(size, dtype)
        return self.rows(X, array[:size].reshape(X.shape[0], self.n))

    def dictionary(self) -> "Statistics":
        """A copy of the support vectors and coefficients without the statistics, small enough to send to other
        processes with every pass."""
        own, none = self.own, np.zeros((0, 0))
        waiting = type(own.waiting)(*(part[:0] for part in own.waiting))
        now = own._replace(waiting=waiting, sv=own.sv.copy(), sq=own.sq.copy(), coef=own.coef.copy(), H=none, b=none)
        return Statistics(now, self.kernel, self.smooth, self.lam)

    def take_over(self, sv: np.ndarray, sq: np.ndarray, coef: np.ndarray) -> None:
        """Switch to these support vectors; the statistics of the old ones are carried over.

        Each new κ(z, ·) is replaced by its projection onto the old ones, Tκ(SVs, ·): then H becomes THTᵀ. That is exact
        if the new ones lie in the span of the old (after removal or projection) and close if they were merged.
        """
        own, old, n = self.own, self.n, len(sv)
        if old:
            T = Solver(self.gram, 1e-9 / old)(self.kernel(self.support, sv)).T
            H, b = T @ own.H[:old, :old] @ T.T, T @ own.b[:old]
        else:
            H, b = np.zeros((n, n)), np.zeros((n, coef.shape[1]))
        self.replace(sv, sq, coef, H, b)
        if old and own.mass[0] > 0.0:
            self.solve()

    def replace(self, sv: np.ndarray, sq: np.ndarray, coef: np.ndarray, H: np.ndarray, b: np.ndarray) -> None:
        own, n = self.own, len(sv)
        for array in (own.sv, own.sq, own.coef, own.H, own.b):
            array[...] = 0.0  # clears what lies beyond the new ones
        own.sv[:, :n], own.sq[:n], own.coef[:, :n], own.n[0] = sv.T, sq, coef.T, n
        own.H[:n, :n], own.b[:n] = H, b

    def add(self, K: np.ndarray, F: np.ndarray, T: np.ndarray, weight: np.ndarray) -> None:
        """Add examples with kernel rows K and scores F."""
        own, n = self.own, self.n
        h, t = self.smooth.touching(F, T)
        h = h * weight
        some = h > 0.0
        root = np.sqrt(h[some])[:, None]
        K = K[some] * root
        own.H[:n, :n] += K.T @ K
        own.b[:n] += K.T @ (t[some] * root)
        own.mass[0] += weight.sum()

    def forget(self, share: float) -> None:
        for array in (self.own.H, self.own.b, self.own.mass, self.own.solve, self.own.tally):
            array *= share

    def solve(self) -> None:
        own, n = self.own, self.n
        A = own.H[:n, :n] + self.lam * own.mass[0] * self.gram
        own.coef[:, :n] = Solver(A)(own.b[:n]).T
        own.solve[0], own.solved[0] = GROWTH * own.mass[0], 1


def best_scale(smooth: Smooth, F: np.ndarray, T: np.ndarray, weight: np.ndarray) -> float:
    """The factor with which a function learned by another loss has the least loss."""
    losses = [float(weight @ smooth.loss(scale * F, T)[0]) for scale in SCALES]
    return float(SCALES[int(np.argmin(losses))])
