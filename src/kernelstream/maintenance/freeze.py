"""NOGD's maintenance: when the budget is reached, the dictionary is frozen and its leading eigenvectors are kept."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.changes import record, set_coefficient
from ..core.expansion import column
from ..core.state import State
from ..core.strategy import Count, Dims, strategy
from ..core.types import Parts
from .base import Maintenance

if TYPE_CHECKING:
    from ..core.inverse import Inverse


class FreezeState(NamedTuple):
    K: np.ndarray
    a: np.ndarray


@strategy
class Freeze(Maintenance):
    """Freeze the dictionary once it is full. At the end of the update in which n reaches the budget, f is projected
    onto the `rank` leading eigenfunctions of the Gram matrix, and `inverse.Nystrom` projects every later step onto
    them. Eigenvalues below 1e-12 of the largest count as 0.

    Parameters
    ----------
    rank : int, default 50
        The number of eigenfunctions that are kept.
    """

    rank: Count = 50
    reduces = False

    @property
    def keeper(self) -> "Inverse":
        from ..core.inverse import Nystrom

        return Nystrom()

    def init(self, dims: Dims) -> FreezeState:
        return FreezeState(np.zeros((dims.capacity, dims.capacity)), np.zeros(dims.capacity))

    def maintain(self, own: FreezeState, r: Parts, st: State) -> None:
        ex, inverse = st.expansion, st.inverse
        n = ex.n[0]
        if inverse.frozen[0] == 1 or n < r.budget.at(st.run.t[0]):
            return
        inverse.frozen[0] = 1
        for j in range(n):
            column(r, st, j)
            for i in range(n):
                own.K[i, j] = st.work.column[i]
        values, vectors = np.linalg.eigh(np.ascontiguousarray(own.K[:n, :n]))
        least = max(n - self.rank, 0)
        lost = 0.0
        for c in range(ex.coef.shape[0]):
            for j in range(n):
                own.a[j] = 0.0
            for i in range(n):
                share = 0.0
                for j in range(n):
                    share += vectors[j, i] * ex.coef[c, j]
                if i >= least and values[i] > 1e-12 * values[n - 1]:
                    for j in range(n):
                        own.a[j] += vectors[j, i] * share
                else:
                    lost += max(values[i], 0.0) * share * share
            for j in range(n):
                set_coefficient(r, st, c, j, own.a[j])
        for i in range(least, n):
            if values[i] > 1e-12 * values[n - 1]:
                for j in range(n):
                    for k in range(n):
                        inverse.Q[j, k] += vectors[j, i] * vectors[k, i] / values[i]
        record(st, lost * ex.scale[0] * ex.scale[0])
