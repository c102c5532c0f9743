"""OLRU's step, and OLK's, from the radius of the ball."""

from typing import TYPE_CHECKING

from ..core.state import State
from ..core.strategy import Facts, NonNegative, Positive, strategy
from .base import Step
from .power import Constant, Power
from .theorems import steepness, updating

if TYPE_CHECKING:
    from ..recipe import Recipe


@strategy
class Updating(Step):
    """The step of OLRU for iterates of norm at most U and admission with probability c τ^−γ (He & Kwok, 2014).

    By Theorem 2 it is the constant 2U√(c/G) T^−b, b = (1 + γ)/2, on a stream of `total` = T examples, and 2U√(cb/G)
    t^−b if `total` is 0; None takes the length of the stream, which must then be known. c = 1 and γ = 0 give the step
    of OLK (Theorem 1). G is a bound on ‖g‖² κ(x, x), known for most losses; 0 takes it from the recipe.

    Parameters
    ----------
    U : float, default 10.0
        The largest norm of f.
    c : float, default 1.0
        c of the probability of admission.
    gamma : float, default 0.0
        γ of the probability of admission.
    total : float or None, default 0.0
        The length of the stream in examples; 0 if it is not known, None if it is taken from the data.
    G : float, default 0.0
        A bound on ‖g‖² κ(x, x); 0 takes it from the recipe.
    """

    U: Positive = 10.0
    c: Positive = 1.0
    gamma: NonNegative = 0.0
    total: NonNegative | None = 0.0
    G: NonNegative = 0.0
    settled = False

    def rate(self, t: int, loss: float, curve: float) -> float:
        raise NotImplementedError("replaced by a constant or falling step before learning starts")

    def decay(self, t: int, st: State) -> float:
        return 1.0

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> Step:
        total = facts.total if self.total is None else self.total
        if total is None:
            raise ValueError(
                "Updating: the constant step depends on the length of the stream, which is not known. Give the step, "
                "eta=…, or let it fall."
            )
        G = self.G or steepness(recipe.loss, recipe.kernel, self.U, facts)
        eta = updating(self.U, G, self.c, self.gamma, total)
        return Constant(eta) if total else Power(eta, 0.5 * (1.0 + self.gamma))
