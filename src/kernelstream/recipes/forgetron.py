"""The Forgetron, self-tuned and basic."""

from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Perceptron
from ..maintenance import Forget, ForgetBasic
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant
from .names import output_named


def forgetron(
    kernel: Kernel = Gaussian(),
    budget: Budget | int | str = 100,
    self_tuned: bool = True,
    output: str | Output = "last",
) -> Recipe:
    r"""The Forgetron (Dekel, Shalev-Shwartz & Singer, SIAM Journal on Computing 2008).

    On a mistake the example is added; if that exceeds the budget, f is multiplied by φ and the oldest support vector is
    removed. Self-tuned, φ is as large as the analysis allows: the damage Q of all removals stays below (15/32) M, M the
    number of mistakes.

    With several classes (original to this library) the weight of a support vector is measured in units of one step,
    which has norm √2, so that two classes behave as in the binary algorithm.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    self_tuned : bool, default True
        Whether the factor φ is as large as the analysis allows; False is the basic Forgetron, whose φ follows from
        budget and norm.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    perceptron, rbp

    References
    ----------
    .. [1] O. Dekel, S. Shalev-Shwartz and Y. Singer. The Forgetron: a kernel-based perceptron on a budget. SIAM Journal
           on Computing 37, 2008.

    Examples
    --------
    >>> forgetron(budget=50).maintenance
    Forget()
    """
    return Recipe(
        kernel, Perceptron(), Constant(1.0), maintenance=Forget() if self_tuned else ForgetBasic(), budget=budget,
        output=output_named(output),
    )  # fmt: skip
