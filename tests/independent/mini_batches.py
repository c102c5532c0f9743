"""Kernel SGD / Pegasos, BSGD, POLK and OLK with mini-batches, written out literally.

Every update takes m examples. f is evaluated at all of them before any is added, the step is their mean gradient, and t
counts batches. Within one update: decay, additions in order of arrival, maintenance (one removal at a time), ball.
The last batch may be shorter. Read as: its mean is over its own size. Read as: an example whose derivative is exactly
zero is not added, but counts in m; a batch without any loss still decays and still advances t.
Nothing here is random.

Sources: S. Shalev-Shwartz, Y. Singer and N. Srebro, "Pegasos", ICML 2007 (batches of size k); Z. Wang, K. Crammer and
S. Vucetic, ICML 2010 (BPegasos / BSGD); A. Koppel, G. Warnell, E. Stump and A. Ribeiro, ICASSP 2017 (POLK); W. He and
J. T. Kwok, Neural Networks 60 (2014) (OLK).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .derivatives import derivative


class Step(NamedTuple):
    """f(·) = Σ_j coef_j κ(support_j, ·) after one batch, support vectors in order of arrival."""

    support: np.ndarray  # (n, d)
    coef: np.ndarray  # (n, c)


# ------------------------------------------------------------------------------------------------------- expansions


def gram(kernel: Callable, A, B) -> np.ndarray:
    """[κ(a, b)] for every a in A and b in B."""
    return np.array([[kernel(a, b) for b in B] for a in A], dtype=float).reshape(len(A), len(B))


def evaluate(step: Step, kernel: Callable, x) -> np.ndarray:
    """f(x) = Σ_j coef_j κ(support_j, x) ∈ R^c; 0 for an empty expansion."""
    return step.coef.T @ gram(kernel, step.support, [x])[:, 0]


def squared_norm(step: Step, kernel: Callable) -> float:
    """‖f‖² = Σ_c a_cᵀ K a_c, from the full Gram matrix."""
    return float(np.trace(step.coef.T @ gram(kernel, step.support, step.support) @ step.coef))


def project_on_ball(step: Step, kernel: Callable, radius: float) -> Step:
    """f ← min{1, R/‖f‖} f (He & Kwok 2014, eq. 4; R = 1/√λ in Pegasos)."""
    norm = math.sqrt(max(squared_norm(step, kernel), 0.0))
    return step if norm <= radius else Step(step.support, step.coef * (radius / norm))


def oldest_of_the_smallest(values) -> int:
    """The first index whose value is within 1e−9 relative of the least one."""
    least = min(values)
    return next(i for i, value in enumerate(values) if value <= least + 1e-9 * abs(least))


def remove_smallest(step: Step, kernel: Callable) -> Step:
    """Drop p = argmin_j ‖a_j‖² κ(x_j, x_j), the oldest of equals (Wang et al. 2010, section 4.1)."""
    sizes = [float(a @ a) * kernel(x, x) for x, a in zip(step.support, step.coef, strict=True)]
    keep = np.arange(len(sizes)) != oldest_of_the_smallest(sizes)
    return Step(step.support[keep], step.coef[keep])


def refit(full: Step, kept: list[int], kernel: Callable) -> np.ndarray:
    """The coefficients on the kept points which are nearest to the full expansion in the RKHS norm.

    w = K_{DD}^{-1} K_{DD̃} w̃ (Koppel et al. 2017, eq. 13, where the inverse is printed on the other factor).
    Read as: the pseudo-inverse where K_{DD} is singular, e.g. for the same point twice.
    """
    if not kept:
        return np.zeros((0, full.coef.shape[1]))
    points = full.support[kept]
    target = gram(kernel, points, full.support) @ full.coef
    return np.linalg.lstsq(gram(kernel, points, points), target, rcond=None)[0]


def squared_distance(full: Step, kept: list[int], coef: np.ndarray, kernel: Callable) -> float:
    """‖f̃ − Σ_{j kept} coef_j κ(x_j, ·)‖², all outputs together."""
    difference = full.coef.copy()
    difference[kept] -= coef
    return max(squared_norm(Step(full.support, difference), kernel), 0.0)


def prune(full: Step, error: float, kernel: Callable) -> Step:
    """Destructive KOMP with pre-fitting (Koppel et al. 2017, algorithm 1), every γ_j from scratch.

    Among the points still kept, γ_j is the least RKHS error against f̃ (the function before any removal) without
    point j. Remove the j of least γ_j as long as that γ_j ≤ ε, re-fitting all coefficients against f̃ each time. With
    several outputs γ_j² is the sum over the outputs.
    Read as: the inner loop runs over the points still kept (print: over all M̃); the expansion may become empty, when
    ‖f̃‖ ≤ ε; of equal γ_j² the oldest goes; if nothing can be removed the coefficients stay as they are.
    """
    kept, coef = list(range(len(full.support))), full.coef
    while kept:
        candidates = []
        for j in kept:
            rest = [i for i in kept if i != j]
            fitted = refit(full, rest, kernel)
            candidates.append((squared_distance(full, rest, fitted, kernel), rest, fitted))
        best = oldest_of_the_smallest([candidate[0] for candidate in candidates])
        least, rest, fitted = candidates[best]
        if math.sqrt(least) > error:
            break
        kept, coef = rest, fitted
    return Step(full.support[kept].copy(), coef.copy())


# ----------------------------------------------------------------------------------------------------------- updates


def batches(count: int, size: int) -> list[range]:
    """Consecutive ranges of `size` examples; the last one holds what is left."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def empty(X, outputs: int) -> Step:
    """f_1 = 0."""
    return Step(np.zeros((0, np.shape(X)[1])), np.zeros((0, outputs)))


