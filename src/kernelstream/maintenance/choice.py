"""Ways to choose the support vector that goes."""

from ..core.expansion import oldest_smallest, squares
from ..core.inverse.symmetric import read_diagonal
from ..core.numba.lowering import compiled
from ..core.random import below
from ..core.state import State
from ..core.strategy import strategy
from ..core.types import Parts
from .base import Choice


@strategy
class Smallest(Choice):
    """The one with the least ‖a_j‖² κ_jj, the oldest of equals."""

    def pick(self, r: Parts, st: State) -> int:
        ex, w = st.expansion, st.work.weight
        n, coef, diag = ex.n[0], ex.coef, ex.diag
        for j in range(n):
            w[j] = coef[0, j] * coef[0, j] * diag[j]
        for c in range(1, coef.shape[0]):
            for j in range(n):
                w[j] += coef[c, j] * coef[c, j] * diag[j]
        return oldest_smallest(w, ex, n)


@compiled
def oldest(st: State) -> int:
    """The SV that came first, in the lowest slot of equals."""
    age, p = st.expansion.age, 0
    for j in range(1, st.expansion.n[0]):
        if age[j] < age[p]:
            p = j
    return p


@strategy
class Oldest(Choice):
    """The one that came first."""

    def pick(self, r: Parts, st: State) -> int:
        return oldest(st)


@strategy
class Random(Choice):
    """Any, with equal probability."""

    def pick(self, r: Parts, st: State) -> int:
        return below(st.run.rng, st.expansion.n[0])


@compiled
def cheapest(st: State) -> int:
    """The SV with the least ‖a_j‖²/Q_jj; work.weight holds these numbers, in units of the scale squared."""
    ex, w, diagonal = st.expansion, st.work.weight, st.inverse.v
    n = squares(ex, w)
    read_diagonal(st.inverse.Q, n, diagonal)
    for j in range(n):
        w[j] /= diagonal[j]
    return oldest_smallest(w, ex, n)


@strategy
class CheapestButNewest(Choice):
    """As `Cheapest`, of all but the newest (BPA-P).

    What the passive-aggressive step itself moved is the same for all and counts, so that the rounding of small losses
    does not decide.
    """

    needs_inverse = True

    def pick(self, r: Parts, st: State) -> int:
        ex, w = st.expansion, st.work.weight
        newest = ex.n[0] - 1
        cheapest(st)
        common = 0.0
        for c in range(ex.coef.shape[0]):
            common += ex.coef[c, newest] * ex.coef[c, newest] * ex.diag[newest]
        for j in range(newest):
            w[j] += common
        return oldest_smallest(w, ex, newest)


@strategy
class Cheapest(Choice):
    """The one whose projection on all others loses least: ‖a_j‖²/Q_jj with Q = K⁻¹."""

    needs_inverse = True

    def pick(self, r: Parts, st: State) -> int:
        return cheapest(st)
