"""Every example with a loss becomes a support vector."""

from ..core.state import State
from ..core.strategy import strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD
from .base import Admission


@strategy
class Always(Admission):
    """Admit every example with a gradient."""

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        return ADD, 1.0
