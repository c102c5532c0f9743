"""Which examples become support vectors."""

from .always import Always
from .base import ADD, FOLD, SKIP, Admission
from .by_derivative import ByDerivative
from .coin import Coin
from .linear_dependence import LinearDependence, MarginDependence
from .regress import Regress
from .sparse_klr import ByAuxiliary, ByMargin

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
