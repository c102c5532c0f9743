"""The refit over data that is all there: a few passes, each of which gives the whole gradient."""

from typing import Any, NamedTuple

import numpy as np

from ..state import Expansion
from .data import Data, Places
from .jury import Jury, no_worse
from .minimise import minimise
from .moves import move
from .solve import Solver
from .statistics import GROWTH, Statistics, best_scale

ENOUGH = 0.02  # a pass that gains less on the rows held back is the last


class Rows(NamedTuple):
    """Rows with targets and weights."""

    X: Any
    Y: np.ndarray
    weight: np.ndarray


def fit_passes(fit: Statistics, ex: Expansion, places: Places, held: Rows, passes: int, moves: int) -> None:
    """Minimise λ/2 ‖f‖² + the mean loss over the coefficients of the present support vectors, then over their places.

    Nobody has learned from the rows `held`: they choose between what is found and the last iterate.
    """
    n, own = int(ex.n[0]), fit.own
    if n == 0 or not places.mass > 0.0:
        return
    last = (ex.coef[:, :n] * ex.scale[0]).T
    fit.replace(ex.sv[:, :n].T, ex.sq[:n], last, np.zeros((n, n)), np.zeros_like(last))
    data = Data(fit, places)
    jury = Jury(data, *held)
    before = jury.wrong(last)
    K, T, w = data.sample()
    curvature, ridge = data.curvature(K, w), fit.lam * data.mass * fit.gram
    start = best_scale(fit.smooth, K @ last, T, w) * last
    solver = Solver(curvature + ridge, float(np.finfo(K.dtype).eps))
    judge, enough = (jury.loss, ENOUGH) if len(jury) else (None, 1e-4)  # without judges there is little data
    a = minimise(data.objective, start, solver, passes, judge, enough)
    if moves and fit.kernel.mergeable:
        a = move(data, a, jury, moves)
        K, T, w = data.sample()
        curvature, ridge = data.curvature(K, w), fit.lam * data.mass * fit.gram
    # what more of the stream brings is weighed against all of this
    own.coef[:, :n], own.H[:n, :n], own.b[:n] = a.T, curvature, (curvature + ridge) @ a
    own.mass[0], own.solve[0], own.solved[0] = data.mass, GROWTH * data.mass, 1
    after = jury.wrong(a)
    own.tally[:] = after.sum(), before.sum()
    own.serves[0] = no_worse(after, before)
