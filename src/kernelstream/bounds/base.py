"""Bounds: keep f, or its coefficients, from growing too large."""

from ..core.strategy import Facts, Strategy, lowered


class Bound(Strategy):
    """Slot 6 of the loop."""

    __slots__ = ()
    needs_norm = False
    needs_budget = False

    @lowered
    def enforce(self, own, r, st):
        """Called after every update."""

    def for_recipe(self, recipe, facts: Facts) -> "Bound":
        """The bound with its radius decided, now that loss, step and stream are known."""
        return self
