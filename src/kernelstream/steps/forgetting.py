"""Steps for a stream that drifts: what was learned fades, and steps do not become shorter with age."""

from typing import TYPE_CHECKING, Any

from ..core.state import State
from ..core.strategy import Count, Facts, Positive, strategy
from .base import Step

if TYPE_CHECKING:
    from ..recipe import Recipe

EVER = 1e15  # updates: no stream is longer, and compiled code counts it as an integer
MEAN_AGE = 1.4426950408889634  # 1 / ln 2: the mean age of examples whose weights halve, in half-lives


@strategy
class Forgetting(Step):
    """The steps of `inner`, with a half-life h: the weight of an example in f halves at least every h examples.

    The decay is at most 2^(−1/h), and η_t is that of update h/ln 2 from then on: the mean age of examples with such
    weights. With the steps 1/(λt) of Pegasos both are the same thing. `Recipe.forgetting` adds it to a recipe.

    Parameters
    ----------
    inner : Step
        The steps without forgetting.
    half_life : float
        h, in examples.
    batch : int, default 1
        Examples per update.

    Examples
    --------
    >>> from kernelstream.steps import InverseTime
    >>> step = Forgetting(InverseTime(0.01), half_life=1000.0)
    >>> [round(step.rate(t, 1.0, 1.0), 4) for t in (1, 1000, 10_000, 1_000_000)]
    [100.0, 0.1, 0.0693, 0.0693]
    """

    inner: Any
    half_life: Positive
    batch: Count = 1

    def check(self) -> None:
        if not isinstance(self.inner, Step) or isinstance(self.inner, Forgetting):
            raise ValueError(f"Forgetting: inner must be a Step such as Constant(0.5), not {self.inner!r}.")

    def for_recipe(self, recipe: "Recipe", facts: Facts) -> "Forgetting":
        return self.replace(inner=self.inner.for_recipe(recipe, facts), batch=recipe.batch)

    def rate(self, t: int, loss: float, curve: float) -> float:
        return self.inner.rate(min(t, 1 + int(min(self.half_life / self.batch * MEAN_AGE, EVER))), loss, curve)

    def decay(self, t: int, st: State) -> float:
        fading = 0.5 ** (self.batch / self.half_life)
        return min(self.inner.decay(min(t, 1 + int(min(self.half_life / self.batch * MEAN_AGE, EVER))), st), fading)

    @property
    def regularisation(self) -> float:
        return float(self.inner.regularisation)
