"""KRLS's admission: every example counts, few join the dictionary."""

from ..core.strategy import NonNegative, strategy
from ..core.verdicts import ADD
from .base import Admission


@strategy
class Regress(Admission):
    """Approximate linear dependence with threshold ν; `LeastSquares` does the work."""

    nu: NonNegative = 1e-3

    @property
    def keeper(self):
        from ..core.inverse import LeastSquares

        return LeastSquares(self.nu)

    def admit(self, own, r, st, loss, kxx):
        return ADD, 1.0
