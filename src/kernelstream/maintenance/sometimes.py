"""NBSGD: maintenance on the toss of a coin that falls less and less often."""

from typing import Any, NamedTuple

from ..draws import uniform
from ..strategy import Facts, Positive, strategy
from .base import Maintenance


class Inner(NamedTuple):
    inner: tuple


@strategy
class Sometimes(Maintenance):
    """When an addition exceeds the budget, `inner` acts once with probability min(β/t, 1).

    So the model grows as the data asks.

    β = None becomes 0.6 times the number of examples, where that is known.
    """

    inner: Any
    beta: Positive | None = None

    @property
    def needs_inverse(self) -> bool:
        return self.inner.needs_inverse

    @property
    def needs_merging(self) -> bool:
        return self.inner.needs_merging

    def check(self):
        if not isinstance(self.inner, Maintenance):
            raise ValueError(f"Sometimes: inner must be a Maintenance such as Remove(), not {self.inner!r}.")
        if not self.inner.reduces:
            raise ValueError(f"Sometimes: {self.inner!r} cannot remove a single support vector. Use Remove(), say.")

    def init(self, dims):
        return Inner(self.inner.init(dims))

    def resolve(self, facts: Facts):
        inner = self.inner.resolve(facts)
        if self.beta is not None:
            return Sometimes(inner, self.beta)
        if facts.total is None:
            raise ValueError(
                "Sometimes: beta is not set and the length of the stream is not known. Give beta, about 0.6 times "
                "the number of examples expected."
            )
        return Sometimes(inner, 0.6 * facts.total)

    def maintain(self, own, r, st):
        t = st.run.t[0]
        over = st.run.added[0] > 0 and st.expansion.n[0] > r.budget.at(t)
        if over and uniform(st.run.rng) < min(self.beta / t, 1.0):
            # one for each that this update added, which is one without mini-batches
            for _ in range(st.run.added[0]):
                if st.expansion.n[0] > r.budget.at(t):
                    self.inner.reduce(own.inner, r, st)

    def reduce(self, own, r, st):
        self.inner.reduce(own.inner, r, st)

    def removals(self, n, batch):
        return self.inner.removals(n, batch)
