"""Rows in other units, compiled: NumPy would spend more time on its calls than on the numbers."""

import math
from typing import Any

from .numba.cache import direct, shared
from .numba.views import unowned
from .types import Array


def shift_and_scale(rows: Array, centre: Array, factors: Array, limit: float, out: Array) -> bool:
    """Entry point: out = (rows − centre) · factors, between ±limit; False if a value is not finite."""
    rows, centre, factors, out = unowned(rows), unowned(centre), unowned(factors), unowned(out)
    fine = True
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            value, factor = rows[i, k], factors[k]
            fine = fine and math.isfinite(value)
            # a difference may overflow, and infinity times 0 is not a number
            out[i, k] = 0.0 if factor == 0.0 else min(max((value - centre[k]) * factor, -limit), limit)
    return fine


_CALLS: dict[str, Any] = {}


def standardise(rows: Array, centre: Array, factors: Array, limit: float, out: Array) -> bool:
    """`shift_and_scale`, from Python. Arrays are float64 and C-contiguous: nobody checks."""
    call = _CALLS.get("call")
    if call is None:
        call = _CALLS["call"] = direct(shared(shift_and_scale), rows, centre, factors, limit, out)
    fine: bool = call(rows, centre, factors, limit, out)
    return fine
