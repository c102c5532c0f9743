"""All that depends on the precision in which support vectors are stored. Add another, such as float16, here first.

Support vectors and kernel values are float32 or float64; coefficients, norms and inverses are always float64. Compiled
code passes the array `sv`, whose item size is a constant to the compiler.
"""

from typing import Any

import numpy as np

from .numba.lowering import callable_anywhere
from .types import Array

DTYPES = ("float32", "float64")
DEFAULT = "float32"

# The largest score, derivative, target and κ(x, x): squares of them and sums of such squares stay finite.
LARGEST = 1e100
# The largest weight of an example. Beside one of this weight, 1 is lost in rounding.
HEAVIEST = 1e15
# The longest step: times the heaviest weight and the largest derivative it is a coefficient that is still finite.
LONGEST = 1e30


def largest(dtype: Any) -> float:
    """The largest input value that is accepted: the square of a larger float64 would be infinite."""
    return float(np.finfo(np.float32).max) if dtype == np.float32 else 1e150


def any_finite(dtype: Any) -> bool:
    """Whether every finite number of this type is accepted."""
    return largest(dtype) == float(np.finfo(dtype).max)


@callable_anywhere
def is_double(array: Array) -> bool:
    return array.itemsize == 8


@callable_anywhere
def tolerance(sv: Array) -> float:
    """Relative difference below which coefficients count as equal."""
    return 1e-9 if is_double(sv) else 1e-5


@callable_anywhere
def jitter(sv: Array) -> float:
    """Added to the diagonal of a Gram matrix, relative to κ(x, x): above the rounding of the kernel values."""
    return 1e-12 if is_double(sv) else 1e-6


@callable_anywhere
def dependent(sv: Array) -> float:
    """Squared distance from the span, relative to κ(x, x), below which a point is projected, not added: 1/Q stays well
    above the rounding of rank-one updates."""
    return 1e-6 if is_double(sv) else 1.6e-5


@callable_anywhere
def drift(sv: Array) -> float:
    """How far a column of QK may be from that of the identity before the inverse is rebuilt."""
    return 1e-6 if is_double(sv) else 1e-2


@callable_anywhere
def cancellation(like: Any) -> float:
    """The largest (‖x‖² + ‖z‖²) · |dκ/du| at which ‖x‖² + ‖z‖² − 2x·z is exact enough: some 3e-5 in the kernel."""
    return 1e10 if is_double(like) else 160.0
