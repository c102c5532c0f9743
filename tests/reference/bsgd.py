"""Budgeted (multi-class) Pegasos, BSGD.

Z. Wang, K. Crammer, S. Vucetic, "Multi-Class Pegasos on a Budget", ICML 2010.

Update t: the Pegasos step (decay, then -eta_t g k(x_t, .) if g != 0); while n > B one budget maintenance;
then the ball.  With K the Gram matrix of the SVs, maintenance is one of

    random            remove a position drawn uniformly (the newest included)
    smallest          remove p = argmin ||a_j||^2 k_jj, the oldest of equals
    oldest            remove the SV of lowest age
    largest-margin    remove the SV j of largest margin at x_j of f without j, the oldest of equals (K. Crammer,
                      J. Kandola, Y. Singer, "Online Classification on a Budget", NIPS 2003)
    project           p = smallest: a_i += d_i a_p for i != p, d = K_{-p}^-1 k_p; remove p
    project-best      the same with the p of least loss ||a_p||^2 (k_pp - k_p' d)
    project-nearest   the same on the k SVs with the largest |k(x_p, x_i)| / sqrt(k_pp k_ii)
    merge             m = smallest with its best partner n (Gaussian kernel)
    merge-all         the best of all pairs

Merging, kappa = k(x_m, x_n): z = h x_m + (1 - h) x_n, k(x_m, z) = kappa^((1-h)^2), k(x_n, z) = kappa^(h^2),

    a_z  = a_m kappa^((1-h)^2) + a_n kappa^(h^2)
    F(h) = ||a_z||^2 = A kappa^(2(1-h)^2) + 2 C kappa^((1-h)^2 + h^2) + D kappa^(2h^2)
    loss = A + D + 2 C kappa - max_h F(h),      A = ||a_m||^2, C = a_m . a_n, D = ||a_n||^2

joint over the outputs: the division by a_m + a_n per class in print is 0/0 for most pairs of classes.
"""

import math

import numpy as np

