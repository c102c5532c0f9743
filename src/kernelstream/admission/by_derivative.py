"""OSKL's sampling: examples that are classified well are seldom admitted."""

import math
from typing import TYPE_CHECKING

from ..core.expansion import squared
from ..core.random import uniform
from ..core.state import State
from ..core.strategy import Facts, NonNegative, strategy
from ..core.types import Own, Parts
from ..core.verdicts import ADD, SKIP
from .base import Admission

if TYPE_CHECKING:
    from ..recipe import Recipe


@strategy
class ByDerivative(Admission):
    """Admit with probability ‖g‖/G, and divide the step by it: every admitted step has length ηG.

    A larger G gives fewer support vectors and a coarser function. It must be at least G₁ = sup ‖g‖, or the step would
    be biased; 0 is G₁.

    Parameters
    ----------
    G : float, default 0.0
        The largest norm of a gradient; 0 takes it from the loss.
    """

    G: NonNegative = 0.0

    @property
    def settled(self) -> bool:
        return self.G > 0.0

    def admit(self, own: Own, r: Parts, st: State, loss: float, kxx: float) -> tuple[int, float]:
        size = math.sqrt(squared(st.work.g))
        if uniform(st.run.rng) < min(1.0, size / self.G):
            return ADD, self.G / size
        return SKIP, 0.0

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> "ByDerivative":
        radius = recipe.bound.parameters().get("radius", math.inf) if recipe.kernel.normalised else math.inf
        least = recipe.loss.steepest(facts.outputs, radius, float(abs(facts.y).max(initial=0.0)))
        if self.G == 0.0 and not least:
            raise ValueError(
                f"ByDerivative: the largest derivative of {recipe.loss!r} is not known for functions of norm up to "
                f"{radius:g}. Give G, or use a smaller Ball."
            )
        if least and 0.0 < self.G < least * (1.0 - 1e-9):
            raise ValueError(
                f"ByDerivative: G = {self.G:g} is less than {least:.6g}, the largest derivative of {recipe.loss!r}, so "
                f"that the steps would be biased. Use G = {math.ceil(least * 1e4) / 1e4:g} or more, or 0 for the least."
            )
        return ByDerivative(self.G or least or 0.0)
