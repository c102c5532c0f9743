"""Bounds: limits on ‖f‖ or on the coefficients."""

from ..core.state import State
from ..core.strategy import Strategy, lowered
from ..core.types import Own, Parts


class Bound(Strategy):
    """Stage 6, bound: limits ‖f‖ or the coefficients."""

    __slots__ = ()
    needs_norm = False
    needs_budget = False

    @lowered
    def enforce(self, own: Own, r: Parts, st: State) -> None:
        """Called after every update."""
