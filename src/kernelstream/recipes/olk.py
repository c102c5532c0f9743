"""Online learning with kernels: plain, with random updating, with random discarding."""

from ..admission import Coin
from ..bounds import Ball, Bound, Clip, Scale, Unbounded
from ..budgets import Budget, Fixed, as_budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Discard
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant, Power, Step
from .names import output_named


def _step(eta: float, schedule: str, b: float) -> Step:
    if schedule not in ("constant", "power"):
        raise ValueError(f"unknown schedule {schedule!r}. Available: 'constant' (η), 'power' (η t^−b).")
    return Constant(eta) if schedule == "constant" else Power(eta, b)


def olk(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 2.0,
    U: float | None = None,
    schedule: str = "power",
    output: str | Output = "last",
) -> Recipe:
    r"""OLK, online gradient descent in the RKHS, as the baseline of He & Kwok (Neural Networks 2014).

    .. math:: f_{t+1} = \Pi_U\bigl(f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot)\bigr)

    No decay, no λ, no budget; Π_U is the projection on the ball ‖f‖ ≤ U.

    Parameters
    ----------
    eta : float
        In theory η = 2U/√(GT) for a constant step and √2 U/√G for η t^−½, with G ≥ ‖g‖²; in practice it is tuned.
    U : float or None
        Radius of the ball; None for no ball.
    schedule : "power" (η t^−½) or "constant"

    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olk(Gaussian(4.0), U=10.0), X, y).learn_many(X, y).n_support
    618
    """
    bound: Bound = Unbounded() if U is None else Ball(U)
    return Recipe(kernel, loss, _step(eta, schedule, 0.5), bound=bound, output=output_named(output))


def olru(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 2.0,
    c: float = 2.0,
    gamma: float = 0.25,
    U: float | None = None,
    total: float | None = None,
    output: str | Output = "last",
) -> Recipe:
    r"""OLRU, online learning with random updating (He & Kwok, Neural Networks 2014).

    An example is used only with probability p_t, and its step is divided by p_t, so that it is unbiased.

    .. math:: f_{t+1} = \Pi_U\bigl(f_t - \tfrac{\eta_t Z_t}{p_t} \partial\ell(f_t(x_t), y_t) \kappa(x_t, \cdot)\bigr),
              \qquad P(Z_t = 1) = p_t = \min\{1, c\, t^{-\gamma}\}

    with η_t = η t^{−(1+γ)/2}; the number of support vectors grows as O(T^{1−γ}).

    Parameters
    ----------
    total : float or None
        T if it is known: then p = min{1, c T^−γ} and η are constant.

    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olru(Gaussian(4.0), U=10.0), X, y).learn_many(X, y).n_support
    377
    """
    bound: Bound = Unbounded() if U is None else Ball(U)
    step: Step = Power(eta, (1.0 + gamma) / 2.0) if total is None else Constant(eta)
    return Recipe(kernel, loss, step, admission=Coin(c, gamma, total or 0.0), bound=bound, output=output_named(output))


def olrd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 1.0,
    budget: Budget | int = 100,
    U: float | None = None,
    bound: str = "clip",
    schedule: str = "constant",
    output: str | Output = "last",
) -> Recipe:
    r"""OLRD, online learning with random discarding (He & Kwok, Neural Networks 2014).

    When the model is full, one of its n support vectors is discarded at random and the others are multiplied by
    n/(n − 1), which leaves f unchanged in expectation; then the new one is added.

    Parameters
    ----------
    budget : int or Growing(c)
        B = 1 + c√T fixed beforehand, or growing with t.
    bound : "clip", "scale", "ball" or "none"
        How to restore B max_j ‖a_j‖ √κ_jj ≤ U. The printed rule, α ← min{1, U/B} α, would shrink f at every step and
        cannot be meant. "clip" bounds each coefficient, "scale" shrinks all by the largest (keep η ≤ U/B), "ball"
        projects f.
    U : float or None
        None is η B: no coefficient larger than a first step.

    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olrd(Gaussian(4.0), budget=50), X, y).learn_many(X, y).n_support
    50
    """
    limit = as_budget(budget)
    if U is None and bound != "none" and not isinstance(limit, Fixed):
        raise ValueError(f"olrd: U must be given with {limit!r}; for a fixed budget B it is eta * B by default.")
    size = U if U is not None else eta * limit.size if isinstance(limit, Fixed) else 0.0
    rules: dict[str, Bound] = {"none": Unbounded()}
    if size:
        rules |= {"clip": Clip(size), "scale": Scale(size), "ball": Ball(size)}
    if bound not in ("clip", "scale", "ball", "none"):
        raise ValueError(f"unknown bound {bound!r}. Available: 'clip', 'scale', 'ball', 'none'.")
    return Recipe(
        kernel, loss, _step(eta, schedule, 0.5), maintenance=Discard(), budget=limit,
        bound=rules[bound], output=output_named(output),
    )  # fmt: skip
