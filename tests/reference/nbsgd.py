"""Nonparametric budgeted stochastic gradient descent, NBSGD.

T. Le, V. Nguyen, T. D. Nguyen, D. Phung, "Nonparametric Budgeted Stochastic Gradient Descent", AISTATS 2016,
Algorithm 3.

Update t:

    f <- (1 - eta_t lam) f - eta_t g k(x_t, .),        eta_t = 1 / (lam (t + t0))
    if an SV was added and n > B: Z ~ Bernoulli(min(beta / t, 1)); if Z = 1 one budget maintenance
    with the L2 loss and lam <= 1: the ball of radius y_max / sqrt(lam)

So n may grow beyond B, and one maintenance lowers it by one only.
"""

import math

from .bsgd import maintain
from .common import Draws, Kernel, Loss, Step, batches, distance, inverse_time, l2, start, weight_decay
from .pegasos import gradient_step

MAINTENANCE = ("smallest", "project", "project-nearest")


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    lam: float,
    budget: int,
    beta: float,
    maintenance: str = "smallest",
    y_max: float | None = None,
    t0: float = 0.0,
    k: int = 4,
    outputs: int = 1,
    batch: int = 1,
    seed: int = 0,
) -> list[Step]:
    """y_max, the largest |y|, is needed with the L2 loss and lam <= 1 and not used otherwise."""
    if maintenance not in MAINTENANCE:
        raise ValueError(maintenance)
    radius = y_max / math.sqrt(lam) if loss is l2 and lam <= 1.0 else None
    rate, decay = inverse_time(lam, t0), weight_decay(lam)
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, xs, ys in batches(X, Y, batch):
        eta = rate(t)
        added = gradient_step(f, xs, ys, loss, eta, decay(t, eta), t)
        delta = 0.0
        # Only after an addition, as printed: a coin at every update would shrink a grown model while idle.
        if added and len(f) > budget and draws.uniform() < min(beta / t, 1.0):
            before = f.copy()
            maintain(f, maintenance, draws, k)
            delta = distance(before, f)
        f.ball(radius)
        steps.append(f.snapshot(delta))
    return steps
