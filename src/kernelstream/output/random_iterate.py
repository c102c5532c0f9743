"""One of the iterates, drawn at random."""

from typing import NamedTuple

import numpy as np

from ..core.random import uniform
from ..core.state import Expansion, State, one
from ..core.strategy import Count, Dims, Facts, Share, strategy
from ..core.types import Array, Parts
from .base import Output
from .mean import first_of_suffix


class Snapshot(NamedTuple):
    sv: np.ndarray
    sq: np.ndarray
    coef: np.ndarray
    n: np.ndarray
    rng: np.ndarray


@strategy
class RandomIterate(Output):
    """One iterate f_τ with τ uniform over start … T; from the first on, the output of NBSGD's Theorem 6.

    The k-th of these iterates replaces the stored one with probability 1/k. The random generator is separate, so that
    the iterates do not depend on the output.

    Parameters
    ----------
    start : int, default 1
        The first iterate that may be drawn, counted from 1.
    """

    start: Count = 1

    def init(self, dims: Dims) -> Snapshot:
        d, c, cap = dims.features, dims.outputs, dims.capacity
        return Snapshot(
            np.zeros((d, cap), dims.dtype), np.zeros(cap), np.zeros((c, cap)), one(0, np.int64),
            one(~np.uint64(dims.seed), np.uint64),
        )  # fmt: skip

    def update(self, own: Snapshot, r: Parts, st: State) -> None:
        k = st.run.t[0] - self.start + 1
        if k < 1 or uniform(own.rng) * k >= 1.0:
            return
        ex = st.expansion
        n, scale = ex.n[0], ex.scale[0]
        sv, coef = own.sv, own.coef
        for k in range(sv.shape[0]):
            for j in range(n):
                sv[k, j] = ex.sv[k, j]
        for c in range(coef.shape[0]):
            for j in range(n):
                coef[c, j] = ex.coef[c, j] * scale
        for j in range(n):
            own.sq[j] = ex.sq[j]
        own.n[0] = n

    def weights(self, own: Snapshot, ex: Expansion, out: Array) -> int:
        return 0

    def retired(self, own: Snapshot, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        return own.sv, own.sq, own.coef, own.n[0], 1.0

    def restart(self, own: Snapshot, ex: Expansion) -> None:
        n = int(ex.n[0])
        own.sv[:, :n], own.sq[:n], own.coef[:, :n] = ex.sv[:, :n], ex.sq[:n], ex.coef[:, :n] * ex.scale[0]
        own.n[0] = n


@strategy
class RandomSuffixIterate(Output):
    """One iterate f_τ with τ uniform over the last γT (NBSGD's Theorem 12), for streams of known length.

    Parameters
    ----------
    gamma : float, default 0.5
        γ, the fraction of the iterates, at the end, of which one is drawn.
    """

    gamma: Share = 0.5
    settled = False

    def resolve(self, facts: Facts) -> Output:
        if facts.total is None:
            raise ValueError(
                "RandomSuffixIterate: the length of the stream is not known. Use fit, which knows it, or "
                "RandomIterate(start=…)."
            )
        return RandomIterate(first_of_suffix(self.gamma, facts.total))
