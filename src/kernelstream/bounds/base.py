"""Bounds: limits on ‖f‖ or on the coefficients."""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import Facts, Strategy, lowered
from ..core.types import Own, Parts

if TYPE_CHECKING:
    from ..recipe import Recipe


class Bound(Strategy):
    """Stage 6, bound: limits ‖f‖ or the coefficients."""

    __slots__ = ()
    needs_norm = False
    needs_budget = False

    @lowered
    def enforce(self, own: Own, r: Parts, st: State) -> None:
        """Called after every update."""

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> "Bound":
        """The bound with its radius decided, when loss, step and stream are known."""
        return self
