"""The Forgetron's maintenance: shrink f just enough that removing the oldest support vector does little damage."""

import math
from typing import NamedTuple

import numpy as np

from ..core.changes import record, rescale
from ..core.expansion import coefficient, column, score, squared
from ..core.numba.lowering import compiled
from ..core.state import State, one
from ..core.strategy import Dims, strategy
from ..core.types import Parts
from .base import Maintenance
from .choice import oldest
from .remove import take_away

_SHARE = 15.0 / 32.0


class ForgetState(NamedTuple):
    damage: np.ndarray  # Q, the sum of Ψ
    f: np.ndarray


@compiled
def victim(own: ForgetState, r: Parts, st: State, p: int) -> tuple[float, float]:
    """σ = ‖a_p‖ and μ = a_p·f(x_p)/σ, in units of one step."""
    ex, a, f = st.expansion, st.work.a, own.f
    coefficient(ex, p, a)
    column(r, st, p)
    score(ex, st.work.column, ex.n[0], f)
    size = math.sqrt(squared(a))
    overlap = 0.0
    for c in range(a.shape[0]):
        overlap += a[c] * f[c]
    unit = 1.0 if a.shape[0] == 1 else math.sqrt(2.0)
    return size / unit, overlap / (size * unit)


@compiled
def forget(own: ForgetState, r: Parts, st: State, p: int, phi: float, sigma: float, mu: float) -> None:
    """f ← φ f without SV p."""
    ex = st.expansion
    own.damage[0] += (sigma * phi) ** 2 * ex.diag[p] + 2.0 * sigma * phi * (1.0 - phi * mu)
    whole, gone = r.norm.square(st.norm), 1.0 - phi
    unit = 1.0 if own.f.shape[0] == 1 else math.sqrt(2.0)
    overlap = sigma * mu * unit * unit
    rescale(r, st, phi)
    taken = take_away(r, st, p)
    record(st, gone * gone * whole + 2.0 * gone * phi * overlap + taken)


@strategy
class Forget(Maintenance):
    """The self-tuned Forgetron: f ← φ f, then the oldest support vector r is removed.

    φ is the largest in (0, 1] with Q + Ψ(φ) ≤ (15/32) M,
    Ψ(φ) = (σφ)² κ_rr + 2σφ(1 − φμ), σ = ‖a_r‖, μ = a_r·f(x_r)/σ, M the number of mistakes, Q the sum of the Ψ so far.
    With several classes a step has the norm √2, and σ and μ are divided by it: two classes then give the binary
    trajectory. The distance moved needs ‖f‖: it is NaN unless the recipe tracks the norm.
    """

    def init(self, dims: Dims) -> ForgetState:
        return ForgetState(one(), np.zeros(dims.outputs))

    def reduce(self, own: ForgetState, r: Parts, st: State) -> None:
        p = oldest(st)
        sigma, mu = victim(own, r, st, p)
        room = _SHARE * st.run.active[0] - own.damage[0]
        bend = sigma * sigma * st.expansion.diag[p] - 2.0 * sigma * mu
        phi = 1.0
        if bend + 2.0 * sigma > room:
            phi = 2.0 * room / (2.0 * sigma + math.sqrt(max(0.0, 4.0 * sigma * sigma + 4.0 * bend * room)))
        forget(own, r, st, p, phi, sigma, mu)


@strategy
class ForgetBasic(Maintenance):
    """The basic Forgetron: φ = min{(B+1)^(−1/(2(B+1))), U/‖f‖}, U = ¼ √((B+1)/ln(B+1)), for any SV."""

    @property
    def needs_norm(self) -> bool:
        return True

    def init(self, dims: Dims) -> ForgetState:
        return ForgetState(one(), np.zeros(dims.outputs))

    def reduce(self, own: ForgetState, r: Parts, st: State) -> None:
        p = oldest(st)
        sigma, mu = victim(own, r, st, p)
        B = r.budget.at(st.run.t[0]) + 1.0
        phi = B ** (-0.5 / B)
        unit = 1.0 if own.f.shape[0] == 1 else math.sqrt(2.0)
        norm = math.sqrt(r.norm.square(st.norm)) / unit
        if norm > 0.0:
            phi = min(phi, 0.25 * math.sqrt(B / math.log(B)) / norm)
        forget(own, r, st, p, phi, sigma, mu)
