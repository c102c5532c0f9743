"""KRLS's admission: every example is used, few join the dictionary."""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import NonNegative, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD
from .base import Admission

if TYPE_CHECKING:
    from ..core.inverse import Inverse


@strategy
class Regress(Admission):
    """Approximate linear dependence with threshold ν, which `inverse.LeastSquares` tests.

    Parameters
    ----------
    nu : float, default 0.001
        ν, the squared distance from the span beyond which a point is added.
    """

    nu: NonNegative = 1e-3

    @property
    def keeper(self) -> "Inverse":
        from ..core.inverse import LeastSquares

        return LeastSquares(self.nu)

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        return ADD, 1.0
