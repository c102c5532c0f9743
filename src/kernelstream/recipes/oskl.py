"""Online sparse kernel learning by sampling."""

import warnings

from ..admission import ByDerivative
from ..bounds import Ball
from ..kernels import Gaussian, Kernel
from ..losses import Logistic, Loss, Squared
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant, SelfBounded, Step
from .names import output_named


def oskl(
    kernel: Kernel = Gaussian("auto"),
    loss: Loss = Logistic(),
    G: float | None = None,
    R: float = 100.0,
    eta: float | None = None,
    delta: float | None = None,
    output: str | Output = "mean",
) -> Recipe:
    r"""OSKL (Zhang, Yi, Jin, Lin & He, ICML 2013): examples that are classified well are seldom admitted.

    .. math:: P(Z_t = 1) = \frac{|\ell'_t|}{G}, \qquad
              f_{t+1} = \Pi_R\bigl(f_t - \eta\, Z_t\, \mathrm{sgn}(\ell'_t)\, G\, \kappa(x_t, \cdot)\bigr)

    Nothing is ever removed, so the mean of all iterates, which is the model, has the support vectors of the last one.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma='auto')
        The kernel κ(x, z).
    loss : Loss, default Logistic()
        The loss ℓ(f(x), y).
    G : float or None, default None
        At least G₁ = sup|ℓ'| over the ball: 1 for the logistic loss, √2 for several classes, R + max|y| for the squared
        loss, e^R for the exponential loss, which therefore needs a small R. None is G₁. Larger G: fewer support
        vectors, less accuracy.
    R : float, default 100.0
        Radius of the ball.
    eta : float or None, default None
        None is 0.9/(LG), where |ℓ'| ≤ L ℓ: L = 1 for the logistic and exponential losses, d for
        `losses.RealExponential(d)`.
    delta : float or None, default None
        For the squared loss, the residual |y − f(x)| from which on |ℓ'| ≤ L ℓ shall hold: L = 2/δ.
    output : str or Output, default "mean"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    sparse_klr

    Notes
    -----
    The bound on the number of support vectors needs |ℓ'| ≤ L ℓ, which the hinge loss does not satisfy, nor the squared
    loss for residuals below δ: a warning says so. With several classes (original to this library): P = ‖g‖/G, step
    −ηG g/‖g‖.

    References
    ----------
    .. [1] L. Zhang, J. Yi, R. Jin, M. Lin and X. He. Online kernel learning with a near optimal sparsity bound. ICML
           2013.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.oskl(Gaussian(4.0), G=4.0), X, y).learn_many(X, y).n_support
    87
    """
    if delta is not None and (not isinstance(loss, Squared) or not delta > 0.0):
        raise ValueError(f"oskl: delta = {delta!r} must be above 0, and is for the squared loss only, not {loss!r}.")
    L = 2.0 / delta if delta is not None else loss.self_bound
    if L is None:
        warnings.warn(
            f"oskl: {loss!r} has no constant L with |loss'| <= L * loss, so the bound on the number of support vectors "
            "does not hold. Logistic() and Exponential() have one, and Squared() with delta=….",
            UserWarning,
            stacklevel=2,
        )
    step: Step = SelfBounded(0.9, L or 0.0) if eta is None else Constant(eta)
    return Recipe(kernel, loss, step, admission=ByDerivative(G or 0.0), bound=Ball(R), output=output_named(output))
