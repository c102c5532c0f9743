"""Admission: does the example become a support vector, and with what share of its step?"""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import Strategy, lowered
from ..core.types import Own, Parts

if TYPE_CHECKING:
    from ..core.inverse import Inverse


class Admission(Strategy):
    """Slot 3 of the loop. It is asked for every example, so that the draws do not depend on the loss."""

    __slots__ = ()
    needs_inverse = False
    binary = False  # for a single output only

    @property
    def keeper(self) -> "Inverse | None":
        """An `Inverse` of its own, where the usual one will not do."""
        return None

    @lowered
    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        """(SKIP, 0), (ADD, w) for a new support vector with w times the step, or (FOLD, w) to spread it over the
        present ones."""
        raise NotImplementedError
