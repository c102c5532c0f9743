"""Online gradient descent on a budget: NORMA, BOGD and BOGD++."""

from ..averaging import Average
from ..bounds import ClipSteps, Free
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Discard, DiscardByWeight, Oldest, Remove
from ..recipe import Recipe
from ..steps import Constant, Power
from .names import average_named


def norma(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 0.5,
    lam: float = 0.01,
    budget: Budget | int | str = 100,
) -> Recipe:
    r"""NORMA (Kivinen, Smola & Williamson, IEEE Transactions on Signal Processing 2004): decay, and drop the oldest.

    .. math:: f_{t+1} = (1 - \eta_t\lambda) f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot),
              \qquad \eta_t = \eta / \sqrt{t}

    Old coefficients have decayed most, so the oldest beyond the window can be dropped. The paper's window is one of
    time, ours of support vectors, so that memory is bounded by what is kept.

    >>> norma().maintenance
    Remove(choice=Oldest())
    """
    return Recipe(kernel, loss, Power(eta, 0.5, lam), maintenance=Remove(Oldest()), budget=budget)


def bogd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 0.1,
    lam: float = 1e-4,
    budget: Budget | int | str = 100,
    gamma: float | None = 5.0,
    plus: bool = False,
    average: str | Average = "last",
) -> Recipe:
    r"""BOGD and BOGD++ (Zhao, Wang, Wu, Jin & Hoi, ICML 2012): bounded online gradient descent.

    A full model discards one support vector before the next is added, and re-scales the others so that f is unchanged
    in expectation: uniformly (BOGD), or with q_i = 1 − (B − 1) w_i/Σw, w_i = |a_i| √κ_ii (BOGD++). Then |a_i| ≤ γη.

    As printed q can be negative; we clip it at 0, normalise, and use that q both to draw and to re-scale.

    >>> bogd(plus=True).maintenance
    DiscardByWeight()
    """
    return Recipe(
        kernel, loss, Constant(eta, lam), maintenance=DiscardByWeight() if plus else Discard(), budget=budget,
        bound=Free() if gamma is None else ClipSteps(gamma), average=average_named(average),
    )  # fmt: skip
