"""Budgeted stochastic gradient descent."""

from ..bounds import Ball, Bound
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Maintenance
from ..output import Output
from ..recipe import Recipe
from ..steps import InverseTime
from .names import maintenance_named, output_named


def bsgd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    lam: float = 1e-4,
    budget: Budget | int | str = 100,
    maintenance: str | Maintenance = "merge",
    offset: float = 0.0,
    bound: Bound = Ball(),
    output: str | Output = "last",
    batch: int = 1,
) -> Recipe:
    r"""BSGD, or BPegasos (Wang, Crammer & Vucetic, ICML 2010 and JMLR 2012).

    .. math:: f_{t+1} = (1 - \eta_t\lambda) f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot) - \Delta_t

    where Δ_t is what budget maintenance takes away when the support vectors exceed the budget; then the ball, as in
    `pegasos`. The mean gradient error Ē = mean ‖Δ_t‖/η_t bounds what the budget costs (Theorem 1); `Model.record` has
    it.

    Parameters
    ----------
    maintenance : str or Maintenance
        "merge" (the smallest with its best partner), "merge-all" (the best of all pairs), "project" (the smallest, on
        all others), "project-best" (the one that loses least), "project-nearest" (on the four nearest); or removal:
        "smallest", "oldest", "random", "largest-margin" (slow: n kernel rows each time). The paper lets support vectors
        merge whatever the signs of their coefficients; "merge" prefers equal signs, which is more stable, and
        `Merge(opposite=True)` follows the paper.
    bound : Bound
        `Ball()` as in the paper, or `Unbounded()`, which is cheaper.

    Notes
    -----
    Other parameters as for `kernel_sgd`. With several classes the loss is Crammer and Singer's, and merging minimises
    the loss of all outputs together; the paper's equation for h is 0/0 for most pairs of classes.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.bsgd(Gaussian(4.0), budget=50), X, y).learn_many(X, y).record.maintenance
    227
    """
    return Recipe(
        kernel, loss, InverseTime.offset(lam, offset), maintenance=maintenance_named(maintenance), budget=budget,
        bound=bound, output=output_named(output), batch=batch,
    )  # fmt: skip
