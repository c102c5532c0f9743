"""NORMA, the naive online R_reg minimisation algorithm, with truncation.

J. Kivinen, A. J. Smola, R. C. Williamson, "Online Learning with Kernels", IEEE Transactions on Signal Processing
52, 2004.

Update t, with g = d loss(y_t, f(x_t)) / d f(x_t):

    f <- (1 - eta_t lam) f - eta_t g k(x_t, .)
    while n > B remove the oldest SV

The paper truncates by time, keeping the examples of the last B updates; here only those with g != 0 count.  An
SV that leaves is at least B updates old, so the paper's bound on the truncation error holds: with constant eta
||a_j|| <= eta (1 - eta lam)^B sup ||g||.  The offset b and the adaptive margin of the paper are left out.
"""

from .bsgd import oldest
from .common import Kernel, Loss, Rate, Step, batches, distance, start
from .pegasos import gradient_step


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    rate: Rate,
    lam: float,
    budget: int,
    outputs: int = 1,
    batch: int = 1,
    seed: int = 0,
) -> list[Step]:
    """The paper: rate = constant(eta) or power(eta, 1/2); nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, xs, ys in batches(X, Y, batch):
        eta = rate(t)
        gradient_step(f, xs, ys, loss, eta, 1.0 - eta * lam, t)
        delta = 0.0
        if len(f) > budget:
            before = f.copy()
            while len(f) > budget:
                f.remove(oldest(f))
            delta = distance(before, f)
        steps.append(f.snapshot(delta))
    return steps
