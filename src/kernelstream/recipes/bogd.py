"""BOGD and BOGD++: bounded online gradient descent."""

from ..bounds import ClipSteps, Unbounded
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Discard, DiscardByWeight
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant
from .names import output_named


def bogd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 0.1,
    lam: float = 1e-4,
    budget: Budget | int | str = 100,
    gamma: float | None = 5.0,
    plus: bool = False,
    output: str | Output = "last",
) -> Recipe:
    r"""BOGD and BOGD++ (Zhao, Wang, Wu, Jin & Hoi, ICML 2012): bounded online gradient descent.

    A full model discards one support vector before the next is added, and re-scales the others so that f is unchanged
    in expectation: uniformly (BOGD), or with q_i = 1 − (B − 1) w_i/Σw, w_i = |a_i| √κ_ii (BOGD++). Then |a_i| ≤ γη.

    As printed q can be negative; we clip it at 0, normalise, and use that q both to draw and to re-scale.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float, default 0.1
        η, the step size.
    lam : float, default 1e-4
        λ, the regularisation: the weight of ½‖f‖² beside the mean loss.
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    gamma : float or None, default 5.0
        γ, the limit of coefficients in units of the step: |a_i| ≤ γη. None for no limit.
    plus : bool, default False
        Whether to discard by weight: BOGD++.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    olrd, norma

    References
    ----------
    .. [1] P. Zhao, J. Wang, P. Wu, R. Jin and S. C. H. Hoi. Fast bounded online gradient descent algorithms for
           scalable kernel-based online learning. ICML 2012.

    Examples
    --------
    >>> bogd(plus=True).maintenance
    DiscardByWeight()
    """
    return Recipe(
        kernel, loss, Constant(eta, lam), maintenance=DiscardByWeight() if plus else Discard(), budget=budget,
        bound=Unbounded() if gamma is None else ClipSteps(gamma), output=output_named(output),
    )  # fmt: skip
