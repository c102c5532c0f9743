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

With own=True the projection of class c uses the SVs of class c alone, those that were added with a coefficient for
it (Z. Wang, K. Crammer, S. Vucetic, "Multi-Class Pegasos on a Budget", ICML 2010, section 4.2, say so of the
paper's method).  Class c has K_c, k_c, d_c and delta_c of its own, an empty class d_c = () and delta_c^2 = k(x, x):

    ||P phi||^2   = sum_c v_c^2 k_c' d_c
    ||residual||^2 = sum_c v_c^2 delta_c^2,  compared with ||v||^2 eta^2 in place of delta / eta
    margin <= 0   max_c delta_c <= eta, over c with v_c != 0:  a_jc += v_c d_cj;   else add v at x, for both classes
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


def own_step(f: Expansion, members: list[set], x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, float, list[float]]:
    """(change of the coefficients, sum_c v_c^2 k_c' d_c, [delta_c]); members[j] are the classes of SV j."""
    change, inside, deltas = np.zeros((len(f), len(v))), 0.0, []
    for c in range(len(v)):
        if v[c] == 0.0:
            continue
        own = [j for j in range(len(f)) if c in members[j]]
        g = Expansion(f.kernel, f.dim, 1)
        for j in own:
            g.append(f.x[j], np.zeros(1), 0)
        d, kd, delta = projection(g, x)
        for j, dj in zip(own, d, strict=True):
            change[j, c] = v[c] * dj
        inside += v[c] ** 2 * kd
        deltas.append(delta)
    return change, inside, deltas


def move(f: Expansion, x: np.ndarray, change: np.ndarray, step: np.ndarray) -> float:
    """a_j += change_j; returns the distance from f + step k(x, .)."""
    full = f.copy()
    full.append(x, step, 0)
    for j in range(len(f)):
        f.a[j] = f.a[j] + change[j]
    return distance(full, f)


def run_own(X, Y, *, kernel: Kernel, eta: float, plus: bool = False, outputs: int = 1, seed: int = 0) -> list[Step]:
    """Every class projects on its own SVs only; delta as in `run`."""
    f = start(X, kernel, outputs)
    members: list[set] = []
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        change, inside, deltas = own_step(f, members, x, v)
        lost = 0.0
        if margin <= 0.0:
            if max(deltas) <= eta:
                lost = move(f, x, change, v)
            else:
                f.append(x, v, t)
                members.append({c for c in range(len(v)) if v[c] != 0.0})
        elif plus and margin < 1.0:
            loss = 1.0 - margin
            # all v_c^2 that are not 0 are 1
            slack = math.sqrt(sum(delta**2 for delta in deltas)) / (math.sqrt(float(v @ v)) * eta)
            if loss > slack and inside > 0.0:
                tau = step_size(loss, slack, inside)
                lost = move(f, x, tau * change, tau * v)
        steps.append(f.snapshot(lost))
    return steps


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
