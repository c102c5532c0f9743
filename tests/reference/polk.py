"""Parsimonious online learning with kernels, POLK.

A. Koppel, G. Warnell, E. Stump, A. Ribeiro, "Parsimonious Online Learning with Kernels via Sparse
Projections in Function Space", ICASSP 2017, Algorithms 1 and 2.

Update t:

    f~ = (1 - eta_t lam) f - (eta_t / m) sum_i g_i k(x_i, .)
    f  = KOMP(f~, eps_t),        eps_t = K eta^(3/2) with constant eta, or eta_t^2 with diminishing eta_t

Destructive KOMP: with D~, w~ the SVs and coefficients of f~, and D a subset of D~, the best re-fit is
w = K_DD^-1 K_DD~ w~ (one column per output).  While D is not empty, find the j in D whose removal leaves the
least error gamma_j = ||f~ - re-fit on D without j||, joint over the outputs; stop if gamma_j > eps_t, else
remove j.
"""

import math
from collections.abc import Callable

import numpy as np

from .common import (
    Decay,
    Expansion,
    Kernel,
    Loss,
    Rate,
    Step,
    batches,
    distance,
    oldest_of_equals,
    solve,
    start,
)
from .pegasos import gradient_step


def budget_constant(K: float) -> Callable[[float], float]:
    """eps = K eta^(3/2)"""
    return lambda eta: K * eta**1.5


def budget_diminishing(eta: float) -> float:
    """eps_t = eta_t^2"""
    return eta**2


def refit(K: np.ndarray, w_tilde: np.ndarray, kept: list[int]) -> tuple[np.ndarray, float]:
    """Coefficients of the best re-fit of f~ on the kept SVs, and its squared error."""
    w = np.zeros((len(kept), w_tilde.shape[1]))
    residual = w_tilde.copy()
    if kept:
        w = solve(K[np.ix_(kept, kept)], K[kept, :] @ w_tilde)
        residual[kept] -= w
    return w, max(0.0, float(np.sum(residual * (K @ residual))))


def komp(f: Expansion, eps: float) -> None:
    """Prune f in place, the error against the f handed in staying at most eps."""
    K = f.gram()
    w_tilde = f.coefficients()
    index = list(range(len(f)))  # index[position in f] = position in f~
    while len(f) > 0:
        errors = []
        for j in range(len(f)):
            kept = [index[i] for i in range(len(f)) if i != j]
            errors.append(refit(K, w_tilde, kept)[1])
        j = oldest_of_equals(errors, f.age)
        if math.sqrt(errors[j]) > eps:
            return
        f.remove(j)
        last = index.pop()
        if j < len(index):
            index[j] = last
        f.a = list(refit(K, w_tilde, index)[0])


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    decay: Decay,
    eps: Callable[[float], float],
    outputs: int = 1,
    batch: int = 1,
    seed: int = 0,
) -> list[Step]:
    """The paper: decay = weight_decay(lam); rate = constant(eta) and eps = budget_constant(K)."""
    f = start(X, kernel, outputs)
    steps = []
    for t, xs, ys in batches(X, Y, batch):
        eta = rate(t)
        gradient_step(f, xs, ys, loss, eta, decay(t, eta), t)
        before = f.copy()
        komp(f, eps(eta))
        delta = distance(before, f) if len(f) < len(before) else 0.0
        steps.append(f.snapshot(delta))
    return steps
