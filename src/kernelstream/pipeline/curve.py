"""How learning went, in a bounded number of points: predictions made before learning, and sizes."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..evaluate import Point, Progress

MOST = 256  # points kept


class Tally(NamedTuple):
    """Sums from the beginning to some moment."""

    examples: int = 0
    tested: int = 0
    total: float = 0.0  #: hits, or squared errors
    support: int = 0
    nbytes: int = 0


class Curve:
    """Tallies along a stream of any length: when there are too many, every other one goes.

    Nothing here depends on the clock, so that a run that was interrupted ends in the same file as one that was not.

    >>> curve = Curve("accuracy")
    >>> for _ in range(3):
    ...     curve.test(np.array([1, 1]), np.array([1, 0]))
    ...     curve.learned(2, support=5, nbytes=100)
    >>> curve.progress().score.tolist(), curve.window, curve.window_rows
    ([0.5, 0.5, 0.5], 0.5, 2)
    """

    def __init__(self, metric: str):
        self.metric, self.stride, self.steps = metric, 1, 0
        self.now, self.kept = Tally(), [Tally()]

    def test(self, truth: np.ndarray, predicted: np.ndarray) -> None:
        """Predictions for rows that have not been learned."""
        right = truth == predicted if self.metric == "accuracy" else (truth - predicted) ** 2
        self.now = self.now._replace(tested=self.now.tested + len(truth), total=self.now.total + float(right.sum()))

    def learned(self, rows: int, support: int, nbytes: int) -> None:
        self.now = self.now._replace(examples=self.now.examples + rows, support=support, nbytes=nbytes)
        self.steps += 1
        if self.steps % self.stride == 0:
            self.kept.append(self.now)
        if len(self.kept) > MOST:
            self.kept, self.stride = self.kept[::2], 2 * self.stride

    @property
    def score(self) -> float:
        """Over all that was tested; NaN if nothing was."""
        return self._score(Tally(), self.now)

    @property
    def window(self) -> float:
        """Over the last `window_rows` rows that were tested."""
        return self._score(self._before_window(), self.now)

    @property
    def window_rows(self) -> int:
        """About a tenth of the rows that were tested."""
        return self.now.tested - self._before_window().tested

    def _before_window(self) -> Tally:
        since = max(self.now.tested - max(self.now.tested // 10, 1), 0)
        return max((tally for tally in self.kept if tally.tested <= since), key=lambda tally: tally.tested)

    def _score(self, before: Tally, after: Tally) -> float:
        count = after.tested - before.tested
        if count == 0:
            return math.nan
        mean = (after.total - before.total) / count
        return mean if self.metric == "accuracy" else math.sqrt(max(mean, 0.0))

    def progress(self) -> Progress:
        """The points, as evaluations and plots take them."""
        kept = self.kept if self.kept[-1] == self.now else [*self.kept, self.now]
        points = [
            Point(b.examples, b.tested, self._score(Tally(), b), self._score(a, b), b.support, math.nan, b.nbytes)
            for a, b in pairwise(kept)
        ]
        return Progress.of(self.metric, points)

    def as_dict(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "stride": self.stride,
            "steps": self.steps,
            "kept": [list(tally) for tally in self.kept],
            "now": list(self.now),
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Curve":
        curve = cls(saved["metric"])
        curve.stride, curve.steps = saved["stride"], saved["steps"]
        curve.now, curve.kept = Tally(*saved["now"]), [Tally(*tally) for tally in saved["kept"]]
        return curve
