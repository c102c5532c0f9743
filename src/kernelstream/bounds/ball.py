"""No bound, or the ball ‖f‖ ≤ R."""

import math
from typing import TYPE_CHECKING

import numpy as np

from ..core.changes import rescale
from ..core.state import State
from ..core.strategy import Facts, NonNegative, strategy
from ..core.types import Own, Parts
from ..steps import InverseTime
from .base import Bound

if TYPE_CHECKING:
    from ..recipe import Recipe


@strategy
class Unbounded(Bound):
    """No bound."""


def largest(y: np.ndarray) -> float:
    """The largest target, in absolute value."""
    return float(np.abs(y).max(initial=0.0))


@strategy
class Ball(Bound):
    """The ball ‖f‖ ≤ R: f ← f min(1, R/‖f‖).

    `radius=0` is the smallest ball known to contain the optimum: λR² = sup_z(−g·z). That is R = 1/√λ for the hinge loss
    (Pegasos), and depends on the largest target in regression.

    Parameters
    ----------
    radius : float, default 0.0
        R, in units of ‖f‖; 0 takes it from λ and the loss.
    """

    radius: NonNegative = 0.0
    needs_norm = True

    @property
    def settled(self) -> bool:
        return self.radius > 0.0

    def enforce(self, own: Own, r: Parts, st: State) -> None:
        square = r.norm.square(st.norm)
        if square > self.radius * self.radius:
            rescale(r, st, self.radius / math.sqrt(square))

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> Bound:
        y_max, lam = largest(facts.y), recipe.step.regularisation
        if self.radius == 0.0:
            return Ball(math.sqrt(self.reach(recipe, facts.outputs, y_max) / lam))
        reach = recipe.loss.reach(facts.outputs, y_max)
        if isinstance(recipe.step, InverseTime) and reach is not None and lam * self.radius**2 < reach * (1.0 - 1e-6):
            raise ValueError(
                f"Ball: with {recipe.loss!r} and lam = {lam:g} the optimum can have a norm of "
                f"{math.sqrt(reach / lam):g}, so a radius of {self.radius:g} may exclude it. Use Ball(), which "
                "computes a radius that does not."
            )
        return self

    @staticmethod
    def reach(recipe: "Recipe", outputs: int, y_max: float) -> float:
        reach = recipe.loss.reach(outputs, y_max)
        if recipe.step.regularisation == 0.0:
            raise ValueError(f"Ball: {recipe.step!r} has no lam, from which to compute a radius. Use Ball(radius=…).")
        if reach is None:
            raise ValueError(f"Ball: no radius is known for {recipe.loss!r}. Use Ball(radius=…) or Unbounded().")
        return max(reach, 1e-12)


@strategy
class TargetBall(Bound):
    """The ball of radius y_max/√λ (NBSGD with the squared loss).

    0 takes y_max from the rows with which learning starts: all rows of `fit`, those of the first `partial_fit`, or the
    first rows of a stream.

    Parameters
    ----------
    y_max : float, default 0.0
        The largest target in absolute value; 0 takes it from the first rows.
    """

    y_max: NonNegative = 0.0
    needs_norm = True
    settled = False

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> Bound:
        if recipe.step.regularisation == 0.0:
            raise ValueError(
                f"TargetBall: {recipe.step!r} has no lam, from which to compute a radius. Use Ball(radius=…)."
            )
        y_max = self.y_max or largest(facts.y)
        return Ball(max(y_max, 1e-12) / math.sqrt(recipe.step.regularisation))
