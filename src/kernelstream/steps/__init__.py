"""Step sizes and decay."""

from .base import Step
from .inverse_time import InverseTime
from .power import Constant, Power

__all__ = ["Constant", "InverseTime", "Power", "Step"]
