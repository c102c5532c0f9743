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
    beta : float or None
        None is 0.6 times the number of examples to come, which must then be known: in `fit`, rows times epochs.
    maintenance : "smallest" (removal), "project", "project-nearest" (on the four most correlated), or any other
    output : "last", "suffix" (the mean of the last half), "mean", "random" (one of all iterates, Theorem 6), or
        "random-suffix" (one of the last half, Theorem 12)

    Notes
    -----
    With the squared loss and λ ≤ 1 the iterates stay in the ball of radius y_max/√λ, as the analysis asks; with other
    losses there is no ball. Other parameters as for `kernel_sgd`.

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
