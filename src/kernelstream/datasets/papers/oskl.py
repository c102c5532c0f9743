"""L. Zhang, J. Yi, R. Jin, M. Lin & X. He, "Online kernel learning with a near optimal sparsity bound", ICML 2013.

Features in [0, 1] by the rows to learn from; magic and covtype, class 2 against the rest, cut at 80 % at random.
"""

from .rows import AtRandom, Own
from .scaling import unit
from .targets import against_rest
from .version import Version

VERSIONS = {
    "magic04": Version(AtRandom("magic04", 0.8), unit),
    "a9a": Version(Own("a9a")),
    "covtype": Version(AtRandom("covtype", 0.8), unit, against_rest(2)),
}
