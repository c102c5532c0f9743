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

    Examples
    --------
    >>> bpa(budget=50).maintenance
    ProjectOnNewest()
    """
    rule = named("variant", variant, VARIANTS, Maintenance)
    return Recipe(kernel, Hinge(), _step(C, squared), maintenance=rule, budget=budget)
