"""Which examples become support vectors."""

from ..core.verdicts import ADD, FOLD, SKIP
from .always import Always
from .base import Admission
from .by_derivative import ByDerivative
from .by_margin import ByAuxiliary, ByMargin
from .coin import Coin
from .linear_dependence import LinearDependence, MarginDependence
from .regress import Regress

__all__ = [
    "ADD",
    "FOLD",
    "SKIP",
    "Admission",
    "Always",
    "ByAuxiliary",
    "ByDerivative",
    "ByMargin",
    "Coin",
    "LinearDependence",
    "MarginDependence",
    "Regress",
]
