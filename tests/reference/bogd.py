"""Bounded online gradient descent, BOGD and BOGD++.

P. Zhao, J. Wang, P. Wu, R. Jin, S. C. H. Hoi, "Fast Bounded Online Gradient Descent Algorithms for Scalable
Kernel-Based Online Learning", ICML 2012.

Update t, with g = d loss(y_t, f(x_t)) / d f(x_t):

    f <- (1 - eta_t lam) f
    if g != 0: if n >= B, remove r with probability q_r and multiply every other a_i by 1 / (1 - q_i);
               f <- f - eta_t g k(x_t, .)
    every a_i with ||a_i|| > gamma eta_t is scaled back to gamma eta_t

    BOGD      q_i = 1 / n
    BOGD++    q_i = 1 - (n - 1) w_i / sum_j w_j,    w_i = ||a_i|| sqrt(k_ii)

The q of BOGD++ can be negative in print.  It is clipped at 0 and divided by its sum, and this one q serves both
the draw and the factors, so that the mean over r is f: a_i survives with probability 1 - q_i.  (q_i = 1 only if
every other q is 0: then i leaves for sure and the others keep their weight.)

The newest SV is neither a candidate nor re-scaled.
"""

import math

import numpy as np

from .common import Draws, Expansion, Kernel, Loss, Rate, Step, batches, distance, start


def uniform_q(f: Expansion) -> list[float]:
    """1 / n"""
    return [1.0 / len(f)] * len(f)


def weighted_q(f: Expansion) -> list[float]:
    """1 - (n - 1) w_i / sum w, clipped at 0, of sum 1; uniform if all w are 0."""
    n = len(f)
    w = [float(np.linalg.norm(f.a[i])) * math.sqrt(f.self_kernel(i)) for i in range(n)]
    if sum(w) == 0.0:
        return uniform_q(f)
    q = [max(0.0, 1.0 - (n - 1) * w[i] / sum(w)) for i in range(n)]
    return [qi / sum(q) for qi in q]


def position(u: float, q: list[float]) -> int:
    """The first i with u < q_0 + ... + q_i; the last of positive q if rounding leaves none."""
    total = 0.0
    for i in range(len(q)):
        total += q[i]
        if u < total:
            return i
    return max(i for i in range(len(q)) if q[i] > 0.0)


def discard(f: Expansion, r: int, q: list[float]) -> None:
    """a_i / (1 - q_i) for i != r; then remove r: f is the mean over r ~ q (if there is more than one)."""
    for i in range(len(f)):
        if i != r:
            f.a[i] = f.a[i] / (1.0 - q[i])
    f.remove(r)


def clip(f: Expansion, limit: float) -> None:
    """||a_i|| <= limit for every i"""
    for i in range(len(f)):
        size = float(np.linalg.norm(f.a[i]))
        if size > limit:
            f.a[i] = f.a[i] * (limit / size)


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    lam: float,
    budget: int,
    gamma: float = math.inf,
    plus: bool = False,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """plus = True for BOGD++.

    One number is drawn per discard.  delta is the distance made by the discard alone.
    """
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        eta = rate(t)
        _, g = loss(y, f.value(x))
        f.scale(1.0 - eta * lam)
        delta = 0.0
        if g.any():
            if len(f) >= budget:
                before = f.copy()
                if plus:
                    q = weighted_q(f)
                    r = position(draws.uniform(), q)
                else:
                    q = uniform_q(f)
                    r = draws.below(len(f))
                discard(f, r, q)
                delta = distance(before, f)
            f.append(x, -eta * g, t)
        clip(f, gamma * eta)
        steps.append(f.snapshot(delta))
    return steps
