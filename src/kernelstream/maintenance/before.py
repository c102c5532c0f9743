"""Maintenance before an addition, so that the newest support vector is never changed."""

from typing import Any

from ..core.state import State
from ..core.strategy import strategy
from ..core.types import Parts
from .wrapping import Inner, Wrapping


@strategy
class Before(Wrapping):
    """Apply `inner` before new support vectors are added, while n plus their number exceeds the budget (RBP).

    Parameters
    ----------
    inner : Maintenance
        What is applied.
    """

    inner: Any

    def prepare(self, own: Inner, r: Parts, st: State, incoming: int) -> None:
        ex = st.expansion
        while incoming > 0 and ex.n[0] > 0 and ex.n[0] + incoming > r.budget.at(st.run.t[0]):
            self.inner.reduce(own.inner, r, st)
