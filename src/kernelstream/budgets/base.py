"""Budgets: how many support vectors the model may have at update t."""

from collections.abc import Callable

from ..core.strategy import Facts, Strategy, lowered


class Budget(Strategy):
    """A limit on the number of support vectors, asked for by maintenance."""

    __slots__ = ()
    limited = True

    @lowered
    def at(self, t: int) -> int:
        """The limit at update t."""
        raise NotImplementedError

    def within(self, facts: Facts, bytes_for: Callable[[int], int]) -> "Budget":
        """The budget once the stream's width is known; `bytes_for(size)` says what a model of that size occupies."""
        return self
