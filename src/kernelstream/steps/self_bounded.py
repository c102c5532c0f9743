"""OSKL's step, which depends on its sampling."""

from typing import TYPE_CHECKING, Annotated

from ..core.state import State
from ..core.strategy import Facts, Interval, NonNegative, strategy
from .base import Step
from .power import Constant
from .theorems import from_theorem

if TYPE_CHECKING:
    from ..recipe import Recipe

BelowOne = Annotated[float, Interval("a number above 0 and below 1", lambda v: 0 < v < 1)]


@strategy
class SelfBounded(Step):
    """The constant step γ/(LG) of OSKL: L with |ℓ'| ≤ L ℓ is the loss's, G the admission's (Zhang et al. 2013).

    `L=0` takes it from the loss; a loss that has none counts as 1.

    Parameters
    ----------
    gamma : float, default 0.9
        γ, the safety factor, below 1.
    L : float, default 0.0
        L with |ℓ'| ≤ L ℓ; 0 takes it from the loss.
    """

    gamma: BelowOne = 0.9
    L: NonNegative = 0.0
    settled = False

    def rate(self, t: int, loss: float, curve: float) -> float:
        raise NotImplementedError("replaced by a constant step before learning starts")

    def decay(self, t: int, st: State) -> float:
        return 1.0

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> Constant:
        L = self.L or recipe.loss.self_bound or 1.0
        return from_theorem("oskl", L=L, G=recipe.admission.parameters().get("G", 1.0), share=self.gamma)  # type: ignore[return-value]
