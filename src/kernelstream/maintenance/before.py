"""Maintenance that makes room before an addition, so that the newest support vector is never touched."""

from typing import Any, NamedTuple

from ..strategy import strategy
from .base import Maintenance


class Inner(NamedTuple):
    inner: tuple


@strategy
class Before(Maintenance):
    """`inner` acts before the new support vector is added, while n plus what comes exceeds the budget (RBP)."""

    inner: Any

    def check(self):
        if not isinstance(self.inner, Maintenance):
            raise ValueError(f"Before: inner must be a Maintenance such as Remove(), not {self.inner!r}.")
        if not self.inner.reduces:
            raise ValueError(f"Before: {self.inner!r} cannot remove a single support vector. Use Remove(), say.")

    @property
    def needs_inverse(self) -> bool:
        return self.inner.needs_inverse

    @property
    def needs_merging(self) -> bool:
        return self.inner.needs_merging

    def init(self, dims):
        return Inner(self.inner.init(dims))

    def prepare(self, own, r, st, incoming):
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.inner.reduce(own.inner, r, st)

    def reduce(self, own, r, st):
        self.inner.reduce(own.inner, r, st)