def gradient_step(step: Step, X, Y, kernel: Callable, loss: str, eta: float, decay: float) -> Step:
    """f ← (1 − decay) f − (η/m) Σ_i g_i κ(x_i, ·), g_i = ∂ℓ/∂f(x_i) at the f before this update, in order of i."""
    slopes = [derivative(loss, y, evaluate(step, kernel, x)) for x, y in zip(X, Y, strict=True)]
    added = [i for i, slope in enumerate(slopes) if np.any(slope != 0.0)]
    support = [step.support] + [np.asarray(X[i], dtype=float)[None, :] for i in added]
    coef = [(1.0 - decay) * step.coef] + [-(eta / len(X)) * slopes[i][None, :] for i in added]
    return Step(np.concatenate(support), np.concatenate(coef))


def run_sgd(X, Y, kernel, lam: float, loss="hinge", outputs=1, size=1, t0=0.0, ball=None) -> list[Step]:
    """Kernel SGD / Pegasos with η_t = 1/(λ(t + t0)): f ← (1 − η_t λ) f − η_t · mean gradient (Shalev-Shwartz 2007).

    ball is a radius (1/√λ in Pegasos) or None. t0 = 0 is the published step.
    """
    step, history = empty(X, outputs), []
    for t, rows in enumerate(batches(len(X), size), start=1):
        eta = 1.0 / (lam * (t + t0))
        step = gradient_step(step, X[rows], Y[rows], kernel, loss, eta, 1.0 / (t + t0))
        step = step if ball is None else project_on_ball(step, kernel, ball)
        history.append(Step(step.support.copy(), step.coef.copy()))
    return history


def run_bsgd(X, Y, kernel, lam: float, budget: int, loss="hinge", outputs=1, size=1, t0=0.0, ball=None) -> list[Step]:
    """BSGD (Wang et al. 2010, algorithm 1) with removal of the smallest, repeated until n ≤ B, then the ball.

    The step and the decay are those of run_sgd. A whole batch is added first, so up to m removals follow, each on
    what the one before has left.
    """
    step, history = empty(X, outputs), []
    for t, rows in enumerate(batches(len(X), size), start=1):
        eta = 1.0 / (lam * (t + t0))
        step = gradient_step(step, X[rows], Y[rows], kernel, loss, eta, 1.0 / (t + t0))
        while len(step.support) > budget:
            step = remove_smallest(step, kernel)
        step = step if ball is None else project_on_ball(step, kernel, ball)
        history.append(Step(step.support.copy(), step.coef.copy()))
    return history


def constant_schedule(eta: float, parsimony: float) -> tuple[Callable, Callable]:
    """η_t = η and ε_t = K η^{3/2} (Koppel et al. 2017, Theorem 2)."""
    return lambda t: eta, lambda t: parsimony * eta**1.5


def diminishing_schedule(lam: float, t0: float) -> tuple[Callable, Callable]:
    """η_t = 1/(λ(t + t0)) and ε_t = η_t² (Koppel et al. 2017, eq. 19); t0 > 0 gives η_t < 1/λ as required there."""
    return lambda t: 1.0 / (lam * (t + t0)), lambda t: 1.0 / (lam * (t + t0)) ** 2


def run_polk(X, Y, kernel, lam: float, schedule: tuple, loss="hinge", outputs=1, size=1) -> list[Step]:
    """POLK (Koppel et al. 2017, algorithm 2): f̃ = (1 − η_t λ) f − η_t · mean gradient, then f = KOMP(f̃, ε_t).

    schedule = (η, ε), two functions of t.
    Read as: t starts at 1 (print: at 0, with a constant step in mind). Pruning also runs in a batch without loss.
    """
    eta, error = schedule
    step, history = empty(X, outputs), []
    for t, rows in enumerate(batches(len(X), size), start=1):
        step = gradient_step(step, X[rows], Y[rows], kernel, loss, eta(t), eta(t) * lam)
        step = prune(step, error(t), kernel)
        history.append(Step(step.support.copy(), step.coef.copy()))
    return history


def run_olk(X, Y, kernel, eta: float, radius: float, loss="hinge", outputs=1, size=1) -> list[Step]:
    """OLK (He & Kwok 2014, algorithm 1), constant η: f ← Π_U(f − η · mean gradient), no decay, nothing removed."""
    step, history = empty(X, outputs), []
    for rows in batches(len(X), size):
        step = gradient_step(step, X[rows], Y[rows], kernel, loss, eta, 0.0)
        step = project_on_ball(step, kernel, radius)
        history.append(Step(step.support.copy(), step.coef.copy()))
    return history
