"""Nonparametric budgeted SGD."""

from ..bounds import Bound, TargetBall, Unbounded
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss, Squared
from ..maintenance import Maintenance, Sometimes
from ..output import Output
from ..recipe import Recipe
from ..steps import InverseTime
from .names import maintenance_named, output_named


def nbsgd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    lam: float = 1e-4,
    budget: Budget | int | str = 100,
    beta: float | None = None,
    maintenance: str | Maintenance = "smallest",
    offset: float = 0.0,
    output: str | Output = "last",
) -> Recipe:
    r"""NBSGD (Le, Nguyen, Nguyen & Phung, AISTATS 2016): a budget that the data may exceed.

    When an addition exceeds the budget, maintenance is performed only with probability

    .. math:: P(Z_t = 1) = \min\{\beta / t,\, 1\},

    so that the model grows if necessary and the regret stays O(1/T) or O(log T / T).

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
    beta : float or None, default None
        β of the probability of maintenance, in examples. None is 0.6 times the number of examples to come, which must
        then be known: in `fit`, rows times epochs.
    maintenance : str or Maintenance, default "smallest"
        "smallest" (removal), "project", "project-nearest" (on the four most correlated), or any other of `bsgd`.
    offset : float, default 0.0
        t₀ = offset/λ in the step 1/(λ (t + t₀)). The papers use 0; with 2 no step exceeds ½.
    output : str or Output, default "last"
        "last", "suffix" (the mean of the last half), "mean", "random" (one of all iterates, Theorem 6), "random-suffix"
        (one of the last half, Theorem 12), or an `Output`.

    See Also
    --------
    bsgd

    Notes
    -----
    With the squared loss and λ ≤ 1 the iterates stay in the ball of radius y_max/√λ, as the analysis asks; with other
    losses there is no ball.

    References
    ----------
    .. [1] T. Le, V. Nguyen, T. D. Nguyen and D. Phung. Nonparametric budgeted stochastic gradient descent. AISTATS
           2016.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.nbsgd(Gaussian(4.0), budget=50, beta=600), X, y).learn_many(X, y).n_support
    73
    """
    bound: Bound = TargetBall() if isinstance(loss, Squared) and lam <= 1.0 else Unbounded()
    return Recipe(
        kernel, loss, InverseTime.offset(lam, offset), maintenance=Sometimes(maintenance_named(maintenance), beta),
        budget=budget, bound=bound, output=output_named(output),
    )  # fmt: skip
