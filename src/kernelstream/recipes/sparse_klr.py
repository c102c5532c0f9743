"""Sparse kernel logistic regression, the forerunner of OSKL."""

from ..admission import ByAuxiliary, ByMargin
from ..bounds import Ball, Unbounded
from ..kernels import Gaussian, Kernel
from ..losses import Logistic
from ..recipe import Recipe
from ..steps import Constant


def sparse_klr(
    kernel: Kernel = Gaussian("auto"),
    eta: float = 0.5,
    gamma: float | None = None,
    R: float | None = None,
) -> Recipe:
    r"""Margin and Auxiliary (Zhang, Jin, Chen, Bu & He 2012): logistic regression that skips examples at random.

    With z = y f(x): "Margin" (gamma=None) admits with P = (2 − η)/(2 − η + η σ(z)) and steps by η(1 − σ(z)) y;
    "Auxiliary" (gamma > 1) admits with P = ln(1 + e^−z)/ln(γ + e^−z) and steps by η y/(1 + γ e^z). Neither step is
    divided by P: both are biased by design. Two classes only.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma='auto')
        The kernel κ(x, z).
    eta : float, default 0.5
        η, the step size, below 2.
    gamma : float or None, default None
        γ of "Auxiliary", above 1; None is "Margin".
    R : float or None, default None
        Radius of the ball ‖f‖ ≤ R; None for no ball.

    See Also
    --------
    oskl

    References
    ----------
    .. [1] L. Zhang, R. Jin, C. Chen, J. Bu and X. He. Efficient online learning for large-scale sparse kernel logistic
           regression. AAAI 2012.

    Examples
    --------
    >>> sparse_klr(gamma=3.0).admission
    ByAuxiliary(gamma=3.0)
    """
    rule = ByMargin(eta) if gamma is None else ByAuxiliary(gamma)
    return Recipe(kernel, Logistic(), Constant(eta), admission=rule, bound=Unbounded() if R is None else Ball(R))
