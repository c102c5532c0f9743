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

    Examples
    --------
    >>> forgetron(budget=50).maintenance
    Forget()
    """
    return Recipe(
        kernel, Perceptron(), Constant(1.0), maintenance=Forget() if self_tuned else ForgetBasic(), budget=budget,
        output=output_named(output),
    )  # fmt: skip
