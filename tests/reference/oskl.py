"""Online sparse kernel learning by sampling, OSKL.

L. Zhang, J. Yi, R. Jin, M. Lin, X. He, "Online Kernel Learning with a Near Optimal Sparsity Bound",
ICML 2013, Algorithm 1.

Update t, with g = d loss(y_t, f(x_t)) / d f(x_t) and G >= sup ||g||:

    u ~ U[0, 1);   Z = 1 if u < P = min(1, ||g|| / G)
    f <- f - Z eta G (g / ||g||) k(x_t, .);   then the ball of radius R

For one output g / ||g|| is the sign of the derivative.  The step is unbiased: P G g / ||g|| = g.  The model
is the mean of f_1 .. f_T, where f_1 = 0 is the function before the first example.
"""

import numpy as np

from .common import Draws, Kernel, Loss, Step, batches, start, step_value


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    loss: Loss,
    eta: float,
    G: float,
    R: float | None,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """steps[t-1] is f_{t+1}; the paper's eta is 0.9 / (L G)."""
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        _, g = loss(y, f.value(x))
        norm = float(np.linalg.norm(g))
        u = draws.uniform()  # one per example, also when g = 0
        if u < min(1.0, norm / G):
            f.append(x, -eta * G * g / norm, t)
        f.ball(R)
        steps.append(f.snapshot())
    return steps


def mean_value(kernel: Kernel, steps: list[Step], x: np.ndarray) -> np.ndarray:
    """The mean of f_1(x) .. f_T(x), f_1 = 0: the state after the last update does not enter."""
    T = len(steps)
    total = np.zeros(steps[0].coef.shape[1])
    for step in steps[:-1]:
        total = total + step_value(kernel, step, x)
    return total / T
