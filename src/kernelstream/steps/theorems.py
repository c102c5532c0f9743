"""Step sizes that the papers' theorems prescribe."""

import math
from typing import TYPE_CHECKING, Any

from ..core.strategy import Facts
from .base import Step
from .inverse_time import InverseTime
from .power import Constant, Power

if TYPE_CHECKING:
    from ..kernels import Kernel
    from ..losses import Loss


def updating(U: float, G: float, c: float = 1.0, gamma: float = 0.0, total: float | None = None) -> float:
    """OLRU: He & Kwok 2014, Theorem 2; with c = 1 and γ = 0 OLK, Theorem 1."""
    b = 0.5 * (1.0 + gamma)
    return 2.0 * U * math.sqrt(c / G) * total**-b if total else 2.0 * U * math.sqrt(c * b / G)


def discarding(U: float, G: float, c: float, total: float | None = None) -> float:
    """OLRD: He & Kwok 2014, Theorem 3, with the budget 1 + c√T."""
    return U * math.sqrt((4.0 + c**-2) / (G * total)) if total else U * math.sqrt((2.0 + c**-2) / G)


def steepness(loss: "Loss", kernel: "Kernel", U: float, facts: Facts) -> float:
    """G ≥ ‖g‖² κ(x, x) for functions of norm at most U; a ValueError where none is known."""
    y_max = float(abs(facts.y).max(initial=0.0))
    steepest = loss.steepest(facts.outputs, U, y_max) if kernel.normalised else None
    if steepest is None:
        raise ValueError(
            f"no bound on the gradient of {loss!r} with {kernel!r} is known, from which to compute the step. Give the "
            "step, eta=…."
        )
    return max(steepest, 1e-6) ** 2


def from_theorem(
    recipe: str,
    *,
    U: float = 1.0,
    G: float = 1.0,
    L: float = 1.0,
    T: float | None = None,
    c: float = 1.0,
    gamma: float = 0.25,
    lam: float | None = None,
    share: float = 0.9,
) -> Step:
    """The step size that a paper's theorem prescribes for its algorithm.

    Parameters
    ----------
    recipe : str
        "olk", "olru" or "olrd" (He & Kwok 2014, Theorems 1 to 3): from U, G, T, c and, for "olru", γ. "oskl" (Zhang et
        al. 2013, Theorem 1): share/(LG). "bsgd", "pegasos" or "nbsgd": 1/(λt).
    U : float
        Norm of the functions to compete with, and radius of the ball.
    G : float
        For "oskl" the parameter G of the sampling; else a bound on ‖∂ℓ/∂f‖² κ(x, x): 1 for the hinge loss and two
        classes, 2 for Crammer and Singer's.
    L : float
        With |ℓ'| ≤ L ℓ: 1 for the logistic loss.
    T : float or None
        Length of the stream. If it is known the step is constant, else it falls with t.
    c, gamma : float
        OLRU admits with probability c T^−γ, or c t^−γ, which the theorem needs to be at most 1; OLRD has a budget of
        1 + c√T, or 1 + c√t.
    lam : float
        λ, for the steps 1/(λt).
    share : float
        The theorem's γ below 1, for "oskl".

    Examples
    --------
    >>> from_theorem("olk", U=10.0, T=10_000)
    Constant(eta=0.2, lam=0.0)
    >>> from_theorem("olru", U=10.0, c=1.6)
    Power(eta=20.0, b=0.625, lam=0.0)
    """
    numbers: dict[str, Any] = {"U": U, "G": G, "L": L, "T": T, "c": c, "gamma": gamma, "lam": lam, "share": share}
    for name, value in numbers.items():
        if value is not None and not value > 0.0:
            raise ValueError(f"from_theorem: {name} must be a number above 0, not {value!r}.")
    if share >= 1.0:
        raise ValueError(f"from_theorem: share must be below 1, not {share!r}.")
    if recipe in ("bsgd", "pegasos", "nbsgd"):
        if lam is None:
            raise ValueError(f"from_theorem: the step of {recipe} is 1/(lam t); give lam.")
        return InverseTime(lam)
    if recipe == "oskl":
        return Constant(share / (L * G))
    etas = {
        "olk": (updating(U, G, total=T), 0.5),
        "olru": (updating(U, G, c, gamma, T), 0.5 * (1.0 + gamma)),
        "olrd": (discarding(U, G, c, T), 0.5),
    }
    if recipe not in etas:
        raise ValueError(
            f"no theorem gives the step of {recipe!r}. Available: bsgd, nbsgd, olk, olrd, olru, oskl, pegasos."
        )
    eta, b = etas[recipe]
    return Power(eta, b) if T is None else Constant(eta)
