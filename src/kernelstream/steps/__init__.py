"""Step sizes and decay."""

from .aggressive import PassiveAggressive, PassiveAggressive2
from .base import Step
from .inverse_time import InverseTime
from .power import Constant, Power
from .shifting import Shifting

__all__ = ["Constant", "InverseTime", "PassiveAggressive", "PassiveAggressive2", "Power", "Shifting", "Step"]
