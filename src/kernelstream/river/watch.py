"""How much the scores are worth: remembered from before the rows were learned, for probabilities."""

import math

import numpy as np

from ..estimators.calibration import LEAST, MOST, Calibration

SOME = 8  # when enough scores are known, one row in so many tells as much as all
OFTEN = 256  # scores between two fits of the slope


class Watch:
    """The latest scores, each with the class that it should have named, and the slope that makes them probabilities."""

    def __init__(self, outputs: int):
        self.scores, self.index = np.zeros((MOST, outputs)), np.zeros(MOST, np.int64)
        self.rows = self.kept = 0  # learned, and with scores
        self.slope = 1.0

    def due(self) -> bool:
        """Whether to score the row that comes next."""
        return self.kept < MOST or self.rows % SOME == 0

    def add(self, scores: np.ndarray, index: int) -> None:
        """The scores of a row before it was learned."""
        if not math.isfinite(scores.sum()):
            return
        slot = self.kept % MOST
        self.scores[slot], self.index[slot] = scores, index
        self.kept += 1
        # while there are few each doubling tells more
        if self.kept % OFTEN == 0 or (self.kept & (self.kept - 1) == 0 and self.kept >= LEAST):
            known = min(self.kept, MOST)
            self.slope = Calibration(self.scores[:known], self.index[:known]).slope

    def mixed(self, mix: np.ndarray) -> "Watch":
        """The same for a model whose outputs are mixed from those of before."""
        new = Watch(len(mix))
        new.scores[...] = self.scores @ mix.T
        new.index[...] = self.index
        new.rows, new.kept, new.slope = self.rows, self.kept, self.slope
        return new
