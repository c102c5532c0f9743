"""Passes of a model over data that is all there."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..inputs import CHUNK
from ..model import BadRow, Model
from ..refit import Refit
from .progress import reporting

ENOUGH = 50_000  # examples after which one more pass gains little
MOST = 20
HELD, MOST_HELD = 20, 2048  # one row in so many is kept to judge by, and no more than that
FEW = 200  # below so many rows, none is spared
_DRAWN = 1024  # rows between two drawings of the bar


def automatic_epochs(rows: int) -> int:
    """One pass over much data, more over little.

    >>> automatic_epochs(1_000_000), automatic_epochs(10_000), automatic_epochs(150)
    (1, 5, 20)
    """
    return min(max(-(-ENOUGH // max(rows, 1)), 1), MOST)


class Passes:
    """All rows, `epochs` times, each time in a new order if there is a generator to draw it from.

    `watch` is called once with the indices of rows that have not been learned yet, but soon will be.
    """

    def __init__(self, model: Model, X: Any, targets: np.ndarray, weights: np.ndarray, progress: bool):
        self.model, self.X, self.targets, self.weights, self.progress = model, X, targets, weights, progress

    def run(self, epochs: int, rng: np.random.RandomState | None, watch: Callable[[np.ndarray], None]) -> None:
        rows = np.arange(self.X.shape[0])
        refit = isinstance(self.model.recipe.average, Refit) and len(rows) >= FEW
        held = rows[HELD - 1 :: max(HELD, len(rows) // MOST_HELD)] if refit else rows[:0]
        rest = np.delete(rows, held)
        with reporting(self.progress, len(rest) * epochs) as report:
            for epoch in range(epochs):
                order = rest if rng is None else rng.permutation(rest)
                last = len(order) - min(len(order) // 10, MOST_HELD) if epoch == 0 and not refit else len(order)
                self._learn(order[:last], report)
                if last < len(order):
                    watch(order[last:])
                    self._learn(order[last:], report)
        self.model.finish(self.X, self.targets, self.weights, held)
        if len(held):
            watch(held)
            self._learn(held, lambda model: None)

    def _learn(self, order: np.ndarray, report: Callable[[Model], None]) -> None:
        size = _DRAWN if self.progress else CHUNK
        for start in range(0, len(order), size):
            # a chunk of the order at a time, so that the data is never copied whole
            pick = order[start : start + size]
            try:
                self.model.learn_many(self.X[pick], self.targets[pick], self.weights[pick])
            except BadRow as bad:
                raise BadRow(int(pick[bad.row]), bad.reason) from None
            report(self.model)
