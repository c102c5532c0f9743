"""OLRD's step, which depends on the budget."""

import math
from typing import TYPE_CHECKING

from ..budgets import Fixed, Growing
from ..core.state import State
from ..core.strategy import Facts, NonNegative, Positive, strategy
from .base import Step
from .power import Constant, Power
from .theorems import discarding, steepness

if TYPE_CHECKING:
    from ..recipe import Recipe


@strategy
class Discarding(Step):
    """The step of OLRD for iterates of norm at most U and a budget of B support vectors (He & Kwok 2014, Theorem 3).

    It is the constant U√(4/T + 1/(B − 1)²)/√G if the length T of the stream is known, and U√(2/t + 1/(B_t − 1)²)/√G
    at update t if it is not or if the budget grows as 1 + c√t. G is a bound on ‖g‖² κ(x, x), known for most losses; 0
    takes it from the recipe, as it does the room B − 1 for other support vectors.

    Parameters
    ----------
    U : float, default 10.0
        The largest norm of f.
    G : float, default 0.0
        A bound on ‖g‖² κ(x, x); 0 takes it from the recipe.
    others : float, default 0.0
        B − 1, the room for other support vectors; 0 takes it from the recipe.
    """

    U: Positive = 10.0
    G: NonNegative = 0.0
    others: NonNegative = 0.0

    @property
    def settled(self) -> bool:
        return self.G > 0.0 and self.others > 0.0

    def rate(self, t: int, loss: float, curve: float) -> float:
        return self.U * math.sqrt((2.0 / t + 1.0 / self.others**2) / self.G)

    def decay(self, t: int, st: State) -> float:
        return 1.0

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> Step:
        G = self.G or steepness(recipe.loss, recipe.kernel, self.U, facts)
        budget = recipe.budget
        if isinstance(budget, Growing):
            return Power(discarding(self.U, G, budget.c), 0.5)
        if not isinstance(budget, Fixed):
            raise ValueError(f"Discarding: the step depends on the budget, which is {budget!r}. Use Constant(eta).")
        others = self.others or max(budget.size - 1.0, 1.0)
        if facts.total:
            return Constant(discarding(self.U, G, others / math.sqrt(facts.total), facts.total))
        return self.replace(G=G, others=others)
