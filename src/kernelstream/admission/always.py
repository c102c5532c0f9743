"""Every example with a loss becomes a support vector."""

from ..strategy import strategy
from .base import ADD, Admission


@strategy
class Always(Admission):
    """Admit whatever has a gradient."""

    def admit(self, own, r, st, loss, kxx):
        return ADD, 1.0
