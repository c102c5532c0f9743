"""Random numbers: splitmix64 on one 64-bit word, so that a run's whole random state is one integer.

Compiled code, plain Python and the reference implementations draw the same numbers from the same seed.
"""

import numpy as np

from .numba.lowering import INTERPRETED, compiled
from .types import Array

_GAMMA, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_TO_UNIT = 2.0**-53

_MASK = (1 << 64) - 1


def draw(rng: Array) -> float:
    """A number in [0, 1) for Python; advances the state. Python's integers are unbounded, so wrap them by hand."""
    s = (int(rng[0]) + _GAMMA) & _MASK
    rng[0] = s
    z = ((s ^ (s >> 30)) * _MIX1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX2) & _MASK
    return float((z ^ (z >> 31)) >> 11) * _TO_UNIT


if INTERPRETED:
    uniform = draw
else:
    _u8 = np.uint64

    @compiled
    def uniform(rng: Array) -> float:
        """A number in [0, 1); advances the state."""
        s = rng[0] + _u8(_GAMMA)
        rng[0] = s
        z = (s ^ (s >> _u8(30))) * _u8(_MIX1)
        z = (z ^ (z >> _u8(27))) * _u8(_MIX2)
        return np.float64((z ^ (z >> _u8(31))) >> _u8(11)) * _TO_UNIT


@compiled
def below(rng: Array, n: int) -> int:
    """An integer in 0 … n − 1; advances the state."""
    return min(int(uniform(rng) * n), n - 1)
