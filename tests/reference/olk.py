"""Online learning with kernels: OLK, random updating (OLRU) and random discarding (OLRD).

W. He, J. T. Kwok, "Simple randomized algorithms for online learning with kernels", Neural Networks 60, 2014,
Algorithms 1, 2 and 3.

No decay.  With g = d loss(y_t, f(x_t)) / d f(x_t):

    OLK     f <- f - eta_t g k(x_t, .) if g != 0;   then the ball of radius U
    OLRU    u ~ U[0, 1);  f <- f - (eta_t / p_t) g k(x_t, .) if g != 0 and u < p_t;   then the ball
    OLRD    if g != 0: if n >= B_t, discard one, i with probability q_i, and multiply the others by 1 / (1 - q_j)  (17);
            f <- f - eta_t g k(x_t, .);   then the ball of radius U (line 15)

q = 1/n (19), or any other: that minimising sum_i q_i ||a_i||^2 k_ii / (1 - q_i)^2, the bound (18) on E||e_t||^2, or
that of BOGD++.  Theorem 3's steps are in `theorem_3`.

The text of the paper replaces the ball by B_t max_j ||a_j|| sqrt(k_jj) <= U (the factor min{1, U/B} in print would
shrink f at every update), restored after every update by

    clip    each ||a_j|| sqrt(k_jj) at U / B_t
    scale   all a_j by min(1, U / (B_t max_j ||a_j|| sqrt(k_jj)))
"""

import math
from collections.abc import Callable

import numpy as np

from .bogd import discard, position, uniform_q
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


def least_variance_q(f: Expansion) -> list[float]:
    """q >= 0 of sum 1 that minimises sum_i q_i w_i^2 / (1 - q_i)^2, w_i = ||a_i|| sqrt(k_ii).

    The derivative w^2 (1 + q) / (1 - q)^3 grows with q: it is the same, mu, wherever q > 0, and at least mu elsewhere.
    """
    n = len(f)
    w2 = [float(f.a[i] @ f.a[i]) * f.self_kernel(i) for i in range(n)]
    if n == 1:
        return [1.0]

    def at(mu: float, w: float) -> float:
        low, high = 0.0, 1.0
        for _ in range(200):
            q = 0.5 * (low + high)
            low, high = (q, high) if w * (1.0 + q) < mu * (1.0 - q) ** 3 else (low, q)
        return low if mu > w else 0.0

    low, high = min(w2), 2.0 * min(w2)
    while sum(at(high, w) for w in w2) < 1.0:
        high *= 2.0
    for _ in range(200):
        mu = 0.5 * (low + high)
        low, high = (mu, high) if sum(at(mu, w) for w in w2) < 1.0 else (low, mu)
    q = [at(high, w) for w in w2]
    return [qi / sum(q) for qi in q]


def theorem_3(U: float, budget: Callable[[int], float], G: float = 1.0, T: int | None = None) -> Rate:
    """eta = U sqrt(4 + 1/c^2) / sqrt(G T), or U sqrt(2 + 1/c^2) / sqrt(G t), with c from B = 1 + c sqrt(T or t)."""

    def rate(t: int) -> float:
        c = (budget(t) - 1.0) / math.sqrt(T or t)
        return U * math.sqrt((4.0 if T else 2.0) + 1.0 / c**2) / math.sqrt(G * (T or t))

    return rate


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
    bound_kind: str | None = "ball",
    q: Callable[[Expansion], list[float]] | None = None,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """B_t = budget(t) rounded to the nearest integer; delta is the distance made by the discard alone.

    q = None is uniform: i is drawn as an integer; else it is drawn from q's cumulative sums.
    """
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
                shares = uniform_q(f) if q is None else q(f)
                discard(f, draws.below(len(f)) if q is None else position(draws.uniform(), shares), shares)
                delta = distance(before, f)
            f.append(x, -rate(t) * g, t)
        bound(f, bound_kind, U, B)
        steps.append(f.snapshot(delta))
    return steps
