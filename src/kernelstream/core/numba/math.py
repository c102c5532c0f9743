"""Arithmetic that vectorises: exp as a polynomial, and constants of the right type.

numba calls libm's exp one number at a time. A polynomial whose exponent bits are set by hand runs eight at a
time; its error is 1.5e-7 in float32 and 2e-15 in float64.
"""

import numpy as np
from numba import njit, types
from numba.extending import overload

from .lowering import HELPER, OPTIONS

# reassociation would ruin the polynomials' rounding: only contraction is allowed here
_POLYNOMIAL = {"fastmath": {"contract"}, "error_model": "numpy", "forceinline": True, **HELPER}
_f4, _i4 = np.float32, np.int32


def cast(value, like):
    """`value` as a number of the type of `like`, array or number: a bare literal would turn float32 into float64."""
    return like.dtype.type(value) if hasattr(like, "dtype") else type(like)(value)


@overload(cast, jit_options={**OPTIONS, **HELPER})
def _cast(value, like):
    ty = like.dtype if isinstance(like, types.Array) else like

    def convert(value, like):
        return ty(value)

    return convert


def exp(x):
    """e^x of a number (or, outside compiled code, of an array) in its own precision."""
    return np.exp(x)


@njit(**_POLYNOMIAL)
def _exp32(x):
    x = min(max(x, _f4(-87.0)), _f4(88.0))
    k = np.floor(x * _f4(1.4426950408889634) + _f4(0.5))
    f = ((x - k * _f4(0.693359375)) - k * _f4(-2.12194440e-4)) * _f4(1.4426950408889634)
    p = _f4(1.535336188319500e-4)
    p = p * f + _f4(1.339887440266574e-3)
    p = p * f + _f4(9.618437357674640e-3)
    p = p * f + _f4(5.550332471162809e-2)
    p = p * f + _f4(2.402264791363012e-1)
    p = p * f + _f4(6.931472028550421e-1)
    p = p * f + _f4(1.0)
    bits = _i4((_i4(k) + _i4(127)) << _i4(23))
    return p * bits.view(np.float32)


@njit(**_POLYNOMIAL)
def _exp64(x):
    x = min(max(x, -708.0), 709.0)
    k = np.floor(x * 1.4426950408889634 + 0.5)
    f = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    p = 1.0 / 6227020800.0
    p = p * f + 1.0 / 479001600.0
    p = p * f + 1.0 / 39916800.0
    p = p * f + 1.0 / 3628800.0
    p = p * f + 1.0 / 362880.0
    p = p * f + 1.0 / 40320.0
    p = p * f + 1.0 / 5040.0
    p = p * f + 1.0 / 720.0
    p = p * f + 1.0 / 120.0
    p = p * f + 1.0 / 24.0
    p = p * f + 1.0 / 6.0
    p = p * f + 0.5
    p = p * f + 1.0
    p = p * f + 1.0
    bits = np.int64((np.int64(k) + np.int64(1023)) << np.int64(52))
    return p * bits.view(np.float64)


@overload(exp, jit_options={**OPTIONS, **HELPER, "forceinline": True})
def _exp(x):
    if x == types.float32:
        return lambda x: _exp32(x)
    return lambda x: _exp64(x)
