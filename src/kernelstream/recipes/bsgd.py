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
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    lam : float, default 1e-4
        λ, the regularisation: the weight of ½‖f‖² beside the mean loss.
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    maintenance : str or Maintenance, default "merge"
        "merge" (the smallest with its best partner), "merge-all" (the best of all pairs), "project" (the smallest, on
        all others), "project-best" (the one that loses least), "project-nearest" (on the four nearest); or removal:
        "smallest", "oldest", "random", "largest-margin" (slow: n kernel rows each time). The paper lets support vectors
        merge whatever the signs of their coefficients; "merge" prefers equal signs, which is more stable, and
        `Merge(opposite=True)` follows the paper.
    offset : float, default 0.0
        t₀ = offset/λ in the step 1/(λ (t + t₀)). The papers use 0; with 2 no step exceeds ½.
    bound : Bound, default Ball(radius=0.0)
        `Ball()` as in the paper, or `Unbounded()`, which is cheaper.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.
    batch : int, default 1
        Examples per update; the step is along their mean gradient.

    See Also
    --------
    default, nbsgd, pegasos

    Notes
    -----
    With several classes the loss is Crammer and Singer's, and merging minimises
    the loss of all outputs together; the paper's equation for h is 0/0 for most pairs of classes.

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Multi-class Pegasos on a budget. ICML 2010.
    .. [2] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.

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
