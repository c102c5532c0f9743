"""Ways to choose the support vector to remove."""

import numpy as np

from ..core.expansion import column, score, squares
from ..core.inverse.symmetric import read_diagonal
from ..core.numba.lowering import compiled, compiled_nnan
from ..core.precision import tolerance
from ..core.random import below
from ..core.state import Expansion, State
from ..core.strategy import strategy
from ..core.types import Array, Parts
from .base import Choice

_NEVER = np.int64(2**62)


@compiled_nnan
def oldest_smallest(w: Array, ex: Expansion, n: int) -> int:
    """The slot of the smallest w[j], the oldest among equals. Numbers that differ by rounding only are equal: with
    hinge loss and 1/(λt) steps all |a_j| are, and without the tolerance the choice would be arbitrary."""
    age = ex.age
    least = w[0]
    for j in range(1, n):
        least = w[j] if w[j] < least else least
    least += abs(least) * tolerance(ex.sv)
    oldest = age[0] if w[0] <= least else _NEVER
    for j in range(1, n):
        candidate = age[j] if w[j] <= least else _NEVER
        oldest = candidate if candidate < oldest else oldest
    first = n
    for j in range(n):  # no early exit, which would not vectorise
        slot = j if w[j] <= least and age[j] == oldest else n
        first = slot if slot < first else first
    return first if first < n else 0


@strategy
class Smallest(Choice):
    """The support vector with the least ‖a_j‖² κ_jj, the oldest among equals."""

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
    """The SV that was added first, in the lowest slot among equals."""
    age, p = st.expansion.age, 0
    for j in range(1, st.expansion.n[0]):
        if age[j] < age[p]:
            p = j
    return p


@strategy
class Oldest(Choice):
    """The support vector that was added first."""

    def pick(self, r: Parts, st: State) -> int:
        return oldest(st)


@strategy
class Random(Choice):
    """A support vector drawn at random, each with equal probability."""

    def pick(self, r: Parts, st: State) -> int:
        return below(st.run.rng, st.expansion.n[0])


@compiled
def margin(coef: Array, j: int, f: Array) -> float:
    """The margin of the scores f for the class of SV j, which is that of its largest coefficient; the sign, if there is
    one output."""
    classes = f.shape[0]
    if classes == 1:
        return f[0] if coef[0, j] > 0.0 else -f[0]
    k = 0
    for c in range(1, classes):
        if coef[c, j] > coef[k, j]:
            k = c
    rival = f[1] if k == 0 else f[0]
    for c in range(classes):
        if c != k and f[c] > rival:
            rival = f[c]
    return f[k] - rival


@strategy
class LargestMargin(Choice):
    """The support vector that f without it classifies with the largest margin, the oldest among equals (Crammer,
    Kandola & Singer, NIPS 2003):

        argmax_j sgn(a_j) (f(x_j) − a_j κ_jj),

    and with several classes the difference between its own class, where its coefficient is largest, and the best other.
    All n kernel rows are computed, O(n² d) for each removal, where other choices take O(n): for small budgets.
    """

    def pick(self, r: Parts, st: State) -> int:
        ex, work = st.expansion, st.work
        n, w = ex.n[0], work.weight
        for j in range(n):
            column(r, st, j)
            work.column[j] = 0.0  # rather than to subtract it: nothing cancels
            score(ex, work.column, n, work.a)
            w[j] = -margin(ex.coef, j, work.a)
        return oldest_smallest(w, ex, n)


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

    The distance moved by the passive-aggressive step itself is the same for all candidates. It is included so that the
    rounding of small losses does not decide.
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
    """The support vector whose projection onto all others loses least: ‖a_j‖²/Q_jj with Q = K⁻¹."""

    needs_inverse = True

    def pick(self, r: Parts, st: State) -> int:
        return cheapest(st)
