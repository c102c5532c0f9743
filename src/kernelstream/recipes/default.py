"""What an estimator runs when it is told nothing."""

from ..bounds import Free
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..recipe import Recipe
from .bsgd import bsgd


def default(
    kernel: Kernel = Gaussian("scale"),
    loss: Loss = Hinge(),
    lam: float = 1e-5,
    budget: Budget | int | str = 500,
) -> Recipe:
    """Merging with an offset: `bsgd` as we would run it, not as any paper prints it.

    The first step of 1/(λt) is huge, and a budgeted model never quite forgets it; with t₀ = 2/λ no step exceeds ½. That
    makes the ball idle, so there is none. `python -m benchmarks.quick_accuracy` measures it. With a kernel that is not
    a Gaussian, and so cannot merge, the smallest support vector is projected on the others.

    >>> round(default(budget=50).step.t0)
    200000
    """
    maintenance = "merge" if kernel.mergeable else "project"
    return bsgd(kernel, loss, lam, budget, maintenance, offset=2.0, bound=Free())
