"""The default recipe of the estimators."""

from ..bounds import Unbounded
from ..budgets import Budget, Fixed, Memory, as_budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..output import Last, Output, Refit
from ..recipe import Recipe
from .bsgd import bsgd

SMALL, MOVES = 200, 32  # models of at most SMALL support vectors move them, in MOVES passes


def default(
    kernel: Kernel = Gaussian("scale"),
    loss: Loss = Hinge(),
    lam: float = 1e-5,
    budget: Budget | int | str = 500,
) -> Recipe:
    """Support-vector merging finds the support vectors, `Refit` fits their coefficients. Original to this library.

    The first step of 1/(λt) is so large that a budgeted model never quite recovers from it; with t₀ = 1/λ no step
    exceeds 1, and no ball is needed. Only a Gaussian kernel allows merging: with any other, the smallest support vector
    is projected onto the others. A budget in bytes is better spent on support vectors than on the refit's statistics,
    and a loss without a second derivative cannot be refitted: in both cases this is plain budgeted SGD.
    `python -m benchmarks.frontier` measures it.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma='scale')
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    lam : float, default 1e-5
        λ, the regularisation: the weight of ½‖f‖² beside the mean loss.
    budget : int, str or Budget, default 500
        The most support vectors, a size such as "64 KiB", or a `Budget`.

    See Also
    --------
    bsgd, pegasos

    References
    ----------
    .. [1] Z. Wang, K. Crammer and S. Vucetic. Breaking the curse of kernelization: budgeted stochastic gradient descent
           for large-scale SVM training. JMLR 13, 2012.

    Examples
    --------
    >>> round(default(budget=50).step.t0)
    100000
    >>> default(budget=50).output, default(budget="64 KiB").output
    (Refit(lam=0.0, half_life=0.0, max_passes=20, move_passes=32, start_after=0), Last())
    """
    maintenance, limit = "merge" if kernel.mergeable else "project", as_budget(budget)
    output: Output = Last()
    if loss.smooth() is not None and not isinstance(limit, Memory):
        # small models gain most by moving their support vectors, and a pass over the data costs them least
        output = Refit(move_passes=MOVES if isinstance(limit, Fixed) and limit.size <= SMALL else 0)
    return bsgd(kernel, loss, lam, budget, maintenance, offset=1.0, bound=Unbounded(), output=output)
