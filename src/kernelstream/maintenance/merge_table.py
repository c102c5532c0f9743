"""The loss of merging two support vectors (Gaussian kernel): exact for one pair, a table's lower bound for all.

a_m κ(x_m, ·) + a_n κ(x_n, ·) is replaced by a_z κ(z, ·), z = h x_m + (1 − h) x_n. With κ = κ(x_m, x_n), A = ‖a_m‖²,
D = ‖a_n‖², C = a_m·a_n the best a_z is a_m κ^{(1−h)²} + a_n κ^{h²}, and the squared loss A + D + 2Cκ − ‖a_z‖².

The loss is a minimum over h of functions linear in C, so concave in C: at ρ = C/√(AD) between 0 and 1 it is at least
(1 − ρ) times its value at ρ = 0 plus ρ times that at ρ = 1. Those two depend on κ and on w = √A/(√A + √D) alone. They
are tabulated (after Glasmachers & Qaadan 2018) divided by A(1 − κ) and A(1 − κ)², which leaves smooth functions.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from .._lowering import compiled, inlined

_W, _K = 65, 129
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


def _losses(A, C, D, log_kappa):
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
def lower_bound(apart, aligned, rho, w, kappa):
    """Less than the loss of merging, as a share of A, for A ≤ D and ρ ≥ 0; all but equal to it where ρ is 0 or 1."""
    u, v = w * (2.0 * (_W - 1)), kappa * (_K - 1)
    i, j = min(int(u), _W - 2), min(int(v), _K - 2)
    u, v = u - i, v - j
    far, rho = 1.0 - kappa, min(rho, 1.0)
    loss = rho * far * bilinear(aligned, i, j, u, v)
    if rho < 1.0:
        loss += (1.0 - rho) * bilinear(apart, i, j, u, v)
    return far * loss * (1.0 - SLACK)


@inlined
def bilinear(table, i, j, u, v):
    return (1.0 - u) * ((1.0 - v) * table[i, j] + v * table[i, j + 1]) + u * (
        (1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    )


@compiled
def slope(A, C, D, log_kappa, h):
    """The derivative of the loss in h, up to a positive factor, and the derivative of that."""
    E = math.exp(log_kappa * (1.0 - 2.0 * h))
    value = D * h - C * E * (1.0 - 2.0 * h) - A * E * E * (1.0 - h)
    bend = D + 2.0 * C * E + A * E * E + 2.0 * log_kappa * E * (C * (1.0 - 2.0 * h) + 2.0 * A * E * (1.0 - h))
    return value, bend


@compiled
def best_h(A, C, D, log_kappa):
    """Where between (or, for C < 0, beyond) the two the merged point lies.

    m is the smaller one, so h ≤ ½; the first zero of the slope is found by Newton's method, kept inside a bracket.
    """
    low, high = 0.0, 0.5
    value, _ = slope(A, C, D, log_kappa, 0.0)
    while value > 0.0 and low > -1e6:
        high = low
        low = 2.0 * low - 1.0
        value, _ = slope(A, C, D, log_kappa, low)
    _, bend = slope(A, C, D, log_kappa, 0.5)
    h = high if bend > 0.0 else low  # one bump: the zero is near ½, at ½ itself for equal coefficients
    for _ in range(100):
        value, bend = slope(A, C, D, log_kappa, h)
        if value < 0.0:
            low = h
        else:
            high = h
        new = h - value / bend if bend > 0.0 else low
        if not low < new < high:
            new = 0.5 * (low + high) if high - low > 1e-16 and abs(value) > 1e-16 * D else h
        if abs(new - h) <= 1e-16 or high - low <= 1e-16:
            break
        h = new
    return h


@inlined
def exact_loss(A, C, D, log_kappa, h):
    """A + D + 2Cκ − ‖a_z‖², as a sum of small terms rather than a difference of large ones."""
    p = 1.0 - h
    pair = math.exp(log_kappa) * math.expm1(-2.0 * log_kappa * h * p)
    return -A * math.expm1(2.0 * log_kappa * p * p) - D * math.expm1(2.0 * log_kappa * h * h) - 2.0 * C * pair
