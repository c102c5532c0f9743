"""Online learning with kernels: plain, with random updating, with random discarding."""

from ..admission import Coin
from ..bounds import Ball, Bound, Clip, Scale, Unbounded
from ..budgets import Budget, as_budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Discard, DiscardByWeight, DiscardLeastVariance, Maintenance
from ..output import Output
from ..recipe import Recipe
from ..steps import Constant, Discarding, Power, Step, Updating
from .names import named, output_named

DISCARDS: dict[str, Maintenance] = {
    "uniform": Discard(),
    "least-variance": DiscardLeastVariance(),
    "weight": DiscardByWeight(),
}


def _check_schedule(schedule: str) -> None:
    if schedule not in ("constant", "power"):
        raise ValueError(f"unknown schedule {schedule!r}. Available: 'constant' (η), 'power' (η t^−½).")


def _ball(U: float | None) -> Bound:
    return Unbounded() if U is None else Ball(U)


def _radius(U: float | None) -> float:
    if U is None:
        raise ValueError("eta = None is the step that theory gives for functions of norm at most U: give U, or eta.")
    return U


def olk(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float | None = 2.0,
    U: float | None = None,
    schedule: str = "power",
    output: str | Output = "last",
) -> Recipe:
    r"""OLK, online gradient descent in the RKHS, as the baseline of He & Kwok (Neural Networks 2014).

    .. math:: f_{t+1} = \Pi_U\bigl(f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot)\bigr)

    No decay, no λ, no budget; Π_U is the projection on the ball ‖f‖ ≤ U.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float or None, default 2.0
        None is the step of Theorem 1, from U: 2U/√(GT) for a constant step and √2 U/√G for η t^−½, with G ≥ ‖g‖².
    U : float or None, default None
        Radius of the ball; None for no ball.
    schedule : str, default "power"
        "power" for the step η t^−½, "constant" for η.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    olru, olrd

    References
    ----------
    .. [1] W. He and J. T. Kwok. Simple randomized algorithms for online learning with kernels. Neural Networks 60,
           2014.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olk(Gaussian(4.0), U=10.0), X, y).learn_many(X, y).n_support
    618
    """
    _check_schedule(schedule)
    if eta is None:
        step: Step = Updating(_radius(U), total=None if schedule == "constant" else 0.0)
    else:
        step = Constant(eta) if schedule == "constant" else Power(eta, 0.5)
    return Recipe(kernel, loss, step, bound=_ball(U), output=output_named(output))


def olru(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float | None = 2.0,
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
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float or None, default 2.0
        None is the step of Theorem 2, from U: see `steps.Updating`.
    c : float, default 2.0
        c of the probability c t^−γ that an example is used.
    gamma : float, default 0.25
        γ of that probability, between 0 and 1: larger values give fewer support vectors.
    U : float or None, default None
        Radius of the ball; None for no ball.
    total : float or None, default None
        T if it is known: then p = min{1, c T^−γ} and η are constant.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    olk, olrd

    References
    ----------
    .. [1] W. He and J. T. Kwok. Simple randomized algorithms for online learning with kernels. Neural Networks 60,
           2014.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olru(Gaussian(4.0), U=10.0), X, y).learn_many(X, y).n_support
    377
    """
    if eta is None:
        step: Step = Updating(_radius(U), c, gamma, total or 0.0)
    else:
        step = Power(eta, (1.0 + gamma) / 2.0) if total is None else Constant(eta)
    return Recipe(
        kernel, loss, step, admission=Coin(c, gamma, total or 0.0), bound=_ball(U), output=output_named(output)
    )


def olrd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float | None = None,
    budget: Budget | int | str = 100,
    U: float = 10.0,
    bound: str = "ball",
    schedule: str = "constant",
    discard: str | Maintenance = "uniform",
    output: str | Output = "last",
) -> Recipe:
    r"""OLRD, online learning with random discarding (He & Kwok, Neural Networks 2014).

    When the model is full, one of its n support vectors is discarded at random and the others are multiplied by
    n/(n − 1), which leaves f unchanged in expectation; then the new one is added, and f is projected onto the ball
    ‖f‖ ≤ U.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float or None, default None
        The step. None is that of Theorem 3, from U, the budget, and the length of the stream if it is known (as in
        `fit`); see `steps.Discarding`.
    budget : int, str or Growing(c), default 100
        B = 1 + c√T fixed beforehand, or growing with t.
    U : float, default 10.0
        Radius of the ball.
    bound : "ball", "clip", "scale" or "none", default "ball"
        "ball" is the paper's algorithm, line 15. Its text restores B max_j |a_j| ≤ U instead, by a rule that would
        shrink f at every step as printed, α ← min{1, U/B} α, and cannot be meant; "clip" bounds each coefficient, and
        "scale" shrinks all by the largest (keep η ≤ U/B). Both change the expectation of f. With U = ηB and the hinge
        loss, "clip" undoes the factor n/(n − 1) at every step: what is left is plain random removal.
    schedule : str, default "constant"
        "constant", or "power" for the step η t^−½, if η is given.
    discard : "uniform" (1/n), "least-variance" or "weight", default "uniform"
        The probabilities q of being discarded; the others are divided by 1 − q, which is unbiased for any q (equation
        17). "least-variance" minimises the paper's bound on E‖Δ‖² (equation 18), "weight" is the rule of BOGD++.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    olk, olru, bogd

    References
    ----------
    .. [1] W. He and J. T. Kwok. Simple randomized algorithms for online learning with kernels. Neural Networks 60,
           2014.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.olrd(Gaussian(4.0), budget=50), X, y).learn_many(X, y).n_support
    50
    """
    _check_schedule(schedule)
    if eta is None:
        if schedule != "constant":
            raise ValueError("olrd: schedule is for a given eta; with eta = None the step follows from Theorem 3.")
        step: Step = Discarding(U)
    else:
        step = Constant(eta) if schedule == "constant" else Power(eta, 0.5)
    rules: dict[str, Bound] = {"ball": Ball(U), "clip": Clip(U), "scale": Scale(U), "none": Unbounded()}
    if bound not in rules:
        raise ValueError(f"unknown bound {bound!r}. Available: {', '.join(map(repr, rules))}.")
    return Recipe(
        kernel, loss, step, maintenance=named("discard", discard, DISCARDS, Maintenance), budget=as_budget(budget),
        bound=rules[bound], output=output_named(output),
    )  # fmt: skip
