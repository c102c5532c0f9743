"""The refit along a stream: collected examples update the statistics and decide which function predicts."""

import logging

import numpy as np

from ..core.state import Expansion
from .statistics import Statistics, best_scale

logger = logging.getLogger(__name__)


def take_in(fit: Statistics, ex: Expansion, t: int, half_life: float, target: str) -> None:
    """Compare both functions on the collected examples, then add these to the statistics.

    The dictionary is renewed when that is due.
    """
    own, waiting, n = fit.own, fit.own.waiting, int(ex.n[0])
    Y = waiting.y[:, :1] if target == "class" else waiting.y
    T, weight = fit.smooth.targets(Y, waiting.f.shape[1]), waiting.weight
    if fit.n:
        K = fit.rows(waiting.x).astype(np.float64)
        F = K @ own.coef[:, : fit.n].T
        if own.solved[0] > 0:
            for i, scores in enumerate((F, waiting.f)):
                own.tally[i] += float(weight @ fit.smooth.wrong(scores, T))
            served, own.serves[0] = bool(own.serves[0]), own.tally[0] <= own.tally[1]
            if served != bool(own.serves[0]):
                who = "the recipe's own function" if served else "the refit"
                logger.info("update %d: predictions now come from %s (errors: refit %g, recipe %g)", t, who, *own.tally)
        if half_life > 0.0:
            fit.forget(0.5 ** (len(weight) / half_life))
        fit.add(K, F, T, weight)
    if t >= own.renew[0]:
        first = fit.n == 0
        coef = (ex.coef[:, :n] * ex.scale[0]).T
        fit.take_over(ex.sv[:, :n].T, ex.sq[:n], best_scale(fit.smooth, waiting.f, T, weight) * coef)
        own.tally[:] = 0.0  # errors on the old dictionary say little about the new one
        own.renew[0] = 2 * t if half_life == 0.0 else t + min(t, int(half_life))
        if first:
            own.solve[0] = 2.0 * n
    elif own.mass[0] >= own.solve[0]:
        fit.solve()
