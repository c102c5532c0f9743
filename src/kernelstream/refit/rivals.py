"""Another loss for the same task: the refit is made with both, and held-out rows decide."""

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from .judge import Judge
from .minimise import minimise
from .objective import Objective

logger = logging.getLogger(__name__)

SURE = 1.0  # standard deviations by which the rival must make fewer mistakes


def better_loss(
    objective: Objective, judge: Judge, held: tuple[Any, np.ndarray, np.ndarray], a: np.ndarray,
    start: np.ndarray, solve: Callable[[np.ndarray], np.ndarray], max_passes: int,
) -> tuple[Objective, Judge, np.ndarray]:  # fmt: skip
    """The objective to go on with, its judge and the best coefficients: those of the rival of the loss, if they make
    surely fewer mistakes on held-out rows than `a`. Both begin at `start`."""
    loss = objective.fit.smooth.rival
    if loss is None or not len(judge):
        return objective, judge, a
    other = objective.with_loss(loss)
    others = Judge(other, *held)
    b = minimise(other, start, solve, max_passes, others.loss, loss.enough)
    before, after = judge.wrong(a), others.wrong(b)
    if before.sum() - after.sum() <= SURE * float(np.sqrt(np.square(before - after).sum())):
        return objective, judge, a
    logger.info(
        "%s instead of %s: error %g instead of %g on %d held-out rows", type(loss).__name__,
        type(objective.fit.smooth).__name__, after.sum(), before.sum(), len(judge),
    )  # fmt: skip
    return other, others, b
