"""Online gradient descent on approximate kernel features: FOGD (Fourier) and NOGD (Nystrom).

J. Lu, S. C. H. Hoi, J. Wang, P. Zhao, Z.-Y. Liu, "Large Scale Online Kernel Learning", Journal of Machine Learning
Research 17, 2016.

FOGD, for the Gaussian kernel exp(-gamma ||x - x'||^2): D frequencies w_i ~ N(0, 2 gamma I), 2 D features

    z(x) = (cos w_1.x, ..., cos w_D.x, sin w_1.x, ..., sin w_D.x) / sqrt(D),      E z(x).z(x') = k(x, x')
    f(x) = W' z(x);      W <- (decay) W - eta_t z(x_t) g',      g = d loss(y_t, f(x_t)) / d f(x_t)

With the factor 1 / sqrt(D), which the authors' program leaves out, eta is that of kernel gradient descent.  The
paper has no decay.

The frequencies are drawn before the first example, frequency by frequency and within it coordinate by
coordinate, from standard normals that come in pairs (Box-Muller):

    u, then u' uniform:   sqrt(-2 ln(1 - u)) cos(2 pi u'),   then   sqrt(-2 ln(1 - u)) sin(2 pi u')

Pairs run on across frequencies; the last normal is dropped if D d is odd.

NOGD: kernel gradient descent until there are B SVs, at the end of that very update with K = V diag(l) V' their
Gram matrix and V_k, l_k its k largest eigenpairs

    z(x) = diag(l_k)^(-1/2) V_k' [k(x_j, x)]_j,       W = sum_j z(x_j) a_j' = diag(l_k)^(1/2) V_k' a

and from then on W <- (decay) W - eta_t z(x_t) g'.  Since f(x) = W' z(x) this is an expansion on the B SVs with
the coefficients V_k diag(l_k)^(-1/2) W, which is what is recorded.  It does not depend on the signs of the
eigenvectors.  Eigenvalues up to 1e-12 of the largest are left out.
"""

import math
from typing import NamedTuple

import numpy as np

from .common import Decay, Draws, Kernel, Loss, Rate, Step, batches, distance, no_decay, start


class LinearStep(NamedTuple):
    """The state of FOGD after one update."""

    weights: np.ndarray  # (2 D, c)
    norm2: float  # sum of squares of the weights


def normals(draws: Draws, count: int) -> list[float]:
    """Box-Muller, in the documented order."""
    values = []
    while len(values) < count:
        radius = math.sqrt(-2.0 * math.log(1.0 - draws.uniform()))
        angle = 2.0 * math.pi * draws.uniform()
        values.append(radius * math.cos(angle))
        values.append(radius * math.sin(angle))
    return values[:count]


def frequencies(draws: Draws, D: int, dim: int, gamma: float) -> np.ndarray:
    """(D, dim), one frequency per row"""
    return math.sqrt(2.0 * gamma) * np.array(normals(draws, D * dim)).reshape(D, dim)


def features(w: np.ndarray, x: np.ndarray) -> np.ndarray:
    """z(x): all cosines, then all sines"""
    angle = w @ x
    return np.concatenate([np.cos(angle), np.sin(angle)]) / math.sqrt(len(w))


def fogd(
    X,
    Y,
    *,
    gamma: float,
    D: int,
    loss: Loss,
    rate: Rate,
    decay: Decay = no_decay,
    outputs: int = 1,
    seed: int = 0,
) -> list[LinearStep]:
    """D frequencies, so 2 D features; only the frequencies are random."""
    w = frequencies(Draws(seed), D, np.asarray(X).shape[1], gamma)
    W = np.zeros((2 * D, outputs))
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        eta = rate(t)
        z = features(w, x)
        _, g = loss(y, W.T @ z)
        W = decay(t, eta) * W - eta * np.outer(z, g)
        steps.append(LinearStep(W, float(np.sum(W**2))))
    return steps


def nystrom(K: np.ndarray, rank: int) -> np.ndarray:
    """diag(l_k)^(-1/2) V_k', (at most rank, B)"""
    values, vectors = np.linalg.eigh(K)
    rows = []
    for i in range(len(K) - 1, len(K) - 1 - rank, -1):
        if values[i] > 1e-12 * values[-1]:
            rows.append(vectors[:, i] / math.sqrt(values[i]))
    return np.array(rows)


def nogd(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    budget: int,
    rank: int,
    decay: Decay = no_decay,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """rank <= budget; delta is what the projection on the rank-k features changes; nothing is random."""
    if not 1 <= rank <= budget:
        raise ValueError(f"rank must be in 1 .. budget, got {rank}")
    f = start(X, kernel, outputs)
    M, W = None, None
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        eta = rate(t)
        delta = 0.0
        _, g = loss(y, f.value(x))
        if M is None:
            f.scale(decay(t, eta))
            if g.any():
                f.append(x, -eta * g, t)
            if len(f) == budget:
                before = f.copy()
                M = nystrom(f.gram(), rank)
                W = M @ f.gram() @ f.coefficients()
                f.a = list(M.T @ W)
                delta = distance(before, f)
        else:
            z = M @ np.array([kernel(xj, x) for xj in f.x])
            W = decay(t, eta) * W - eta * np.outer(z, g)
            f.a = list(M.T @ W)
        steps.append(f.snapshot(delta))
    return steps