from .common import (
    TIE,
    Decay,
    Draws,
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

# ------------------------------------------------------------------------------------------- removal


def smallest(f: Expansion) -> int:
    """argmin ||a_j||^2 k(x_j, x_j), the oldest of equals"""
    values = [float(f.a[j] @ f.a[j]) * f.self_kernel(j) for j in range(len(f))]
    return oldest_of_equals(values, f.age)


def oldest(f: Expansion) -> int:
    """The lowest age, then the lowest position."""
    best = 0
    for j in range(len(f)):
        if f.age[j] < f.age[best]:
            best = j
    return best


def margin_without(f: Expansion, j: int) -> float:
    """The margin of g = f - a_j k(x_j, .) at x_j: sgn(a_j) g(x_j); with several classes g_y(x_j) - max_c!=y g_c(x_j),
    y the class of the largest coefficient in a_j."""
    rest = f.copy()
    rest.remove(j)
    z, a = rest.value(f.x[j]), f.a[j]
    if len(z) == 1:
        return float(np.sign(a[0]) * z[0])
    y = int(np.argmax(a))
    return float(z[y] - max(z[c] for c in range(len(z)) if c != y))


def largest_margin(f: Expansion) -> int:
    return oldest_of_equals([-margin_without(f, j) for j in range(len(f))], f.age)


# ---------------------------------------------------------------------------------------- projection


def project(f: Expansion, p: int, onto: list[int]) -> None:
    """a_i += d_i a_p for i in onto, d = K_onto^-1 k_p; then remove p."""
    if onto:
        K = f.gram()
        d = solve(K[np.ix_(onto, onto)], K[onto, p])
        for di, i in zip(d, onto, strict=True):
            f.a[i] = f.a[i] + di * f.a[p]
    f.remove(p)


def others(f: Expansion, p: int) -> list[int]:
    return [i for i in range(len(f)) if i != p]


def projection_losses(f: Expansion) -> list[float]:
    """For every p the squared RKHS norm of a_p (k(x_p, .) - sum_i d_i k(x_i, .))."""
    K = f.gram()
    losses = []
    for p in range(len(f)):
        onto = others(f, p)
        residual = np.zeros(len(f))
        residual[p] = 1.0
        if onto:
            residual[onto] = -solve(K[np.ix_(onto, onto)], K[onto, p])
        losses.append(float(f.a[p] @ f.a[p]) * float(residual @ K @ residual))
    return losses


def nearest(f: Expansion, p: int, k: int) -> list[int]:
    """The k others most correlated with x_p, ties to the lower position."""
    correlation = {}
    for i in others(f, p):
        scale = math.sqrt(f.self_kernel(i) * f.self_kernel(p))
        correlation[i] = abs(f.kernel(f.x[p], f.x[i])) / scale
    return sorted(correlation, key=lambda i: (-correlation[i], i))[:k]


# ------------------------------------------------------------------------------------------- merging


def merge_objective(A: float, C: float, D: float, kappa: float, h: float) -> float:
    """F(h)"""
    return A * kappa ** (2 * (1 - h) ** 2) + 2 * C * kappa ** ((1 - h) ** 2 + h**2) + D * kappa ** (2 * h**2)


def merge_slope(A: float, C: float, D: float, kappa: float, h: float) -> float:
    """F'(h) divided by the positive number -4 ln(kappa) kappa^(2h^2); h <= 1/2."""
    q = kappa ** (1 - 2 * h)
    return A * (1 - h) * q**2 + C * (1 - 2 * h) * q - h * D


def best_h(A: float, C: float, D: float, kappa: float) -> float:
    """argmax of F over h <= 1/2, for A <= D.

    F(h) >= F(1 - h) for h <= 1/2 because A <= D.  For C >= 0 the slope is >= 0 at h = 0 and <= 0 at 1/2.  For
    C < 0 the maximum is at h < 0 if the slope at 0 is negative.
    """
    if kappa >= 1.0:
        return 0.0  # one point: F does not depend on h
    slope_at_0 = merge_slope(A, C, D, kappa, 0.0)
    if slope_at_0 == 0.0:
        return 0.0
    if slope_at_0 > 0.0:  # go up to the first h where the slope is not positive
        rising, falling = 0.0, None
        for i in range(1, 65):
            h = 0.5 * i / 64
            if merge_slope(A, C, D, kappa, h) <= 0.0:
                falling = h
                break
            rising = h
        if falling is None:
            return 0.5
    else:  # go down to the first h where the slope is positive
        falling, width = 0.0, 1 / 64
        while merge_slope(A, C, D, kappa, falling - width) <= 0.0:
            falling, width = falling - width, 1.25 * width
        rising = falling - width
    for _ in range(200):
        h = 0.5 * (rising + falling)
        if h in (rising, falling):
            break
        if merge_slope(A, C, D, kappa, h) > 0.0:
            rising = h
        else:
            falling = h
    return 0.5 * (rising + falling)


def merge_loss(f: Expansion, m: int, n: int) -> tuple[float, float]:
    """(squared loss, h) of merging m into n"""
    A, C, D = float(f.a[m] @ f.a[m]), float(f.a[m] @ f.a[n]), float(f.a[n] @ f.a[n])
    kappa = f.kernel(f.x[m], f.x[n])
    h = best_h(A, C, D, kappa)
    return max(0.0, A + D + 2 * C * kappa - merge_objective(A, C, D, kappa, h)), h


def merge(f: Expansion, m: int, n: int, h: float) -> None:
    """Replace m and n by z, which takes the position and the age of n."""
    kappa = f.kernel(f.x[m], f.x[n])
    z = h * f.x[m] + (1 - h) * f.x[n]
    to_m, to_n = kappa ** ((1 - h) ** 2), kappa ** (h**2)
    if not math.isclose(f.kernel(f.x[m], z), to_m, rel_tol=1e-6, abs_tol=1e-12):
        raise ValueError("merging needs a Gaussian kernel")
    f.a[n] = f.a[m] * to_m + f.a[n] * to_n
    f.x[n] = z
    f.remove(m)


def aligned(f: Expansion, m: int, n: int) -> bool:
    """a_m . a_n >= 0, where a product that is zero but for rounding counts as zero"""
    return float(f.a[m] @ f.a[n]) >= -TIE * float(np.linalg.norm(f.a[m]) * np.linalg.norm(f.a[n]))


def merge_smallest(f: Expansion, opposite: bool = False) -> None:
    """m = smallest; partners with a_m . a_n >= 0, others only if there is none; the least loss.

    With opposite, all partners, as the paper's (16) and (21) have it.
    """
    m = smallest(f)
    partners = [n for n in others(f, m) if opposite or aligned(f, m, n)] or others(f, m)
    if not partners:
        f.remove(m)
        return
    best = None
    for n in partners:
        loss, h = merge_loss(f, m, n)
        if best is None or loss < best[0]:
            best = loss, n, h
    merge(f, m, best[1], best[2])


def merge_all(f: Expansion, opposite: bool = False) -> None:
    """The pair of least loss, m the one with the smaller ||a||^2; the first of equals, i outer, j inner."""
    pairs = [(i, j) for i in range(len(f)) for j in range(i + 1, len(f))]
    pairs = [(i, j) for i, j in pairs if opposite or aligned(f, i, j)] or pairs
    if not pairs:
        f.remove(smallest(f))
        return
    best = None
    for i, j in pairs:
        m, n = i, j
        if float(f.a[i] @ f.a[i]) > float(f.a[j] @ f.a[j]) * (1 + TIE):
            m, n = j, i
        loss, h = merge_loss(f, m, n)
        if best is None or loss < best[0]:
            best = loss, m, n, h
    merge(f, best[1], best[2], best[3])


# --------------------------------------------------------------------------------------------- BSGD


def maintain(f: Expansion, maintenance: str, draws: Draws, k: int = 4) -> None:
    """One budget maintenance: one SV fewer."""
    if maintenance == "random":
        f.remove(draws.below(len(f)))
    elif maintenance == "smallest":
        f.remove(smallest(f))
    elif maintenance == "oldest":
        f.remove(oldest(f))
    elif maintenance == "largest-margin":
        f.remove(largest_margin(f))
    elif maintenance == "project":
        p = smallest(f)
        project(f, p, others(f, p))
    elif maintenance == "project-best":
        p = oldest_of_equals(projection_losses(f), f.age)
        project(f, p, others(f, p))
    elif maintenance == "project-nearest":
        p = smallest(f)
        project(f, p, nearest(f, p, k))
    elif maintenance == "merge":
        merge_smallest(f)
    elif maintenance == "merge-all":
        merge_all(f)
    elif maintenance == "merge opposite":
        merge_smallest(f, opposite=True)
    elif maintenance == "merge-all opposite":
        merge_all(f, opposite=True)
    else:
        raise ValueError(maintenance)


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    decay: Decay,
    budget: int,
    maintenance: str,
    radius: float | None = None,
    k: int = 4,
    outputs: int = 1,
    batch: int = 1,
    seed: int = 0,
) -> list[Step]:
    """The paper: rate = inverse_time(lam), decay = weight_decay(lam), radius = 1 / sqrt(lam)."""
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, xs, ys in batches(X, Y, batch):
        eta = rate(t)
        gradient_step(f, xs, ys, loss, eta, decay(t, eta), t)
        delta = 0.0
        if len(f) > budget:
            before = f.copy()
            while len(f) > budget:
                maintain(f, maintenance, draws, k)
            delta = distance(before, f)
        f.ball(radius)
        steps.append(f.snapshot(delta))
    return steps
