"""Columns that bend: a piecewise linear function of every numeric feature, whose values at the knots are learned.

A scale stretches a whole column. Where the target has a step in a feature, or depends on its distance from a value, the
column should be stretched at that point, or folded there: then the kernel needs no support vectors for it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .feature_map import FeatureMap, RankColumn
from .rank_columns import FEW, KNOTS, WIDEST

NOTHING = -30.0  # log-scale of a straight column, in whose place there is a bent one
F32 = np.float32


class Placed(NamedTuple):
    """Rows: their standardised features, and their places between knots."""

    straight: np.ndarray  # (rows, features)
    knot: np.ndarray  # (rows, bent): the last knot below,
    beyond: np.ndarray  # (rows, bent): and how far on the way to the next one


class BentColumns:
    """The columns of a feature map, with a bent one in place of each numeric feature and its ranks.

    Parameters
    ----------
    columns : FeatureMap
        Columns in the units to start from: a bent column starts as the sum of those that it replaces.
    X : array of shape (rows, features)
        Rows whose quantiles are the knots.
    """

    def __init__(self, columns: FeatureMap, X: np.ndarray) -> None:
        self.columns = columns
        probabilities = np.linspace(0.0, 1.0, KNOTS)
        each = [np.unique(np.quantile(x, probabilities)) for x in X.T] if X.shape[1] <= WIDEST else []
        self.sources = [j for j, knots in enumerate(each) if len(knots) >= FEW]
        self.knots = [each[j] for j in self.sources]
        ranks = {column.source: column for column in columns.ranks}
        self.start = []
        for j, knots in zip(self.sources, self.knots, strict=True):
            values = (knots - columns.shift[j]) * columns.factor[j]
            if j in ranks:
                values = values + np.interp(knots, ranks[j].knots, ranks[j].values)
            self.start.append(values)
        self.scales = np.zeros(columns.features)  # the log-scales of straight columns to start from
        self.scales[self.sources] = NOTHING
        self._cuts = np.cumsum([len(knots) - 1 for knots in self.knots])[:-1]

    @property
    def rises(self) -> np.ndarray:
        """From each knot to the next, of all bent columns at the start."""
        return np.concatenate([np.diff(values) for values in self.start])

    def values(self, rises: np.ndarray) -> list[np.ndarray]:
        """At the knots of each bent column."""
        return [
            start[0] + np.concatenate([[0.0], np.cumsum(own)])
            for start, own in zip(self.start, np.split(rises, self._cuts), strict=True)
        ]

    def place(self, X: np.ndarray) -> Placed:
        straight = ((X - self.columns.shift) * self.columns.factor).astype(F32)
        knot = np.empty((len(X), len(self.sources)), np.int64)
        beyond = np.empty(knot.shape, F32)
        for k, (j, knots) in enumerate(zip(self.sources, self.knots, strict=True)):
            below = np.clip(np.searchsorted(knots, X[:, j], "right") - 1, 0, len(knots) - 2)
            knot[:, k] = below
            beyond[:, k] = np.clip((X[:, j] - knots[below]) / (knots[below + 1] - knots[below]), 0.0, 1.0)
        return Placed(straight, knot, beyond)

    def rows(self, placed: Placed, scales: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
        """Straight columns times these scales, then the bent ones."""
        bent = [
            np.asarray(own, F32)[at] * (1.0 - beyond) + np.asarray(own, F32)[at + 1] * beyond
            for own, at, beyond in zip(values, placed.knot.T, placed.beyond.T, strict=True)
        ]
        return np.column_stack([placed.straight * scales.astype(F32), *bent])

    def slopes(self, placed: Placed, pulls: np.ndarray) -> np.ndarray:
        """The gradient in the rises of a function whose gradient in the bent columns of these rows is `pulls`."""
        found = []
        for knots, at, beyond, pull in zip(self.knots, placed.knot.T, placed.beyond.T, pulls.T, strict=True):
            right = pull.astype(np.float64) * beyond
            own = np.bincount(at, pull - right, len(knots)) + np.bincount(at + 1, right, len(knots))
            found.append(own[::-1].cumsum()[::-1][1:])  # a rise lifts all knots after it
        return np.concatenate(found)

    def feature_map(self, scales: np.ndarray, rises: np.ndarray) -> FeatureMap:
        """With these scales of straight columns, as the kernel takes them."""
        bent = zip(self.sources, self.knots, self.values(rises), strict=True)
        return FeatureMap(
            self.columns.shift, self.columns.factor * scales, tuple(RankColumn(*column) for column in bent)
        )
