"""The kernel perceptron, without a budget."""

from ..kernels import Gaussian, Kernel
from ..losses import Perceptron
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant
from .names import output_named


def perceptron(kernel: Kernel = Gaussian(), output: str | Output = "last") -> Recipe:
    r"""The kernel perceptron (Freund & Schapire 1999): on a mistake, add the example.

    .. math:: y_t f_t(x_t) \le 0 \;\Rightarrow\; f_{t+1} = f_t + y_t\, \kappa(x_t, \cdot)

    With several classes: +1 at the true class, −1 at the best wrong one.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    rbp, forgetron, projectron

    References
    ----------
    .. [1] Y. Freund and R. E. Schapire. Large margin classification using the perceptron algorithm. Machine Learning
           37, 1999.

    Examples
    --------
    >>> perceptron().loss
    Perceptron(margin=0.0)
    """
    return Recipe(kernel, Perceptron(), Constant(1.0), output=output_named(output))
