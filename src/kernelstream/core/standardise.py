"""One row in other units, compiled: NumPy would spend more time on its calls than on the numbers."""

import math
from typing import Any

from .numba.cache import direct, shared
from .types import Array


def shift_and_scale(row: Array, centre: Array, factors: Array, limit: float, out: Array) -> bool:
    """Entry point: out = (row − centre) · factors, between ±limit; False if a value is not finite."""
    fine = True
    for k in range(row.shape[0]):
        fine = fine and math.isfinite(row[k])
        # a difference may overflow, and infinity times 0 is not a number
        out[k] = 0.0 if factors[k] == 0.0 else min(max((row[k] - centre[k]) * factors[k], -limit), limit)
    return fine


_CALLS: dict[str, Any] = {}


def standardise(row: Array, centre: Array, factors: Array, limit: float, out: Array) -> bool:
    """`shift_and_scale`, from Python. Arrays are float64 and C-contiguous: nobody checks."""
    call = _CALLS.get("call")
    if call is None:
        call = _CALLS["call"] = direct(shared(shift_and_scale), row, centre, factors, limit, out)
    fine: bool = call(row, centre, factors, limit, out)
    return fine
