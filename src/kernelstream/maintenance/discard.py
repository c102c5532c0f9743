"""OLRD's random discarding: f is unchanged in expectation."""

from ..core.changes import drop, record, rescale
from ..core.expansion import coefficient, squared
from ..core.random import below
from ..core.state import State
from ..core.strategy import strategy
from ..core.types import Own, Parts
from .base import Maintenance
from .remove import remove


@strategy
class Discard(Maintenance):
    """Random discarding: before an addition to a full model, remove one of the n support vectors, each with probability
    q = 1/n, and multiply the others by 1/(1 − q). The newest is neither a candidate nor rescaled.

    The distance moved needs ‖f‖: it is NaN unless the recipe tracks the norm.
    """

    def prepare(self, own: Own, r: Parts, st: State, incoming: int) -> None:
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.reduce(own, r, st)

    def reduce(self, own: Own, r: Parts, st: State) -> None:
        ex, a = st.expansion, st.work.a
        n = ex.n[0]
        j = below(st.run.rng, n)
        if n == 1:
            remove(r, st, j)
            return
        q = 1.0 / n
        coefficient(ex, j, a)
        own_part = squared(a) * ex.diag[j]
        whole = r.norm.square(st.norm)
        r.norm.taking_sv(st.norm, r, st, j, a)
        overlap = 0.5 * (whole - r.norm.square(st.norm))  # a_j · f(x_j)
        r.norm.shifted(st.norm, own_part)
        drop(r, st, j)
        rescale(r, st, 1.0 / (1.0 - q))
        record(st, (q * q * whole - 2.0 * q * overlap + own_part) / ((1.0 - q) * (1.0 - q)))
