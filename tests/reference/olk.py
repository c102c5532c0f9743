"""Online learning with kernels: OLK, random updating (OLRU) and random discarding (OLRD).

W. He, J. T. Kwok, "Simple randomized algorithms for online learning with kernels", Neural Networks 60, 2014,
Algorithms 1, 2 and 3.

No decay.  With g = d loss(y_t, f(x_t)) / d f(x_t):

    OLK     f <- f - eta_t g k(x_t, .) if g != 0;   then the ball of radius U
    OLRU    u ~ U[0, 1);  f <- f - (eta_t / p_t) g k(x_t, .) if g != 0 and u < p_t;   then the ball
    OLRD    if g != 0: if n >= B_t, discard i ~ U{0 .. n-1} and multiply the others by 1 / (1 - 1/n);
            f <- f - eta_t g k(x_t, .);   then a bound

The bound of OLRD shall give B_t max_j ||a_j|| sqrt(k_jj) <= U (the factor min{1, U/B} in print would shrink
f at every update), by

    clip    each ||a_j|| sqrt(k_jj) at U / B_t
    scale   all a_j by min(1, U / (B_t max_j ||a_j|| sqrt(k_jj)))
    ball    or simply the ball of radius U, as in the printed algorithm

after every update.
"""

import math
from collections.abc import Callable

import numpy as np

from .common import Draws, Expansion, Kernel, Loss, Rate, Step, batches, distance, start


def olk(
    X, Y, *, kernel: Kernel, loss: Loss, rate: Rate, U: float | None, outputs: int = 1, seed: int = 0
) -> list[Step]:
    """Nothing is random; U = None for no ball."""
    f = start(X, kernel, outputs)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        _, g = loss(y, f.value(x))
        if g.any():
            f.append(x, -rate(t) * g, t)
        f.ball(U)
        steps.append(f.snapshot())
    return steps


def olru(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    probability: Rate,
    U: float | None,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """p_t = min(1, probability(t)).

    The paper: probability constant(c T^-gamma), or power(c, gamma) with rate power(eta, (1 + gamma) / 2).
    """
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        _, g = loss(y, f.value(x))
        p = min(1.0, probability(t))
        u = draws.uniform()  # one per example, also when g = 0
        if g.any() and u < p:
            f.append(x, -(rate(t) / p) * g, t)
        f.ball(U)
        steps.append(f.snapshot())
    return steps


def discard(f: Expansion, i: int) -> None:
    """Drop SV i; the others times 1 / (1 - q), q = 1/n: unbiased if i is uniform (and n > 1)."""
    n = len(f)
    f.remove(i)
    if n > 1:
        f.scale(1.0 / (1.0 - 1.0 / n))


def bound(f: Expansion, kind: str | None, U: float, budget: int) -> None:
    if kind is None or len(f) == 0:
        return
    size = [float(np.linalg.norm(f.a[j])) * math.sqrt(f.self_kernel(j)) for j in range(len(f))]
    limit = U / budget
    if kind == "clip":
        for j in range(len(f)):
            if size[j] > limit:
                f.a[j] = f.a[j] * (limit / size[j])
    elif kind == "scale":
        if max(size) > limit:
            f.scale(limit / max(size))
    elif kind == "ball":
        f.ball(U)
    else:
        raise ValueError(kind)


def sqrt_budget(c: float) -> Callable[[int], float]:
    """B_t = 1 + c sqrt(t), before rounding"""
    return lambda t: 1.0 + c * math.sqrt(t)


def olrd(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    budget: Callable[[int], float],
    U: float,
    bound_kind: str | None = "clip",
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """B_t = budget(t) rounded to the nearest integer; delta is the distance made by the discard alone."""
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        B = math.floor(budget(t) + 0.5)
        _, g = loss(y, f.value(x))
        delta = 0.0
        if g.any():
            if len(f) >= B:
                before = f.copy()
                discard(f, draws.below(len(f)))
                delta = distance(before, f)
            f.append(x, -rate(t) * g, t)
        bound(f, bound_kind, U, B)
        steps.append(f.snapshot(delta))
    return steps
