"""How much the scores are worth: remembered from before the rows were learned, for probabilities."""

import math

import numpy as np

from ..estimators.calibration import LEAST, MOST, Calibration

SOME = 8  # when enough scores are known, one row in so many tells as much as all
SELDOM = 2048  # no more rows than that between two fits of the slope


class Watch:
    """The latest scores, each with the class that it should have named, and the slope that makes them probabilities."""

    def __init__(self, outputs: int):
        self.scores, self.index = np.zeros((MOST, outputs)), np.zeros(MOST, np.int64)
        self.when = np.zeros(MOST, np.int64)  # the row that each is of
        self.rows = self.kept = 0  # how many have been learned, and how many of them with scores
        self.next = 2 * LEAST  # the row at which to fit the slope again
        self.slope = 1.0

    def due(self) -> bool:
        """Whether to score the row that comes next."""
        return self.kept < MOST or self.rows % SOME == 0

    def add(self, scores: np.ndarray, index: int) -> None:
        """The scores of the latest row before it was learned."""
        if not math.isfinite(scores.sum()):
            return
        slot = self.kept % MOST
        self.scores[slot], self.index[slot], self.when[slot] = scores, index, self.rows
        self.kept += 1
        if self.rows >= self.next:
            # those of the later half: a model's first steps may be long, and the scores of then out of scale
            recent = 2 * self.when > self.rows
            self.slope = Calibration(self.scores[recent], self.index[recent]).slope
            self.next = self.rows + min(self.rows // 4, SELDOM)

    def mixed(self, mix: np.ndarray) -> "Watch":
        """The same for a model whose outputs are mixed from those of before."""
        new = Watch(len(mix))
        new.scores[...], new.index[...], new.when[...] = self.scores @ mix.T, self.index, self.when
        new.rows, new.kept, new.next, new.slope = self.rows, self.kept, self.next, self.slope
        return new
