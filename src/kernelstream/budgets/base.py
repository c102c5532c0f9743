"""Budgets: how many support vectors the model may have at update t."""

from collections.abc import Callable

from ..core.strategy import Facts, Strategy, lowered


class Budget(Strategy):
    """A limit on the number of support vectors, enforced by the maintenance."""

    __slots__ = ()
    limited = True

    @lowered
    def at(self, t: int) -> int:
        """The limit at update t."""
        raise NotImplementedError

    def within(self, facts: Facts, bytes_for: Callable[[int], int]) -> "Budget":
        """The budget when the number of features is known; `bytes_for(size)` is the memory of a model of that size."""
        return self
