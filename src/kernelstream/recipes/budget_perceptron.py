"""The budget perceptron, which removes what it classifies best."""

from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Perceptron
from ..maintenance import Before, LargestMargin, Remove
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant
from .names import output_named


def budget_perceptron(
    kernel: Kernel = Gaussian(),
    budget: Budget | int | str = 100,
    beta: float = 0.0,
    output: str | Output = "last",
) -> Recipe:
    r"""The budget perceptron (Crammer, Kandola & Singer, NIPS 2003), with a fixed budget.

    An example with a margin of at most β is added. If the model is full, the support vector is removed first that the
    function without it classifies with the largest margin:

    .. math:: \operatorname{argmax}_i\; y_i \bigl(f(x_i) - a_i\, \kappa(x_i, x_i)\bigr)

    With several classes the margin is the score of the true class minus the best other score. A removal computes the
    kernel rows of all n support vectors, O(n² d). The paper's variant without a fixed budget, which removes all that
    stay right by a margin of β, is not offered; `maintenance=Remove(LargestMargin())` removes after the addition, when
    the new one may go as well.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    beta : float, default 0.0
        The margin β up to which an example is added; 0 for mistakes only.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    perceptron, rbp

    References
    ----------
    .. [1] K. Crammer, J. Kandola and Y. Singer. Online classification on a budget. NIPS 2003.

    Examples
    --------
    >>> budget_perceptron(budget=50).maintenance
    Before(inner=Remove(choice=LargestMargin()))
    """
    return Recipe(
        kernel, Perceptron(beta), Constant(1.0), maintenance=Before(Remove(LargestMargin())), budget=budget,
        output=output_named(output),
    )  # fmt: skip
