"""The record of a run, with the theorems that apply to it."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..core.state import State
from ..recipe import Composition
from .certificates import Certificate, Evidence, Refusal, certify, regret
from .record_summary import summary


@dataclass(frozen=True)
class Record:
    """Statistics of a run. `print` gives a summary in words."""

    examples: int
    updates: int
    examples_with_loss: int
    loss: float  #: sum of the losses suffered, each before the example was learned
    maintenance: int  #: acts of budget maintenance
    distance: float  #: Σ ‖Δ_t‖, how far they moved the function; NaN where the recipe does not track it
    gradient_error: float  #: Ē, the mean of ‖Δ_t‖/η_t over the updates
    #: (2, k): update and number of support vectors, at up to 512 moments
    sizes: np.ndarray = field(repr=False)
    evidence: Evidence = field(repr=False)  #: what theorems are checked against

    @cached_property
    def certificate(self) -> Certificate:
        """The published theorems that hold for this run, with their bounds beside the measured values, and those that
        do not, with the reasons."""
        return certify(self.evidence)

    def __str__(self) -> str:
        return summary(self)

    def regret_bound(self, norm: float) -> float | None:
        """A bound on Σ ℓ(f_t) − Σ ℓ(u) for every function u of this norm; None where no theorem gives one.

        It holds for `olk`, and in expectation for `olru` and `olrd`, with a ball (He & Kwok 2014).
        """
        results = regret.check(self.evidence)
        if not results or isinstance(results[0], Refusal):
            return None
        U = self.evidence.recipe.bound.parameters()["radius"]
        if not 0.0 <= norm <= U:
            raise ValueError(f"regret_bound: norm = {norm!r} must be from 0 to {U:g}, the radius of the ball.")
        return regret.bound(self.evidence, norm)


def read_record(recipe: Composition, state: State) -> Record:
    run = state.run
    updates = int(run.t[0])
    error = float(run.error_sum[0]) / max(updates, 1)
    return Record(
        examples=int(run.seen[0]),
        updates=updates,
        examples_with_loss=int(run.lossy[0]),
        loss=float(run.loss[0]),
        maintenance=int(run.maintained[0]),
        distance=float(run.delta_sum[0]),
        gradient_error=error,
        sizes=run.history[:, : int(run.kept[0])].copy(),
        evidence=Evidence(
            recipe=recipe,
            outputs=state.expansion.coef.shape[0],
            support_vectors=int(state.expansion.n[0]),
            examples=int(run.seen[0]),
            updates=updates,
            loss=float(run.loss[0]),
            large=int(run.large[0]),
            weighted=int(run.weighted[0]),
            passes=int(run.passes[0]),
            pending=int(state.batch.seen[0]),
            lossy=int(run.lossy[0]),
            travel=float(run.travel[0]),
            error=error,
            error_most=float(run.error_most[0]),
            squares=float(run.square_sum[0]),
            eta=float(run.eta[0]),
            intact=bool(run.intact[0] == 1.0),
        ),
    )
