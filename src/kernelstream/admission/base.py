"""Admission: whether an example becomes a support vector, and with which factor of its step."""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import Strategy, lowered
from ..core.types import Own, Parts

if TYPE_CHECKING:
    from ..core.inverse import Inverse


class Admission(Strategy):
    """Stage 3, admit. It is called for every example, so that the random draws do not depend on the loss."""

    __slots__ = ()
    needs_inverse = False
    binary = False  # for two classes only

    @property
    def keeper(self) -> "Inverse | None":
        """The `Inverse` that this rule needs; None for the usual one."""
        return None

    @lowered
    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        """(SKIP, 0), (ADD, w) for a new support vector with w times the step, or (FOLD, w) to project it onto the
        existing ones."""
        raise NotImplementedError
