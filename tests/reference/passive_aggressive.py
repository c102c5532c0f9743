"""Passive-aggressive learning, PA-I and PA-II, and on a budget: BPA-S, BPA-NN, BPA-P.

K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer, "Online Passive-Aggressive Algorithms", Journal of
Machine Learning Research 7, 2006.
Z. Wang, S. Vucetic, "Online Passive-Aggressive Algorithms on a Budget", AISTATS 2010.

With v and the margin as in the perceptron (v = y, or e_y - e_r with r the best wrong class) and
loss = max(0, 1 - margin), the new function solves

    PA-I     min 1/2 ||f' - f||^2 + C xi      subject to  <v, f'(x)> >= 1 - xi,  xi >= 0
    PA-II    min 1/2 ||f' - f||^2 + C xi^2    subject to  <v, f'(x)> >= 1 - xi

r is the best wrong class of f, not of f'.  The Lagrangian gives f' = f + tau v k(x, .), which raises the margin
by tau ||v||^2 k(x, x), so with s = ||v||^2 k(x, x) (k(x, x) for one output, 2 k(x, x) in the multi-class case)

    PA-I     tau = min(C, loss / s)
    PA-II    tau = loss / (s + 1 / (2C))

On a budget, when n >= B, f' must also lie in f - a_r k(x_r, .) + V_r for one of the present SVs r:

    BPA-S     V_r = span{x}
    BPA-NN    V_r = span{x, the SV nearest to r}
    BPA-P     V_r = span{x, all the SVs but r}

Write -a_r k(x_r, .) = -a_r (its residual orthogonal to V_r) - a_r (its projection P on V_r).  The residual is
orthogonal to k(x, .) and so neither changes the margin nor interacts with V_r: the best f' is

    f' = f - a_r k(x_r, .) + a_r P k(x_r, .) + tau v k(x, .)

with the tau above for every r, and the r to choose is that of the least ||f' - f||^2, the oldest of equals.  For
BPA-S the coefficient at x is b_r = a_r k(x_r, x) / k(x, x) + tau v, and
||f' - f||^2 = ||a_r||^2 k_rr - 2 a_r . b_r k(x_r, x) + ||b_r||^2 k(x, x).
"""

import numpy as np

from .bsgd import nearest, others
from .common import Expansion, Kernel, Step, batches, distance, gram, oldest_of_equals, solve, start
from .perceptron import direction


def step_size(loss: float, s: float, C: float, variant: str) -> float:
    """tau; 0 if k(x, x) = 0, where nothing can be learned."""
    if loss <= 0.0 or s <= 0.0:
        return 0.0
    if variant == "PA-I":
        return min(C, loss / s)
    if variant == "PA-II":
        return loss / (s + 1.0 / (2.0 * C))
    raise ValueError(variant)


def run(X, Y, *, kernel: Kernel, C: float, variant: str = "PA-I", outputs: int = 1, seed: int = 0) -> list[Step]:
    """No budget; nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        tau = step_size(1.0 - margin, float(v @ v) * kernel(x, x), C, variant)
        if tau > 0.0:
            f.append(x, tau * v, t)
        steps.append(f.snapshot())
    return steps


def kept(f: Expansion, r: int, maintenance: str) -> list[int]:
    """The positions that span V_r together with x."""
    if maintenance == "S":
        return []
    if maintenance == "NN":
        return nearest(f, r, 1)
    if maintenance == "P":
        return others(f, r)
    raise ValueError(maintenance)


def change(f: Expansion, x: np.ndarray, step: np.ndarray, r: int, maintenance: str) -> Expansion:
    """f' - f: -a_r at x_r first, then the changes at kept(f, r), then the coefficient of x."""
    span = kept(f, r, maintenance)
    points = [f.x[i] for i in span] + [x]
    d = solve(gram(f.kernel, points), np.array([f.kernel(p, f.x[r]) for p in points]))
    h = Expansion(f.kernel, f.dim, f.outputs)
    h.append(f.x[r], -f.a[r], 0)
    for i, di in zip(span, d[:-1], strict=True):
        h.append(f.x[i], di * f.a[r], 0)
    h.append(x, d[-1] * f.a[r] + step, 0)
    return h


def replace(f: Expansion, x: np.ndarray, step: np.ndarray, r: int, maintenance: str, t: int) -> None:
    """Apply change: remove r, then append x."""
    h = change(f, x, step, r, maintenance)
    for i, a in zip(kept(f, r, maintenance), h.a[1:-1], strict=True):
        f.a[i] = f.a[i] + a
    f.remove(r)
    f.append(x, h.a[-1], t)


def victim(f: Expansion, x: np.ndarray, step: np.ndarray, maintenance: str) -> int:
    """The r of the least ||f' - f||^2, the oldest of equals."""
    costs = [change(f, x, step, r, maintenance).norm2() for r in range(len(f))]
    return oldest_of_equals(costs, f.age)


def bpa(
    X,
    Y,
    *,
    kernel: Kernel,
    C: float,
    budget: int,
    maintenance: str = "S",
    variant: str = "PA-I",
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """delta is the distance from the passive-aggressive step without a budget; nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        tau = step_size(1.0 - margin, float(v @ v) * kernel(x, x), C, variant)
        delta = 0.0
        if tau > 0.0 and len(f) < budget:
            f.append(x, tau * v, t)
        elif tau > 0.0:
            free = f.copy()
            free.append(x, tau * v, t)
            replace(f, x, tau * v, victim(f, x, tau * v, maintenance), maintenance, t)
            delta = distance(free, f)
        steps.append(f.snapshot(delta))
    return steps
