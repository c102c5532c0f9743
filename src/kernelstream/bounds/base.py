"""Bounds: keep f, or its coefficients, from growing too large."""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import Facts, Strategy, lowered
from ..core.types import Own, Parts

if TYPE_CHECKING:
    from ..recipe import Recipe


class Bound(Strategy):
    """Slot 6 of the loop."""

    __slots__ = ()
    needs_norm = False
    needs_budget = False

    @lowered
    def enforce(self, own: Own, r: Parts, st: State) -> None:
        """Called after every update."""

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> "Bound":
        """The bound with its radius decided, now that loss, step and stream are known."""
        return self
