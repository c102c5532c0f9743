"""The refit over rows in memory, or others that can be read again: each pass gives the full gradient."""

import numpy as np

from ..core.state import Expansion
from .judge import Judge, accepts, margin
from .minimise import minimise
from .moves import move
from .objective import Objective
from .rivals import better_loss
from .solver import Solver
from .sources import Rows, RowSource
from .statistics import GROWTH, Statistics, best_scale


def fit_passes(
    fit: Statistics, ex: Expansion, source: RowSource, held: Rows, max_passes: int, move_passes: int
) -> None:
    """Minimise λ/2 ‖f‖² + mean loss over the coefficients of the present support vectors, then their positions.

    The rows `held` have not been learned: they decide whether the refit predicts or the last iterate.
    """
    n, own = int(ex.n[0]), fit.own
    if n == 0 or not source.mass > 0.0:
        return
    last = (ex.coef[:, :n] * ex.scale[0]).T
    fit.replace(ex.sv[:, :n].T, ex.sq[:n], last, np.zeros((n, n)), np.zeros_like(last))
    objective = Objective(fit, source)
    K, T, w = objective.sample()
    start = best_scale(fit.smooth, K @ last.astype(K.dtype), T, w) * last
    first = objective.begin(start)  # what follows needs no pass
    judge = Judge(objective, *held)
    before = judge.wrong(last)
    curvature = objective.curvature(K, w)
    bent = curvature + fit.lam * objective.mass * objective.gram
    solver = Solver(bent, float(np.finfo(K.dtype).eps))
    loss, enough = (
        (judge.loss, fit.smooth.enough) if len(judge) else (None, 1e-4)
    )  # without held-out rows there are few rows
    a = minimise(objective, start, solver, max_passes, loss, enough, first)
    objective, judge, a = better_loss(objective, judge, held, a, start, solver, max_passes)
    scaled = judge.loss(start)
    if move_passes and fit.kernel.mergeable:
        a = move(objective, a, judge, move_passes)
        K, T, w = objective.sample()
        curvature = objective.curvature(K, w)
        bent = curvature + fit.lam * objective.mass * fit.gram
    # statistics to which later examples of the stream are added
    own.coef[:, :n], own.H[:n, :n], own.b[:n] = a.T, curvature, bent @ a
    own.mass[0], own.solve[0], own.solved[0] = objective.mass, GROWTH * objective.mass, 1
    after = judge.wrong(a)
    less_loss = judge.loss(a) < scaled
    # later examples are added to these, and decide by them
    own.tally[:] = after.sum(), before.sum() + margin(after, before, less_loss)
    own.serves[0] = accepts(after, before, less_loss)
