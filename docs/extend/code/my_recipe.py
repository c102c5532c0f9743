"""A recipe of your own: OSKL's sampling with support-vector merging, which no paper has combined."""

from kernelstream import Recipe
from kernelstream.admission import ByDerivative
from kernelstream.kernels import Gaussian
from kernelstream.losses import Logistic
from kernelstream.maintenance import Merge
from kernelstream.steps import Constant


def sampled_merging(kernel=Gaussian("scale"), loss=Logistic(), eta=0.5, G=2.0, budget=100):
    """Rows that are classified well are rarely admitted, and a budget is kept by merging.

    Parameters
    ----------
    eta : float
        The step size.
    G : float
        Larger values admit fewer rows, each with a larger step.
    """
    return Recipe(kernel, loss, Constant(eta), admission=ByDerivative(G), maintenance=Merge(), budget=budget)
