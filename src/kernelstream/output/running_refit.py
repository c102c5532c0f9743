"""The refit in small pieces: second-order statistics of a stream, at nearly the same cost for every row."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.job_phases import COPY, FACTORISE, IDLE
from ..core.rows import sqnorm
from ..core.state import Expansion, State, one
from ..core.strategy import Dims, NonNegative, Positive, strategy
from ..core.types import Array, Parts, Row
from ..refit import jobs
from .base import Output, last_weights
from .normal_equations import Fit, begin, gather, judge, new_fit, thinning, unsolved

if TYPE_CHECKING:
    from ..recipe import Composition, Recipe

FIRST = 64  # updates before the support vectors are copied for the first time
LATER = 3.0  # the dictionary is renewed when the number of updates has grown by this factor
RECENT = 1.0 - 1.0 / 1024.0  # decay of the errors by which functions are compared
PROOF = 64  # rows before a new dictionary may replace the old one
LONGEST = 1e6  # half-life of what is never forgotten: statistics in float64 would become deaf
RECIPE, EVEN, ODD = 0, 1, 2  # the functions that are compared: the recipe's own, and two fits


class Job(NamedTuple):
    """Work that is done in pieces, between examples: see `refit.jobs`."""

    phase: np.ndarray
    position: np.ndarray
    factor: np.ndarray  # room for a matrix,
    product: np.ndarray  # and another; without axes, so that they survive if the capacity grows
    right: np.ndarray  # (c, capacity) b
    mass: np.ndarray  # and the mass of the equations that are being solved
    due: np.ndarray  # whether a piece is to be done before the next example


class RunningState(NamedTuple):
    even: Fit
    odd: Fit
    job: Job
    current: np.ndarray  # the fit that has proved itself: EVEN or ODD, RECIPE for none
    training: np.ndarray  # the fit of a newer dictionary, RECIPE for none
    since: np.ndarray  # rows that it has been judged by
    skipped: np.ndarray  # rows since the last that was taken in
    serves: np.ndarray  # whether the current fit predicts
    renew: np.ndarray  # the update at which to copy the support vectors next
    tally: np.ndarray  # recent errors of the three functions, on examples not yet learned


@strategy
class RunningRefit(Output):
    """Second-order fit of the support vectors' coefficients, without pauses. Original to this library.

    It is to `Refit` what a stream is to a data set: the same normal equations, (H + λNK) a = b, are gathered while
    examples arrive, and solved when two fifths of the examples are new. The support vectors are copied when the number
    of updates has grown fourfold, or every two half-lives; the statistics are carried over to the new ones, and the old
    fit goes on predicting until the new one makes no more mistakes. All linear algebra is done in pieces of less than
    a millisecond, one between two examples.

    Parameters
    ----------
    half_life : float
        Number of examples after which the weight of an old one is halved; 0 for a million.
    lam : float
        Regularisation λ.
    """

    half_life: NonNegative = 0.0
    lam: Positive = 3e-5

    def init(self, dims: Dims) -> RunningState:
        integer, square = np.int64, dims.capacity**2
        job = Job(
            one(0, integer), one(0, integer), np.zeros(square), np.zeros(square),
            np.zeros((dims.outputs, dims.capacity)), one(), one(0, integer),
        )  # fmt: skip
        return RunningState(
            new_fit(dims), new_fit(dims), job, one(0, integer), one(0, integer), one(0, integer), one(0, integer),
            one(0, integer), one(FIRST, integer), np.zeros(3),
        )  # fmt: skip

    def forgetting(self, half_life: float) -> "RunningRefit":
        return self.replace(half_life=half_life)

    def check_recipe(self, recipe: "Recipe") -> None:
        if recipe.kernel.fixed:
            raise ValueError(f"Recipe: RunningRefit fits support vectors; {recipe.kernel!r} has a fixed basis instead.")
        if not recipe.loss.touches:
            raise ValueError(
                f"Recipe: RunningRefit cannot fit {recipe.loss!r}. Use a hinge loss, Squared() or Huber()."
            )

    def observed(self, own: RunningState, r: Parts, st: State, x: Row, y: Array, weight: float) -> None:
        ex, t, tally, job = st.expansion, st.run.t[0], own.tally, own.job
        if weight <= 0.0 or ex.n[0] == 0:
            return
        half_life = max(self.half_life, 1.0) if 0.0 < self.half_life < LONGEST else LONGEST
        latest = own.training[0] if own.training[0] != RECIPE else own.current[0]
        newest = own.odd if latest == ODD else own.even
        stride = thinning(newest) if latest != RECIPE and job.phase[0] == IDLE else 1
        own.skipped[0] += 1
        if own.skipped[0] < stride:
            return
        own.skipped[0] = 0
        weight *= stride
        if job.phase[0] == IDLE:
            if t >= own.renew[0]:
                own.current[0] = latest  # proved or not, it has the statistics
                own.training[0] = ODD if latest == EVEN else EVEN
                newest = own.odd if own.training[0] == ODD else own.even
                begin(newest, ex)
                known = own.current[0] != RECIPE
                job.phase[0], job.position[0] = FACTORISE if known else IDLE, 0
                own.renew[0] = t + int(min(LATER * t, 2.0 * half_life))
                own.since[0] = 0
                for i in range(3):
                    tally[i] = 0.0
            elif latest != RECIPE and unsolved(newest):
                job.phase[0], job.position[0] = COPY, 0
        carried = IDLE < job.phase[0] < COPY
        tally[RECIPE] = RECENT * tally[RECIPE] + weight * r.loss.mistaken(st.work.f, y)
        xx, growth = sqnorm(x), 0.5 ** (-stride / half_life)
        current = own.odd if own.current[0] == ODD else own.even
        if own.current[0] != RECIPE:
            tally[own.current[0]] = RECENT * tally[own.current[0]] + weight * judge(current, r, st, x, xx, y)
        if own.training[0] != RECIPE:
            tally[own.training[0]] = RECENT * tally[own.training[0]] + weight * judge(newest, r, st, x, xx, y)
            if newest.solved[0] == 0:
                # its coefficients are not its own yet
                for c in range(newest.f.shape[0]):
                    newest.f[c] = current.f[c] if own.current[0] != RECIPE and current.solved[0] == 1 else 0.0
            gather(newest, r, y, weight, growth)
        if own.current[0] != RECIPE and not carried:  # what is being carried over must not change meanwhile
            gather(current, r, y, weight, growth)
        if own.training[0] != RECIPE:
            if newest.solved[0] == 0:
                tally[own.training[0]] = tally[own.current[0]]
            else:
                own.since[0] += 1
                if own.since[0] >= PROOF and tally[own.training[0]] <= tally[own.current[0]]:
                    own.current[0], own.training[0] = own.training[0], RECIPE
        current = own.odd if own.current[0] == ODD else own.even
        own.serves[0] = own.current[0] != RECIPE and current.solved[0] == 1 and tally[own.current[0]] <= tally[RECIPE]
        job.due[0] = job.phase[0] != IDLE

    def due(self, own: RunningState) -> bool:
        return own.job.due[0] != 0

    def between(self, recipe: "Composition", state: State) -> None:
        own: RunningState = state.output
        latest = int(own.training[0] or own.current[0])
        old, new = (own.even, own.odd) if latest == ODD else (own.odd, own.even)
        jobs.advance(own.job, old, new, recipe.kernel, self.lam)
        own.job.due[0] = 0

    def weights(self, own: RunningState, ex: Expansion, out: Array) -> int:
        return 0 if own.serves[0] > 0 else last_weights(ex, out)

    def retired(self, own: RunningState, ex: Expansion) -> tuple[Array, Array, Array, int, float]:
        fit = own.odd if own.current[0] == ODD else own.even
        return fit.sv, fit.sq, fit.coef, fit.n[0] if own.serves[0] > 0 else 0, 1.0

    def restart(self, own: RunningState, ex: Expansion) -> None:
        for array in (own.current, own.training, own.since, own.skipped, own.serves, own.tally, own.even.n, own.odd.n):
            array[...] = 0
        for array in (own.job.phase, own.job.position, own.job.due):
            array[...] = 0
        own.renew[0] = FIRST

    def mixed(self, own: RunningState, ex: Expansion) -> None:
        # coefficients have been mixed like all others; targets of the former outputs say little about the new ones
        self.rescaled(own)

    def rescaled(self, own: RunningState) -> None:
        """Kernel values in the statistics are those of other units: they are gathered again; the fit predicts on."""
        kept = int(own.current[0] or own.training[0])  # the one that has proved itself, if there is one
        if kept == RECIPE:
            return
        own.current[0], own.training[0] = kept, RECIPE
        own.job.phase[0] = own.job.position[0] = own.job.due[0] = 0
        fit = own.odd if kept == ODD else own.even
        for array in (fit.H, fit.b, fit.mass, fit.since, fit.gathered):
            array[...] = 0
