"""Projectron and Projectron++.

F. Orabona, J. Keshet, B. Caputo, "Bounded Kernel-Based Online Learning", Journal of Machine Learning Research
10, 2009.

With K the Gram matrix of the SVs, k = [k(x_j, x)]_j, d = K^-1 k, ||P phi||^2 = k' d, delta = the distance
sqrt(k(x, x) - k' d) of k(x, .) from the span of the SVs, and v and the margin as in the perceptron:

    margin <= 0        delta <= eta:  a_j += d_j v;      delta > eta:  add v at x
    0 < margin < 1     Projectron++ only: loss = 1 - margin;  if loss > delta / eta:  a_j += tau d_j v,
                       tau = min{loss / ||P phi||^2, 2 (loss - delta / eta) / ||P phi||^2, 1}

delta is not squared.  The progress towards a g of loss 0 at (x, y) made by a step of size tau is at least
tau (2 (loss - ||g|| delta) - tau ||P phi||^2), and the second term of the minimum keeps it >= 0 for
||g|| <= 1 / eta.

Multi-class (a natural extension; the paper's own keeps one set of SVs per class): the algorithm above on the
feature map (e_y - e_r) k(x, .), projected on all SVs with all classes.  Its projection is v sum_j d_j k(x_j, .)
with ||P phi||^2 = 2 k' d, and its residual is sqrt(2) delta.  eta stays the tolerance of one class, so both
residual and tolerance carry sqrt(2), delta / eta is unchanged, and only ||P phi||^2 gets the factor ||v||^2 = 2.
"""

import math

import numpy as np

from .common import Expansion, Kernel, Step, batches, distance, solve, start
from .perceptron import direction


def projection(f: Expansion, x: np.ndarray) -> tuple[np.ndarray, float, float]:
    """(d, k' d, delta); without SVs the projection is 0 and delta = sqrt(k(x, x))."""
    k = np.array([f.kernel(xj, x) for xj in f.x])
    d = solve(f.gram(), k) if len(f) else np.zeros(0)
    return d, float(k @ d), math.sqrt(max(0.0, f.kernel(x, x) - float(k @ d)))


def step_size(loss: float, slack: float, size: float) -> float:
    """tau of a margin error, slack = delta / eta < loss, size = ||P phi||^2"""
    return min(loss / size, 2.0 * (loss - slack) / size, 1.0)


def fold(f: Expansion, x: np.ndarray, d: np.ndarray, step: np.ndarray) -> float:
    """a_j += d_j step; returns the distance from f + step k(x, .)."""
    full = f.copy()
    full.append(x, step, 0)
    for j in range(len(f)):
        f.a[j] = f.a[j] + d[j] * step
    return distance(full, f)


def run(X, Y, *, kernel: Kernel, eta: float, plus: bool = False, outputs: int = 1, seed: int = 0) -> list[Step]:
    """delta of a Step is the norm of what projecting left out, ||v|| tau delta; nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        lost = 0.0
        if margin <= 0.0:
            d, _, delta = projection(f, x)
            if delta <= eta:
                lost = fold(f, x, d, v)
            else:
                f.append(x, v, t)
        elif plus and margin < 1.0:
            d, kd, delta = projection(f, x)
            loss = 1.0 - margin
            size = float(v @ v) * kd
            if loss > delta / eta and size > 0.0:
                tau = step_size(loss, delta / eta, size)
                lost = fold(f, x, d, tau * v)
        steps.append(f.snapshot(lost))
    return steps
