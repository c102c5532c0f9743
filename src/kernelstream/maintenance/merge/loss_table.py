"""Tables of the loss of merging, a second test for the partners that its polynomial bound does not exclude.

As in `loss.py` the loss is bounded by its values at ρ = 0 and ρ = 1, functions of κ and w = √A/(√A + √D), A ≤ D.
Divided by A(1 − κ) and A(1 − κ)² they are smooth enough for small bilinear tables (after Glasmachers & Qaadan 2018).
Far apart, the loss is A minus a gain of about κ²(1 − 2ρ² ln κ), which a formula resolves and no table does.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from ...core.numba.lowering import compiled, inlined
from ...core.types import Array, Own

_W, _K = 65, 129
_FAR = 0.05
# The bilinear table exceeds the loss by less than this share (properties/test_merge.py measures it).
SLACK = 1e-4


class Tables(NamedTuple):
    apart: np.ndarray  # ρ = 0
    aligned: np.ndarray  # ρ = 1


@functools.cache
def tables() -> Tables:
    w = np.maximum(np.linspace(0.0, 0.5, _W), 1e-4)[:, None]
    kappa = np.clip(np.linspace(0.0, 1.0, _K), 1e-9, 1.0 - 1e-7)[None, :]
    A, D = w * w, (1.0 - w) ** 2
    apart = _losses(A, 0.0 * A, D, np.log(kappa)) / (A * (1.0 - kappa))
    aligned = _losses(A, w * (1.0 - w), D, np.log(kappa)) / (A * (1.0 - kappa) ** 2)
    return Tables(np.ascontiguousarray(apart), np.ascontiguousarray(aligned))


def _losses(A: np.ndarray, C: np.ndarray, D: np.ndarray, log_kappa: np.ndarray) -> np.ndarray:
    """The least loss over h in [0, ½] by bisection, element by element."""
    low = np.zeros(np.broadcast(A, log_kappa).shape)
    high = np.full_like(low, 0.5)
    for _ in range(50):
        h = 0.5 * (low + high)
        E = np.exp(log_kappa * (1.0 - 2.0 * h))
        rising = D * h - C * E * (1.0 - 2.0 * h) - A * E * E * (1.0 - h) < 0.0
        low, high = np.where(rising, h, low), np.where(rising, high, h)
    p = 1.0 - low
    pair = np.exp(log_kappa) * np.expm1(-2.0 * log_kappa * low * p)
    return -A * np.expm1(2.0 * log_kappa * p * p) - D * np.expm1(2.0 * log_kappa * low * low) - 2.0 * C * pair


@compiled
def tabulated(own: Own, A: float, C: float, D: float, kappa: float) -> float:
    """A lower bound of the loss of merging for C ≥ 0, almost exact where ρ is 0 or 1."""
    apart, aligned = own.tables.value.apart, own.tables.value.aligned
    small, large = math.sqrt(min(A, D)), max(math.sqrt(max(A, D)), 1e-300)
    w, rho = small / (small + large), C / max(small * large, 1e-300)
    if not (w >= 0.0 and kappa >= 0.0):
        return 0.0  # not numbers, of which no index may be made
    if kappa < _FAR:
        depth = -math.log(max(kappa, 1e-300))
        gain = kappa * kappa * (1.0 + 2.0 * depth * rho * rho) * (1.0 + 4.0 * kappa * (1.0 + depth))
        return small * small * (1.0 - gain)
    u, v = w * (2.0 * (_W - 1)), kappa * (_K - 1)
    i, j = min(int(u), _W - 2), min(int(v), _K - 2)
    u, v = u - i, v - j
    far, rho = 1.0 - kappa, min(rho, 1.0)
    loss = rho * far * bilinear(aligned, i, j, u, v)
    if rho < 1.0:
        loss += (1.0 - rho) * bilinear(apart, i, j, u, v)
    return small * small * far * loss * (1.0 - SLACK)


@inlined
def bilinear(table: Array, i: int, j: int, u: float, v: float) -> float:
    return (1.0 - u) * ((1.0 - v) * table[i, j] + v * table[i, j + 1]) + u * (
        (1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    )
