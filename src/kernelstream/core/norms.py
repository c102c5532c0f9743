"""‖f‖², tracked if a stage of the recipe needs it.

Every change of f changes ‖f‖² by a known amount: adding a at x by 2a·f(x) + ‖a‖²κ(x, x), taking
Δ = Σ δ_i κ(x_i, ·) away by −2 Σ δ_i·f(x_i) + ‖Δ‖². If the norm is not needed, these kernel rows are not computed.
"""

import math
from typing import NamedTuple

import numpy as np

from .expansion import coefficient, column, load, score
from .state import State, one
from .strategy import Dims, Strategy, lowered, strategy
from .types import Array, Own, Parts


class Norm(Strategy):
    """How ‖f‖² is tracked. The base class does not track it."""

    __slots__ = ()

    @lowered
    def square(self, own: Own) -> float:
        """‖f‖², NaN if it is not tracked."""
        return math.nan

    @lowered
    def adding(self, own: Own, r: Parts, st: State, a: Array, kxx: float) -> None:
        """f is about to gain a κ(x, ·); work.row is the row of x."""

    @lowered
    def scaled(self, own: Own, q: float) -> None:
        """f has been multiplied by q."""

    @lowered
    def taking(self, own: Own, r: Parts, st: State, x: Array, xx: float, a: Array) -> None:
        """f is about to lose a κ(x, ·), as a part of some Δ; x is dense."""

    @lowered
    def taking_sv(self, own: Own, r: Parts, st: State, j: int, a: Array) -> None:
        """The same for SV j."""

    @lowered
    def shifted(self, own: Own, amount: float) -> None:
        """‖f‖² changes by `amount`."""

    @lowered
    def changing(self, own: Own, r: Parts, st: State, c: int, j: int, change: float) -> None:
        """The actual coefficient a_jc is about to change by `change`."""

    @lowered
    def refresh(self, own: Own, r: Parts, st: State) -> None:
        """f has changed without notice: compute ‖f‖² again."""

    def adopt(self, own: Own, square: float) -> None:
        """Start over from a given ‖f‖² (from Python)."""

    def recomputations(self, own: Own) -> int:
        """How often ‖f‖² was computed from scratch (from Python, for the log)."""
        return 0


@strategy
class Untracked(Norm):
    """‖f‖² is not tracked."""


class NormState(NamedTuple):
    square: np.ndarray
    f: np.ndarray
    additions: np.ndarray  # insertions since it was computed from scratch
    gain: np.ndarray  # how much rescaling has amplified rounding errors since then
    recomputed: np.ndarray  # how often it was computed from scratch


@strategy
class Tracked(Norm):
    """‖f‖² by its changes, recomputed from time to time so that rounding errors do not accumulate.

    If the basis functions are `orthonormal`, ‖f‖² is the sum of squares of the coefficients.
    """

    orthonormal: bool = False

    def init(self, dims: Dims) -> NormState:
        return NormState(one(), np.zeros(dims.outputs), one(0, np.int64), one(1.0), one(0, np.int64))

    def square(self, own: NormState) -> float:
        return own.square[0]

    def adding(self, own: NormState, r: Parts, st: State, a: Array, kxx: float) -> None:
        ex, f = st.expansion, own.f
        n = ex.n[0]
        own.additions[0] += 1
        # costs at most one kernel row in sixteen, and one per discard if discarding rescales
        if own.gain[0] > 8.0 or own.additions[0] >= max(65536, 16 * n):
            self.refresh(own, r, st)
        score(ex, st.work.row, n, f)
        for c in range(a.shape[0]):
            own.square[0] += 2.0 * a[c] * f[c] + a[c] * a[c] * kxx
        own.square[0] = max(own.square[0], 0.0)

    def scaled(self, own: NormState, q: float) -> None:
        own.square[0] *= q * q
        own.gain[0] = max(1.0, own.gain[0] * q * q)

    def taking(self, own: NormState, r: Parts, st: State, x: Array, xx: float, a: Array) -> None:
        ex, f = st.expansion, own.f
        r.kernel.row(ex.sv, ex.sq, x, xx, ex.n[0], st.work.column, st.scratch)
        score(ex, st.work.column, ex.n[0], f)
        for c in range(a.shape[0]):
            own.square[0] -= 2.0 * a[c] * f[c]

    def taking_sv(self, own: NormState, r: Parts, st: State, j: int, a: Array) -> None:
        load(st.expansion, j, st.work.point)
        self.taking(own, r, st, st.work.point, st.expansion.sq[j], a)

    def shifted(self, own: NormState, amount: float) -> None:
        own.square[0] = max(own.square[0] + amount, 0.0)

    def changing(self, own: NormState, r: Parts, st: State, c: int, j: int, change: float) -> None:
        ex = st.expansion
        column(r, st, j)
        score(ex, st.work.column, ex.n[0], own.f)
        self.shifted(own, 2.0 * change * own.f[c] + change * change * ex.diag[j])

    def refresh(self, own: NormState, r: Parts, st: State) -> None:
        """‖f‖² = aᵀKa from scratch."""
        ex = st.expansion
        total = 0.0
        for j in range(ex.n[0]):
            if self.orthonormal:
                coefficient(ex, j, own.f)
            else:
                column(r, st, j)
                score(ex, st.work.column, ex.n[0], own.f)
            for c in range(ex.coef.shape[0]):
                total += ex.scale[0] * ex.coef[c, j] * own.f[c]
        own.square[0] = max(total, 0.0)
        own.additions[0] = 0
        own.gain[0] = 1.0
        own.recomputed[0] += 1

    def adopt(self, own: NormState, square: float) -> None:
        own.square[0] = square

    def recomputations(self, own: NormState) -> int:
        return int(own.recomputed[0])
