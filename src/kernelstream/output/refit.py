"""The refit as an output: it collects examples in the loop and passes them to the solver in `kernelstream.refit`."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.rows import copy_row
from ..core.state import Expansion, State, one
from ..core.strategy import Count, Dims, Facts, NonNegative, Whole, strategy
from ..core.types import Array, Parts, Row
from ..refit.passes import fit_passes
from ..refit.sources import Rows, RowSource
from ..refit.statistics import Statistics
from ..refit.streaming import take_in
from .base import Output, last_weights

if TYPE_CHECKING:
    from ..recipe import Composition, Recipe

WITHOUT_LAMBDA = 1e-5  # λ for recipes that have none
GATHERED = 256  # rows that are collected before they are passed to the solver


class Waiting(NamedTuple):
    """Collected examples, with the scores that the recipe's function gave them before it learned them."""

    x: np.ndarray  # (rows, d)
    y: np.ndarray  # (rows, c); one column is used where the target is a class
    weight: np.ndarray
    f: np.ndarray  # (rows, c)
    filled: np.ndarray  # their number


class RefitState(NamedTuple):
    waiting: Waiting
    sv: np.ndarray  # (d, capacity): a copy of the support vectors,
    sq: np.ndarray  # their squared norms,
    coef: np.ndarray  # (c, capacity) and fitted coefficients
    n: np.ndarray
    H: np.ndarray  # Σ h k kᵀ, the curvature of the examples so far,
    b: np.ndarray  # (capacity, c) Σ h t k,
    mass: np.ndarray  # and their total weight
    solve: np.ndarray  # the mass at which to solve next
    solved: np.ndarray  # whether it has been solved yet
    renew: np.ndarray  # the update at which to copy the support vectors next
    tally: np.ndarray  # errors of the refit and of the last iterate, on examples not yet learned
    serves: np.ndarray  # whether the refit predicts


def new_state(dims: Dims) -> RefitState:
    cap, d, c, dtype = dims.capacity, dims.features, dims.outputs, dims.dtype
    rows = GATHERED
    waiting = Waiting(
        np.zeros((rows, d), dtype), np.zeros((rows, c)), np.zeros(rows), np.zeros((rows, c)), one(0, np.int64)
    )
    return RefitState(
        waiting, np.zeros((d, cap), dtype), np.zeros(cap), np.zeros((c, cap)), one(0, np.int64),
        np.zeros((cap, cap)), np.zeros((cap, c)), one(), one(), one(0, np.int64), one(), np.zeros(2),
        one(0, np.int64),
    )  # fmt: skip


@strategy
class Refit(Output):
    """Refit of the support vectors' coefficients by second-order steps. Original to this library.

    In a stream, the recipe's support vectors are copied from time to time, and their coefficients are fitted from
    second-order statistics in O(B²) memory. The refit predicts once it makes no more mistakes than the recipe's own
    function, both judged on examples before they are learned. `KernelClassifier.fit` (and `Model.refit`) make passes
    over the rows in memory instead. The hinge loss is replaced by the squared hinge. See docs/design/refit.md.

    Parameters
    ----------
    lam : float
        Regularisation λ; 0 takes the recipe's.
    half_life : float
        Number of examples after which the weight of an old one is halved, for streams that drift; 0 for no decay.
    max_passes : int
        The maximum number of passes of `Model.refit` over the rows; it stops earlier when they gain little.
    move_passes : int
        Further passes in which the support vectors move too, by gradient steps (Gaussian kernel only).
    start_after : int
        Number of updates before the refit starts. A known length of the stream is used if it is larger: `Model.refit`
        follows.
    """

    lam: NonNegative = 0.0
    half_life: NonNegative = 0.0
    max_passes: Count = 20
    move_passes: Whole = 0
    start_after: Whole = 0
    refits = True
    holds_back = True

    def init(self, dims: Dims) -> RefitState:
        return new_state(dims)

    def forgetting(self, half_life: float) -> "Refit":
        return self.replace(half_life=half_life)

    def resolve(self, facts: Facts) -> "Refit":
        return self if facts.total is None else self.replace(start_after=max(self.start_after, facts.total))

    def check_recipe(self, recipe: "Recipe") -> None:
        if recipe.kernel.fixed:
            raise ValueError(f"Recipe: Refit fits support vectors, and {recipe.kernel!r} has a fixed basis instead.")
        if recipe.loss.smooth() is None:
            raise ValueError(
                f"Recipe: Refit cannot fit {recipe.loss!r}, which has no second derivative. Use Squared() or Huber()."
            )

    def observed(self, own: RefitState, r: Parts, st: State, x: Row, y: Array, weight: float) -> None:
        waiting, f = own.waiting, st.work.f
        k = waiting.filled[0]
        copy_row(x, waiting.x[k])
        for c in range(y.shape[0]):
            waiting.y[k, c] = y[c]
        for c in range(f.shape[0]):
            waiting.f[k, c] = f[c]
        waiting.weight[k] = weight
        waiting.filled[0] = k + 1

    def due(self, own: RefitState) -> bool:
        return own.waiting.filled[0] == own.waiting.weight.shape[0]

    def weights(self, own: RefitState, ex: Expansion, out: Array) -> int:
        return 0 if own.serves[0] > 0 else last_weights(ex, out)

    def retired(self, own: RefitState, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        return own.sv, own.sq, own.coef, own.n[0] if own.serves[0] > 0 else 0, 1.0

    def between(self, recipe: "Composition", state: State) -> None:
        own: RefitState = state.output
        t = int(state.run.t[0])
        if t >= self.start_after and state.expansion.n[0] > 0:
            take_in(self._statistics(recipe, own), state.expansion, t, self.half_life, recipe.loss.target)
        own.waiting.filled[0] = 0

    def refit(self, recipe: "Composition", state: State, source: RowSource, held: Rows) -> None:
        own: RefitState = state.output
        fit_passes(self._statistics(recipe, own), state.expansion, source, held, self.max_passes, self.move_passes)
        own.waiting.filled[0] = 0
        own.renew[0] = 2 * int(state.run.t[0])

    def restart(self, own: RefitState, ex: Expansion) -> None:
        for array in (own.n, own.mass, own.solve, own.solved, own.renew, own.tally, own.serves, own.waiting.filled):
            array[...] = 0

    def mixed(self, own: RefitState, ex: Expansion) -> None:
        # the fit belongs to the former outputs: the recipe's function predicts until a new fit is no worse
        self.restart(own, ex)

    def _statistics(self, recipe: "Composition", own: RefitState) -> Statistics:
        lam = self.lam or recipe.step.regularisation or WITHOUT_LAMBDA
        smooth = recipe.loss.smooth()
        assert smooth is not None  # ensured by `check_recipe`
        return Statistics(own, recipe.kernel, smooth, lam)
