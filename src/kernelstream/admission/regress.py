"""KRLS's admission: every example counts, few join the dictionary."""

from ..strategy import NonNegative, strategy
from .base import ADD, Admission


@strategy
class Regress(Admission):
    """Approximate linear dependence with threshold ν; `LeastSquares` does the work."""

    nu: NonNegative = 1e-3

    @property
    def keeper(self):
        from ..inverse import LeastSquares

        return LeastSquares(self.nu)

    def admit(self, own, r, st, loss, kxx):
        return ADD, 1.0
