"""NBSGD's maintenance, with a probability that falls with time."""

from typing import Any

from ..core.random import uniform
from ..core.state import State
from ..core.strategy import Facts, Positive, strategy
from ..core.types import Parts
from .base import Maintenance
from .wrapping import Inner, Wrapping


@strategy
class Sometimes(Wrapping):
    """Apply `inner` with probability min(β/t, 1) when an addition exceeds the budget.

    The model may therefore grow beyond the budget. β = None becomes 0.6 times the number of examples, if that is known.

    Parameters
    ----------
    inner : Maintenance
        What is applied.
    beta : float or None, default None
        β, in examples; None is 0.6 times the number of examples to come.
    """

    inner: Any
    beta: Positive | None = None

    def resolve(self, facts: Facts) -> Maintenance:
        inner = self.inner.resolve(facts)
        if self.beta is not None:
            return Sometimes(inner, self.beta)
        if facts.total is None:
            raise ValueError(
                "Sometimes: beta is not set and the length of the stream is not known. Set beta to about 0.6 times "
                "the number of examples expected."
            )
        return Sometimes(inner, 0.6 * facts.total)

    def maintain(self, own: Inner, r: Parts, st: State) -> None:
        t = st.run.t[0]
        over = st.run.added[0] > 0 and st.expansion.n[0] > r.budget.at(t)
        if over and uniform(st.run.rng) < min(self.beta / t, 1.0):
            # one for each that this update added, which is one without mini-batches
            for _ in range(st.run.added[0]):
                if st.expansion.n[0] > r.budget.at(t):
                    self.inner.reduce(own.inner, r, st)
