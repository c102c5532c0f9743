"""The learning curve of a run, with a bounded number of points: scores of predictions before learning, and sizes."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..evaluate import Point, Progress
from ..evaluate.metrics import METRICS
from ..evaluate.prequential_results import ThinnedHistory
from .label_history import LabelHistory

MOST = 256  # points kept


class CurveTotals(NamedTuple):
    """Sums since the start of the run."""

    examples: int = 0
    tested: int = 0
    total: float = 0.0  #: of correct predictions, or of squared errors
    support: int = 0
    nbytes: int = 0
    weight: float = 0.0  #: of the rows tested


class Curve:
    """Totals along a stream of any length, thinned evenly.

    Nothing here depends on time, so an interrupted and resumed run ends with the same file as an uninterrupted one.

    >>> curve = Curve("accuracy")
    >>> for _ in range(3):
    ...     curve.test(np.array([1, 1]), np.array([1, 0]))
    ...     curve.learned(2, support=5, nbytes=100)
    >>> curve.progress().score.tolist(), curve.window, curve.window_rows
    ([0.5, 0.5, 0.5], 0.5, 2)
    """

    def __init__(self, metric: str):
        self.metric, self.now = metric, CurveTotals()
        self.history = ThinnedHistory(self.now, MOST)
        self.labels = LabelHistory()  #: of the rows learned, for classification

    def test(self, truth: np.ndarray, predicted: np.ndarray, weights: np.ndarray | None = None) -> None:
        """Add predictions for rows that have not been learned yet."""
        total = self.now.total + METRICS[self.metric].sum(truth, predicted, weights)
        weight = self.now.weight + (len(truth) if weights is None else float(weights.sum()))
        self.now = self.now._replace(tested=self.now.tested + len(truth), total=total, weight=weight)

    def learned(self, rows: int, support: int, nbytes: int, targets: np.ndarray | None = None) -> None:
        """Rows have been learned; their targets, if they are known, are counted where they are labels."""
        self.now = self.now._replace(examples=self.now.examples + rows, support=support, nbytes=nbytes)
        self.history.add(self.now)
        if targets is not None and self.metric == "accuracy":
            self.labels.add(targets)

    @property
    def score(self) -> float:
        """Over all rows tested; NaN if there are none."""
        return self._score(CurveTotals(), self.now)

    @property
    def window(self) -> float:
        """Over the last `window_rows` rows tested."""
        return self._score(self._before_window(), self.now)

    @property
    def window_rows(self) -> int:
        """About a tenth of the rows tested."""
        return self.now.tested - self._before_window().tested

    def _before_window(self) -> CurveTotals:
        since = max(self.now.tested - max(self.now.tested // 10, 1), 0)
        found: CurveTotals = max((p for p in self.history.kept if p.tested <= since), key=lambda past: past.tested)
        return found

    def _score(self, before: CurveTotals, after: CurveTotals) -> float:
        return METRICS[self.metric].mean(after.total - before.total, after.weight - before.weight)

    def progress(self) -> Progress:
        """The points, as `kernelstream.evaluate.progressive` returns them and `kernelstream.plot` draws them."""
        start = CurveTotals()
        points = [
            Point(b.examples, b.tested, self._score(start, b), self._score(a, b), b.support, math.nan, b.nbytes)
            for a, b in pairwise(self.history.with_last(self.now))
        ]
        return Progress.of(self.metric, points)

    def as_dict(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "stride": self.history.stride,
            "steps": self.history.steps,
            "kept": [list(totals) for totals in self.history.kept],
            "now": list(self.now),
            "labels": self.labels.as_dict(),
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Curve":
        curve = cls(saved["metric"])
        curve.labels = LabelHistory.from_dict(saved["labels"])
        curve.now, past = CurveTotals(*saved["now"]), curve.history
        past.stride, past.steps, past.kept = saved["stride"], saved["steps"], [CurveTotals(*p) for p in saved["kept"]]
        return curve
