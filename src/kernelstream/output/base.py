"""Outputs: which function predicts, one of the iterates f_1, f_2, … or one computed from them."""

from typing import TYPE_CHECKING, Any, ClassVar

from ..core.numba.lowering import callable_anywhere
from ..core.state import Expansion, State
from ..core.strategy import Strategy, lowered
from ..core.types import Array, Own, Parts, Row

if TYPE_CHECKING:
    from ..recipe import Composition, Recipe
    from ..refit.sources import Rows, RowSource


@callable_anywhere
def last_weights(ex: Expansion, out: Array) -> int:
    """The `weights` of the last iterate."""
    n, coef, scale = ex.n[0], ex.coef, ex.scale[0]
    for c in range(coef.shape[0]):
        for j in range(n):
            out[c, j] = coef[c, j] * scale
    return n


class Output(Strategy):
    """Stage 7, output. The base class is the last iterate: it keeps nothing and ignores all notifications.

    An output declares what it needs besides the iterates: a pause between two examples (`due`, `between`), a final pass
    over all rows (`refits`), or held-out rows to judge that pass by (`holds_back`).
    """

    __slots__ = ()
    refits: ClassVar[bool] = False  # `refit` is to be called after all rows have been learned
    holds_back: ClassVar[bool] = False  # and benefits from rows that have not been learned

    @lowered
    def update(self, own: Own, r: Parts, st: State) -> None:
        """The t-th update begins; f is still f_t."""

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has a new support vector."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be removed; the last one takes its slot."""

    @lowered
    def retiring(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be overwritten."""

    @lowered
    def spread(self, own: Own, ex: Expansion, c: int, q: float, v: Array) -> None:
        """coef[c, j] has grown by q v_j for all j."""

    @lowered
    def changed(self, own: Own, c: int, j: int, change: float) -> None:
        """coef[c, j] has grown by `change`."""

    @lowered
    def settling(self, own: Own, ex: Expansion) -> None:
        """All coefficients are about to be multiplied by the scale, which becomes 1."""

    @lowered
    def due(self, own: Own) -> bool:
        """Whether the loop must stop for `between` before it learns the next example.

        Python calls it too, so it must not use compiled helpers.
        """
        return False

    @lowered
    def observed(self, own: Own, r: Parts, st: State, x: Row, y: Array, weight: float) -> None:
        """An example has arrived and has not been learned yet; its scores are in `work.f`."""

    @lowered
    def room(self, own: Own, removals: int) -> bool:
        """Whether this many support vectors can be retired before its memory must grow."""
        return True

    @lowered
    def weights(self, own: Own, ex: Expansion, out: Array) -> int:
        """Write the weights of the current SVs in the function that predicts; returns how many of them are used."""
        return last_weights(ex, out)

    @lowered
    def retired(self, own: Own, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        """Support vectors that only the output still has: (sv, sq, coef, their number, factor)."""
        return ex.sv, ex.sq, ex.coef, 0, 0.0

    def forgetting(self, half_life: float) -> "Output":
        """The same for a stream that drifts: examples count half as much after this many more."""
        raise ValueError(
            f"half_life: {type(self).__name__}() is made of all iterates and does not forget. Use output='last'."
        )

    def check_recipe(self, recipe: "Recipe") -> None:
        """Raise a ValueError if it cannot be used with this recipe."""

    def between(self, recipe: "Composition", state: State) -> None:
        """Called between two examples after `due` returned True (from Python)."""

    def refit(self, recipe: "Composition", state: State, source: "RowSource", held: "Rows") -> None:
        """Fit again: all rows of `source` have been learned and can be read again, those `held` back have not been
        learned (from Python). Called if `refits`."""

    def restart(self, own: Any, ex: Expansion) -> None:
        """Forget all iterates but the current one (from Python, after f has been replaced)."""

    def mixed(self, own: Any, ex: Expansion) -> None:
        """The outputs of f have been replaced by linear combinations of them, in `own` too (from Python)."""

    def rescaled(self, own: Any) -> None:
        """The features have other units now; support vectors in `own` have been converted (from Python)."""
