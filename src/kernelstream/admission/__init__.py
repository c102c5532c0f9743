"""Which examples become support vectors."""

from .always import Always
from .base import ADD, FOLD, SKIP, Admission
from .by_derivative import ByDerivative
from .coin import Coin

__all__ = ["ADD", "FOLD", "SKIP", "Admission", "Always", "ByDerivative", "Coin"]
