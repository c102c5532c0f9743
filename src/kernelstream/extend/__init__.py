"""What strategies of your own are written with: parameters, the state of a learner, and the ways to read and change f.

A strategy is a class below `Kernel`, `Loss`, `Step`, `Admission`, `Maintenance`, `Choice`, `Bound`, `Budget` or
`Output`, declared with `@strategy`. Its methods are compiled with the learning loop and may call the functions here,
and functions of their own that are declared with `@compiled`. The site's section *Extend* has a complete example of
each.
"""

from ..core.changes import drop, record, replace, rescale, set_coefficient, spread
from ..core.expansion import coefficient, column, score, squared
from ..core.numba.lowering import compiled
from ..core.random import below, uniform
from ..core.registry import register_module, register_strategy
from ..core.state import Expansion, State
from ..core.strategy import Count, Dims, Facts, Interval, NonNegative, Positive, Share, Strategy, Whole, strategy
from ..core.verdicts import ADD, FOLD, SKIP
from ..maintenance.remove import remove

__all__ = [
    "ADD",
    "FOLD",
    "SKIP",
    "Count",
    "Dims",
    "Expansion",
    "Facts",
    "Interval",
    "NonNegative",
    "Positive",
    "Share",
    "State",
    "Strategy",
    "Whole",
    "below",
    "coefficient",
    "column",
    "compiled",
    "drop",
    "record",
    "register_module",
    "register_strategy",
    "remove",
    "replace",
    "rescale",
    "score",
    "set_coefficient",
    "spread",
    "squared",
    "strategy",
    "uniform",
]
