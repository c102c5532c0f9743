"""The record of a run, with the theoretical bounds that apply to it."""

import math
from dataclasses import dataclass

import numpy as np

from ..bounds import Ball
from ..core.state import State
from ..losses import CrammerSinger, Hinge
from ..recipe import Composition
from ..steps import InverseTime


@dataclass(frozen=True)
class Record:
    """Statistics of a run."""

    examples: int
    updates: int
    examples_with_loss: int
    loss: float  #: sum of the losses suffered, each before the example was learned
    maintenance: int  #: acts of budget maintenance
    distance: float  #: Σ ‖Δ_t‖, how far they moved the function; NaN where the recipe does not track it
    gradient_error: float  #: Ē, the mean of ‖Δ_t‖/η_t over the updates
    sizes: np.ndarray  #: (2, k): update and number of support vectors, at up to 512 moments
    budget_bound: float | None  #: 2Ē/√λ, the price of the budget in BPegasos Theorem 1; None where that does not apply
    gap_bound: float | None  #: the whole right-hand side: a bound on mean objective − optimum


def read_record(recipe: Composition, state: State) -> Record:
    run = state.run
    updates = int(run.t[0])
    error = float(run.error_sum[0]) / max(updates, 1)
    budget_bound, gap_bound = _theorem_1(recipe, updates, error)
    return Record(
        examples=int(run.seen[0]),
        updates=updates,
        examples_with_loss=int(run.lossy[0]),
        loss=float(run.loss[0]),
        maintenance=int(run.maintained[0]),
        distance=float(run.delta_sum[0]),
        gradient_error=error,
        sizes=run.history[:, : int(run.kept[0])].copy(),
        budget_bound=budget_bound,
        gap_bound=gap_bound,
    )


def _theorem_1(recipe: Composition, updates: int, error: float) -> tuple[float | None, float | None]:
    """BPegasos Theorem 1 (Wang, Crammer & Vucetic, ICML 2010): hinge loss, steps 1/(λt), the ball 1/√λ, κ ≤ 1."""
    step = recipe.step
    if updates == 0 or not isinstance(step, InverseTime) or not isinstance(recipe.bound, Ball):
        return None, None
    if not isinstance(recipe.loss, (Hinge, CrammerSinger)) or not recipe.kernel.normalised:
        return None, None
    lam, t0 = step.lam, step.t0
    G2 = (math.sqrt(lam) + 2.0 + math.sqrt(2.0)) ** 2
    price = 2.0 * error / math.sqrt(lam)
    if t0 == 0.0:
        return price, G2 * (1.0 + math.log(updates)) / (2.0 * lam * updates) + price
    # with an offset, the distance from the start costs t₀/(2N) and the sum of steps is shorter
    return price, t0 / (2.0 * updates) + G2 / (2.0 * lam * updates) * math.log1p(updates / t0) + price
