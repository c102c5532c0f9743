"""From the features of the data to those of the kernel: each in a unit of its own, and ranks of some beside them."""

from typing import Any, NamedTuple

import numpy as np

from ..core.parallel import in_parts

INTERPOLATION = 20  # multiplications that take as long as one interpolation
BLOCK = 4096  # rows


class RankColumn(NamedTuple):
    """A feature through a piecewise linear function: constant before the first knot and after the last."""

    source: int  #: the feature
    knots: np.ndarray  #: ascending
    values: np.ndarray  #: at the knots


class FeatureMap:
    """x ↦ ((x_j − shift_j) · factor_j for every feature j, then the rank columns).

    Parameters
    ----------
    shift : array of shape (features,)
        What is subtracted.
    factor : array of shape (features,)
        What is multiplied by.
    ranks : tuple of RankColumn, default ()
        Columns of ranks.

    Examples
    --------
    >>> square = RankColumn(0, np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0]))
    >>> FeatureMap(np.array([1.0]), np.array([2.0]), (square,)).transform([[1.5], [9.0]]).tolist()
    [[1.0, 2.5], [16.0, 4.0]]
    """

    def __init__(self, shift: np.ndarray, factor: np.ndarray, ranks: tuple[RankColumn, ...] = ()):
        self.shift, self.factor, self.ranks = shift, factor, ranks

    @property
    def features(self) -> int:
        """Of the data."""
        return len(self.shift)

    @property
    def width(self) -> int:
        """Features of the kernel."""
        return len(self.shift) + len(self.ranks)

    def transform(self, X: Any) -> np.ndarray:
        """Rows as the kernel takes them, in float64."""
        X = np.asarray(X)
        found = np.empty((len(X), self.width))
        work = float(len(X)) * (self.features + INTERPOLATION * len(self.ranks))

        def transform(start: int, stop: int) -> None:
            rows, own = np.asarray(X[start:stop], np.float64), found[start:stop]
            with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused by the model
                own[:, : self.features] = (rows - self.shift) * self.factor
            for k, column in enumerate(self.ranks, self.features):
                own[:, k] = np.interp(rows[:, column.source], column.knots, column.values)

        in_parts(transform, len(X), work, BLOCK)
        return found

    def by_feature(self, values: np.ndarray) -> np.ndarray:
        """The sums over the columns that are made of each feature, of something that every column has."""
        found: np.ndarray = values[: self.features].copy()
        for column, value in zip(self.ranks, values[self.features :], strict=True):
            found[column.source] += value
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FeatureMap) or len(self.ranks) != len(other.ranks):
            return False
        pairs = [(self.shift, other.shift), (self.factor, other.factor)]
        for ours, theirs in zip(self.ranks, other.ranks, strict=True):
            pairs += [(np.array([ours.source]), np.array([theirs.source])), *zip(ours[1:], theirs[1:], strict=True)]
        return all(np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"FeatureMap({self.features} features, {len(self.ranks)} rank columns)"
