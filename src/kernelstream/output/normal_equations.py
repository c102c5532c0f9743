"""Normal equations of a dictionary of support vectors, gathered along a stream.

With k = κ(SVs, x), an example adds the parabola ½h‖f − s‖² that touches its loss: H += h k kᵀ, b += h k sᵀ, N += 1. The
coefficients solve (H + λNK) a = b: `refit.jobs` does that.
"""

import math
from typing import NamedTuple

import numpy as np

from ..core.numba.lowering import compiled
from ..core.state import Expansion, State, one
from ..core.strategy import Dims
from ..core.types import Array, Parts, Row

ROWS = 8  # examples that enter H at once: its rows are read and written once for all of them
HEAVY = 1e6  # weight of the newest example at which all statistics are divided by it
ENOUGH = 2.0  # examples per support vector before the equations are solved for the first time,
PLENTY, THINNEST = 64.0, 4  # examples per support vector from which on every second is taken in; at least one in four
GROWTH = 0.4  # and the share of newer examples, by weight, at which they are solved again


class Fit(NamedTuple):
    sv: np.ndarray  # (d, capacity): the dictionary,
    sq: np.ndarray  # squared norms,
    coef: np.ndarray  # (c, capacity) and fitted coefficients
    n: np.ndarray
    H: np.ndarray  # (capacity, capacity), the lower triangle; float64, because its smallest eigenvalues matter
    b: np.ndarray  # (c, capacity)
    mass: np.ndarray  # N: the weight of the examples so far
    weight: np.ndarray  # of the next example: it grows, instead of all others shrinking,
    unit: np.ndarray  # and of one at the time when the statistics began
    since: np.ndarray  # weight of the examples since the equations were last solved
    solved: np.ndarray  # whether they ever were
    K: np.ndarray  # (ROWS, capacity) √h k of examples that wait,
    s: np.ndarray  # (ROWS, c) √h s,
    gathered: np.ndarray  # their number
    row: np.ndarray  # buffers
    f: np.ndarray
    touched: np.ndarray


def new_fit(dims: Dims) -> Fit:
    d, c, cap, dtype, integer = dims.features, dims.outputs, dims.capacity, dims.dtype, np.int64
    return Fit(
        np.zeros((d, cap), dtype), np.zeros(cap), np.zeros((c, cap)), one(0, integer), np.zeros((cap, cap)),
        np.zeros((c, cap)), one(), one(1.0), one(1.0), one(), one(0, integer), np.zeros((ROWS, cap)),
        np.zeros((ROWS, c)), one(0, integer), np.zeros(cap, dtype), np.zeros(c), np.zeros(c),
    )  # fmt: skip


@compiled
def begin(fit: Fit, ex: Expansion) -> None:
    """Start with the present support vectors and coefficients, and no statistics."""
    n, sv, H = ex.n[0], fit.sv, fit.H
    for k in range(sv.shape[0]):
        for j in range(n):
            sv[k, j] = ex.sv[k, j]
    for i in range(n):
        fit.sq[i] = ex.sq[i]
        for j in range(n):
            H[i, j] = 0.0
    for c in range(fit.coef.shape[0]):
        for j in range(n):
            fit.coef[c, j] = ex.coef[c, j] * ex.scale[0]
            fit.b[c, j] = 0.0
    fit.n[0], fit.gathered[0], fit.since[0], fit.solved[0] = n, 0, 0.0, 0
    fit.mass[0], fit.weight[0], fit.unit[0] = 0.0, 1.0, 1.0


@compiled
def judge(fit: Fit, r: Parts, st: State, x: Row, xx: float, y: Array) -> float:
    """The error of the fit on an example, whose kernel values and scores are left in its buffers."""
    n, row, f, coef = fit.n[0], fit.row, fit.f, fit.coef
    r.kernel.row(fit.sv, fit.sq, x, xx, n, row, st.scratch)
    for c in range(f.shape[0]):
        total = 0.0
        for j in range(n):
            total += coef[c, j] * row[j]
        f[c] = total
    return r.loss.mistaken(f, y)


@compiled
def gather(fit: Fit, r: Parts, y: Array, weight: float, growth: float) -> None:
    """Add the example that has been judged to the statistics, a few at a time; its parabola is that of the scores in
    `fit.f`."""
    n, row, K = fit.n[0], fit.row, fit.K
    fit.weight[0] *= growth
    fit.mass[0] += weight * fit.weight[0]
    fit.since[0] += weight
    h = weight * fit.weight[0] * r.loss.touch(fit.f, y, fit.touched)
    if h > 0.0:
        p, root = fit.gathered[0], math.sqrt(h)
        for j in range(n):
            K[p, j] = root * row[j]
        for c in range(fit.f.shape[0]):
            fit.s[p, c] = root * fit.touched[c]
        fit.gathered[0] = p + 1
        if p + 1 == K.shape[0]:
            absorb(fit)
    if fit.weight[0] > HEAVY:
        lighten(fit)


@compiled
def absorb(fit: Fit) -> None:
    n, H, K, b = fit.n[0], fit.H, fit.K, fit.b
    for c in range(b.shape[0]):
        for p in range(K.shape[0]):
            for j in range(n):
                b[c, j] += fit.s[p, c] * K[p, j]
    for i in range(n):
        h = H[i]
        for p in range(0, K.shape[0], 4):
            one, two, three, four = K[p], K[p + 1], K[p + 2], K[p + 3]
            u, v, w, z = one[i], two[i], three[i], four[i]
            for j in range(i + 1):
                h[j] += u * one[j] + v * two[j] + w * three[j] + z * four[j]
    fit.gathered[0] = 0


@compiled
def unsolved(fit: Fit) -> bool:
    """Whether the equations should be solved now."""
    examples = fit.mass[0] / fit.weight[0]
    return examples >= ENOUGH * fit.n[0] and fit.since[0] >= GROWTH * examples


@compiled
def thinning(fit: Fit) -> int:
    """How many examples one stands for: the more there are, the less a single one says."""
    examples, stride = fit.mass[0] / fit.weight[0], 1
    while stride < THINNEST and examples >= PLENTY * stride * fit.n[0]:
        stride *= 2
    return stride


@compiled
def lighten(fit: Fit) -> None:
    """Divide all statistics by the weight of the newest example."""
    n, H, share = fit.n[0], fit.H, 1.0 / fit.weight[0]
    root = math.sqrt(share)
    for i in range(n):
        for j in range(n):
            H[i, j] *= share
    for c in range(fit.b.shape[0]):
        for j in range(n):
            fit.b[c, j] *= share
    for p in range(fit.K.shape[0]):
        for j in range(n):
            fit.K[p, j] *= root
        for c in range(fit.s.shape[1]):
            fit.s[p, c] *= root
    fit.mass[0] *= share
    fit.unit[0] *= share
    fit.weight[0] = 1.0
