"""The kernel perceptron, without a budget."""

from ..averaging import Average
from ..kernels import Gaussian, Kernel
from ..losses import Perceptron
from ..recipe import Recipe
from ..steps import Constant
from .names import average_named


def perceptron(kernel: Kernel = Gaussian(), average: str | Average = "last") -> Recipe:
    r"""The kernel perceptron (Freund & Schapire 1999): on a mistake, add the example.

    .. math:: y_t f_t(x_t) \le 0 \;\Rightarrow\; f_{t+1} = f_t + y_t\, \kappa(x_t, \cdot)

    With several classes: +1 at the true class, −1 at the best wrong one.

    >>> perceptron().loss
    Perceptron()
    """
    return Recipe(kernel, Perceptron(), Constant(1.0), average=average_named(average))
