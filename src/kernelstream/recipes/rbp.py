"""The randomized budget perceptron."""

from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Perceptron
from ..maintenance import Before, Random, Remove
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant, Shifting
from .names import output_named


def rbp(
    kernel: Kernel = Gaussian(),
    budget: Budget | int | str = 100,
    lam: float | None = None,
    output: str | Output = "last",
) -> Recipe:
    r"""RBP, the randomized budget perceptron (Cavallanti, Cesa-Bianchi & Gentile, Machine Learning 2007).

    On a mistake of a full model a support vector drawn at random is removed; then the example is added.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    lam : float or None, default None
        Shifting decay: at a mistake after k others f ← (1 − λ_k) f with λ_k = λ/(λ + k); None for none.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    perceptron, forgetron, budget_perceptron

    References
    ----------
    .. [1] G. Cavallanti, N. Cesa-Bianchi and C. Gentile. Tracking the best hyperplane with a simple budget perceptron.
           Machine Learning 69, 2007.

    Examples
    --------
    >>> rbp(budget=50).maintenance
    Before(inner=Remove(choice=Random()))
    """
    step = Constant(1.0) if lam is None else Shifting(lam)
    return Recipe(
        kernel, Perceptron(), step, maintenance=Before(Remove(Random())), budget=budget, output=output_named(output)
    )
