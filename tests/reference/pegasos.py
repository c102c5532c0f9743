"""Kernel stochastic gradient descent and Pegasos, the baselines of the budgeted algorithms.

S. Shalev-Shwartz, Y. Singer, N. Srebro, "Pegasos: Primal Estimated sub-GrAdient SOlver for SVM", ICML 2007;
the multi-class form in Z. Wang, K. Crammer, S. Vucetic, "Multi-Class Pegasos on a Budget", ICML 2010.

Update t on the examples (x_i, y_i), i = 1 .. m:

    g_i  = d loss(y_i, f(x_i)) / d f(x_i)                     all with the same f
    f   <- (1 - eta_t lam) f - (eta_t / m) sum_i g_i k(x_i, .)
    f   <- min(1, R / ||f||) f                                Pegasos only

with eta_t = 1 / (lam (t + t0)).
"""

from .common import Decay, Expansion, Kernel, Loss, Rate, Step, batches, inverse_time, start, weight_decay


def gradient_step(f: Expansion, xs, ys, loss: Loss, eta: float, factor: float, t: int) -> int:
    """Evaluate, decay by factor, add -eta/m g_i at x_i for every g_i != 0; returns how many were added."""
    gradients = [loss(y, f.value(x))[1] for x, y in zip(xs, ys, strict=True)]
    f.scale(factor)
    added = 0
    for x, g in zip(xs, gradients, strict=True):
        if g.any():
            f.append(x, -(eta / len(xs)) * g, t + added / len(xs))  # the first of a batch is its oldest
            added += 1
    return added


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    decay: Decay,
    radius: float | None = None,
    outputs: int = 1,
    batch: int = 1,
    seed: int = 0,
) -> list[Step]:
    """Any step schedule rate(t), any decay factor decay(t, eta), any ball; nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, xs, ys in batches(X, Y, batch):
        eta = rate(t)
        gradient_step(f, xs, ys, loss, eta, decay(t, eta), t)
        f.ball(radius)
        steps.append(f.snapshot())
    return steps


def kernel_sgd(X, Y, *, kernel, loss, lam, t0=0.0, outputs=1, batch=1, seed=0) -> list[Step]:
    """eta_t = 1 / (lam (t + t0)), decay 1 - eta_t lam, no ball."""
    return pegasos(X, Y, kernel=kernel, loss=loss, lam=lam, radius=None, t0=t0, outputs=outputs, batch=batch, seed=seed)


def pegasos(X, Y, *, kernel, loss, lam, radius, t0=0.0, outputs=1, batch=1, seed=0) -> list[Step]:
    """Kernel SGD with the ball of the given radius (1 / sqrt(lam) for the hinge losses; None for no ball)."""
    return run(
        X,
        Y,
        kernel=kernel,
        loss=loss,
        rate=inverse_time(lam, t0),
        decay=weight_decay(lam),
        radius=radius,
        outputs=outputs,
        batch=batch,
        seed=seed,
    )
