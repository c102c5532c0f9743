"""Every example with a loss becomes a support vector."""

from ..core.strategy import strategy
from ..core.verdicts import ADD
from .base import Admission


@strategy
class Always(Admission):
    """Admit whatever has a gradient."""

    def admit(self, own, r, st, loss, kxx):
        return ADD, 1.0
