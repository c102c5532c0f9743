"""Maintenance that makes room before an addition, so that the newest support vector is never touched."""

from typing import Any

from ..core.strategy import strategy
from .wrapping import Wrapping


@strategy
class Before(Wrapping):
    """`inner` acts before the new support vector is added, while n plus what comes exceeds the budget (RBP)."""

    inner: Any

    def prepare(self, own, r, st, incoming):
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.inner.reduce(own.inner, r, st)
