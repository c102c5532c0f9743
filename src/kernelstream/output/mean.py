"""The mean of the iterates, of all or from a given update on."""

import math

from ..core.state import Expansion, State
from ..core.strategy import Count, Dims, Facts, Share, strategy
from ..core.types import Array, Parts
from . import sums
from .base import Output
from .tail import Tail


@strategy
class Mean(Output):
    """The mean of the iterates f_t for t = start … T. (f_1 = 0 is the function before the first example.)

    Support vectors removed by maintenance stay in the mean, so that the mean exceeds a budget: `compress` reduces it
    again.

    Parameters
    ----------
    start : int, default 1
        The first iterate of the mean, counted from 1.
    """

    start: Count = 1

    def init(self, dims: Dims) -> sums.Sum:
        return sums.new_sum(dims)

    def update(self, own: sums.Sum, r: Parts, st: State) -> None:
        if st.run.t[0] == self.start:
            sums.clear(own, st.expansion)
        sums.add(own, st.expansion)

    def inserted(self, own: sums.Sum, r: Parts, st: State, j: int) -> None:
        sums.start(own, st.expansion, j)

    def dropping(self, own: sums.Sum, r: Parts, st: State, j: int) -> None:
        sums.leave(own, st.expansion, j)

    def retiring(self, own: sums.Sum, r: Parts, st: State, j: int) -> None:
        sums.retire(own, st.expansion, j)

    def spread(self, own: sums.Sum, ex: Expansion, c: int, q: float, v: Array) -> None:
        sums.spread_over(own, ex, c, q, v)

    def changed(self, own: sums.Sum, c: int, j: int, change: float) -> None:
        own.q[c, j] += own.P[0] * change

    def settling(self, own: sums.Sum, ex: Expansion) -> None:
        sums.settle(own, ex)

    def room(self, own: sums.Sum, removals: int) -> bool:
        return own.n[0] + removals <= own.sq.shape[0]

    def weights(self, own: sums.Sum, ex: Expansion, out: Array) -> int:
        return sums.mean_weights(own, ex, out)

    def retired(self, own: sums.Sum, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        return own.sv, own.sq, own.coef, own.n[0], 1.0 / max(own.terms[0], 1.0)

    def restart(self, own: sums.Sum, ex: Expansion) -> None:
        # one term, of the present coefficients at the scale of 1
        own.q[...], own.P[0], own.terms[0], own.n[0] = 0.0, 1.0, 1.0, 0


def first_of_suffix(gamma: float, total: int) -> int:
    """Where the last ⌈γT⌉ of f_1 … f_T begin; rounding errors of γT do not count: 0.1 · 30 is 3.

    >>> first_of_suffix(0.5, 11), first_of_suffix(0.1, 30), first_of_suffix(0.9, 10)
    (6, 28, 2)
    """
    return total - math.ceil(gamma * total - 1e-9) + 1


@strategy
class Suffix(Output):
    """The mean of the last fraction γ of the iterates, without the early ones, which vary most.

    If the length of the stream is not known in advance, it becomes `Tail`.

    Parameters
    ----------
    gamma : float, default 0.5
        γ, the fraction of the iterates, at the end, that are averaged.
    """

    gamma: Share = 0.5
    settled = False

    def resolve(self, facts: Facts) -> Output:
        if facts.total is None:
            return Tail()
        return Mean(first_of_suffix(self.gamma, facts.total))
