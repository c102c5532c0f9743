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

    Examples
    --------
    >>> bogd(plus=True).maintenance
    DiscardByWeight()
    """
    return Recipe(
        kernel, loss, Constant(eta, lam), maintenance=DiscardByWeight() if plus else Discard(), budget=budget,
        bound=Unbounded() if gamma is None else ClipSteps(gamma), output=output_named(output),
    )  # fmt: skip
