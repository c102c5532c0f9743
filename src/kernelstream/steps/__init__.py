"""Step sizes and decay."""

from .aggressive import PassiveAggressive, PassiveAggressive2
from .base import Step
from .discarding import Discarding
from .forgetting import Forgetting
from .inverse_time import InverseTime
from .power import Constant, Power
from .self_bounded import SelfBounded
from .shifting import Shifting
from .theorems import from_theorem
from .updating import Updating

__all__ = [
    "Constant",
    "Discarding",
    "Forgetting",
    "InverseTime",
    "PassiveAggressive",
    "PassiveAggressive2",
    "Power",
    "SelfBounded",
    "Shifting",
    "Step",
    "Updating",
    "from_theorem",
]
