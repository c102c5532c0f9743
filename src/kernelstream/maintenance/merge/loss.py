"""The loss of merging two support vectors (Gaussian kernel): exact for one pair, a lower bound for many at a time.

a_m κ(x_m, ·) + a_n κ(x_n, ·) is replaced by a_z κ(z, ·), z = h x_m + (1 − h) x_n. With κ = κ(x_m, x_n), A = ‖a_m‖²,
D = ‖a_n‖², C = a_m·a_n the best a_z is a_m κ^{(1−h)²} + a_n κ^{h²}, and the squared loss A + D + 2Cκ − ‖a_z‖².

The loss is a minimum over h of functions linear in C, so concave in C: at ρ = C/√(AD) between 0 and 1 it is at least
(1 − ρ) times its value at ρ = 0 plus ρ times that at ρ = 1. Those two depend on κ and on s = √(min(A, D)/max(A, D))
alone (Glasmachers & Qaadan 2018). Divided by min(A, D) times 1 − κ and (1 − κ)² they are smooth and lie between ½ and
2, so short polynomials bound them from below, and those vectorise where a table does not. The coefficients solve a
linear programme, the least relative error over a grid.
"""

import math

from ...core.numba.lowering import compiled, inlined


@inlined
def aligned(s: float, k: float) -> float:
    """The loss divided by min(A, D) (1 − κ)² where ρ = 1, or up to 9 % less."""
    a = 0.99996 + k * (1.18547 + k * (-1.84081 + k * (4.59503 - k * 3.11795)))
    b = -0.35641 + k * (4.15813 + k * (-9.29204 + k * (-6.49486 + k * 9.52363)))
    c = 0.35641 + k * (-4.66584 + k * (4.34195 + k * (12.23344 - k * 11.15474)))
    return a + s * (b + s * c)


@inlined
def apart(s: float, k: float) -> float:
    """The loss divided by min(A, D) (1 − κ) where ρ = 0, or up to 5 % less."""
    a = 0.95675 + k * (1.11616 + k * (-0.10273 + k * 0.02971))
    b = -0.00942 + k * (0.91227 + k * (-2.0508 + k * 0.42789))
    c = 0.03138 + k * (-0.54663 + k * (-0.75336 + k * 0.94835))
    return a + s * (b + s * c)


@compiled
def slope(A: float, C: float, D: float, log_kappa: float, h: float) -> tuple[float, float]:
    """The derivative of the loss in h, up to a positive factor, and the derivative of that."""
    E = math.exp(log_kappa * (1.0 - 2.0 * h))
    value = D * h - C * E * (1.0 - 2.0 * h) - A * E * E * (1.0 - h)
    bend = D + 2.0 * C * E + A * E * E + 2.0 * log_kappa * E * (C * (1.0 - 2.0 * h) + 2.0 * A * E * (1.0 - h))
    return value, bend


@compiled
def best_h(A: float, C: float, D: float, log_kappa: float) -> float:
    """Where between (or, for C < 0, beyond) the two the merged point lies.

    m is the smaller one, so h ≤ ½; the first zero of the slope is found by Newton's method, kept inside a bracket.
    """
    low, high = 0.0, 0.5
    value = 0.0
    if C < 0.0:  # else the slope at 0 is negative
        value, _ = slope(A, C, D, log_kappa, 0.0)
    while value > 0.0 and low > -1e6:
        high = low
        low = 2.0 * low - 1.0
        value, _ = slope(A, C, D, log_kappa, low)
    bend = D + 2.0 * C + A + 2.0 * log_kappa * A  # of the slope at ½
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
def exact_loss(A: float, C: float, D: float, log_kappa: float, h: float) -> float:
    """A + D + 2Cκ − ‖a_z‖², as a sum of small terms rather than a difference of large ones."""
    p = 1.0 - h
    pair = math.exp(log_kappa) * math.expm1(-2.0 * log_kappa * h * p)
    return -A * math.expm1(2.0 * log_kappa * p * p) - D * math.expm1(2.0 * log_kappa * h * h) - 2.0 * C * pair
