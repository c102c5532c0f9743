"""Kernel recursive least squares."""

from ..admission import Regress
from ..kernels import Gaussian, Kernel
from ..losses import Squared
from ..recipe import Recipe
from ..steps import Constant


def krls(kernel: Kernel = Gaussian(), nu: float = 1e-3) -> Recipe:
    r"""KRLS with approximate linear dependence (Engel, Mannor & Meir, IEEE Transactions on Signal Processing 2004).

    A point whose feature vector is farther than √ν from the span of the dictionary joins it; of every other one only
    its coefficients in the dictionary are used. Either way the coefficients are those of least squares over all
    examples: there is no step size. For regression, with one or several outputs.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    nu : float, default 0.001
        ν, the squared distance from the span of the dictionary beyond which a point joins it.

    See Also
    --------
    projectron

    References
    ----------
    .. [1] Y. Engel, S. Mannor and R. Meir. The kernel recursive least-squares algorithm. IEEE Transactions on Signal
           Processing 52, 2004.

    Examples
    --------
    >>> krls(nu=0.01).admission
    Regress(nu=0.01)
    """
    return Recipe(kernel, Squared(), Constant(1.0), admission=Regress(nu))
