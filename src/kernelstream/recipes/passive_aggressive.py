"""Passive-aggressive learning, without and with a budget."""

from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge
from ..maintenance import CheapestButNewest, Maintenance, Project, ProjectOnNewest, ProjectOnNewestAndNearest
from ..recipe import Recipe
from ..steps import PassiveAggressive, PassiveAggressive2, Step
from .names import named

VARIANTS: dict[str, Maintenance] = {
    "simple": ProjectOnNewest(),
    "nearest": ProjectOnNewestAndNearest(),
    "project": Project(CheapestButNewest()),
}


def _step(C: float, squared: bool) -> Step:
    return PassiveAggressive2(C) if squared else PassiveAggressive(C)


def pa(kernel: Kernel = Gaussian(), C: float = 1.0, squared: bool = False) -> Recipe:
    r"""PA-I and PA-II (Crammer, Dekel, Keshet, Shalev-Shwartz & Singer, JMLR 2006): the shortest sufficient step.

    .. math:: f_{t+1} = f_t + \tau y_t\, \kappa(x_t, \cdot), \quad
              \tau = \min\{C, \ell_t / \kappa(x_t, x_t)\} \text{ or } \ell_t / (\kappa(x_t, x_t) + 1/(2C))

    With several classes κ(x, x) is doubled: the step has +τ at the true class and −τ at the best wrong one.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    C : float, default 1.0
        Aggressiveness: the largest step of PA-I; in PA-II larger values give longer steps.
    squared : bool, default False
        Whether to use PA-II, with the squared loss, instead of PA-I.

    See Also
    --------
    bpa, perceptron

    References
    ----------
    .. [1] K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer. Online passive-aggressive algorithms. JMLR
           7, 2006.

    Examples
    --------
    >>> pa(C=0.5).step
    PassiveAggressive(C=0.5)
    """
    return Recipe(kernel, Hinge(), _step(C, squared))


def bpa(
    kernel: Kernel = Gaussian(),
    C: float = 1.0,
    budget: Budget | int | str = 100,
    variant: str = "simple",
    squared: bool = False,
) -> Recipe:
    r"""BPA-S, BPA-NN and BPA-P (Wang & Vucetic, AISTATS 2010): passive-aggressive on a budget.

    A full model removes the support vector whose removal, with the others fitted again as far as the variant allows,
    changes the function least. That is a projection of the removed one onto the newest ("simple", BPA-S), onto the
    newest and the nearest neighbour of the removed one ("nearest", BPA-NN), or onto all ("project", BPA-P): the step τ
    is the same for every candidate.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    C : float, default 1.0
        Aggressiveness: the largest step, as for `pa`.
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.
    variant : str, default "simple"
        "simple" (BPA-S), "nearest" (BPA-NN) or "project" (BPA-P).
    squared : bool, default False
        Whether the step is that of PA-II instead of PA-I.

    See Also
    --------
    pa, bsgd

    References
    ----------
    .. [1] Z. Wang and S. Vucetic. Online passive-aggressive algorithms on a budget. AISTATS 2010.

    Examples
    --------
    >>> bpa(budget=50).maintenance
    ProjectOnNewest()
    """
    rule = named("variant", variant, VARIANTS, Maintenance)
    return Recipe(kernel, Hinge(), _step(C, squared), maintenance=rule, budget=budget)
