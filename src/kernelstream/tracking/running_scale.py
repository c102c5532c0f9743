"""The scale of the features of a stream, measured while it runs.

Rows are shifted by the running mean and divided by the running deviation. When the deviations have moved, the factors
are replaced, and the model converts what it has stored (`Model.rescale_features`). A shift of the mean converts
nothing: where a whole stream moves, what was learned moves with it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.standardise import standardise
from ..core.warning import warn_caller

GATHERED = 64  # rows between two updates of the statistics
GROWTH = 2.0  # factors are looked at again when the number of rows has grown by this
MOVED = 0.3  # relative change of a deviation before the factors are replaced
OUTLIER = 10.0  # deviations from the mean: what is further away counts as if it were there
FARTHEST = 6.0  # the largest scaled value: what is rarely other than 0, and outliers, do not dominate
FINEST = 1e-9  # of the mean: the least deviation, so that rounding errors are no differences
SMALLEST = 1e-30  # deviation
MONOTONE = 512  # rows: a feature that has risen, or fallen, with each of them is a row number or a clock

_PER_FEATURE = (
    "mean", "squares", "low", "high", "last", "halfway", "rising", "falling", "ignored", "centre", "factors",
)  # fmt: skip


class NewUnits(NamedTuple):
    """How the units of the model change now."""

    factors: np.ndarray | None  # by which features are multiplied; None if they hardly change
    clocks: list[int]  # features that are ignored from now on


class RunningScale:
    """Deviations of the features so far, and the factors in use.

    Parameters
    ----------
    width : int
        The number of features.
    half_life : float or None, default None
        Rows after which the weight of a row has halved; None forgets nothing.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(500, 2)) * [1.0, 1000.0]
    >>> scale = RunningScale(2).start(rows)
    >>> scale.scaled_many(rows).std(axis=0).round(3).tolist()
    [1.0, 1.0]
    """

    def __init__(self, width: int, half_life: float | None = None):
        self.half_life = half_life
        self.rows = 0
        self.weight = 0.0  # of the rows: fewer, if old ones are forgotten
        self.mean, self.squares = np.zeros(width), np.zeros(width)
        self.low, self.high, self.last = np.full(width, np.inf), np.full(width, -np.inf), np.full(width, np.nan)
        self.halfway = np.zeros(width, bool)  # whether a value between the lowest and the highest has been seen
        self.rising, self.falling = np.ones(width, bool), np.ones(width, bool)
        self.ignored, self.ignores = np.zeros(width, bool), False  # which features, and whether there are any
        self.centre, self.factors = np.zeros(width), np.ones(width)
        self.next = GATHERED
        self._waiting, self._filled, self._row = np.zeros((GATHERED, width)), 0, np.zeros((1, width))

    def scaled(self, row: np.ndarray) -> np.ndarray:
        """The row in the units of the model, which the next call overwrites. A row that is not finite stays as it is,
        and the model refuses it."""
        return self._row[0] if standardise(row[None], self.centre, self.factors, FARTHEST, self._row) else row

    def scaled_many(self, rows: np.ndarray) -> np.ndarray:
        """Rows in the units of the model; those that are not finite stay as they are."""
        rows = np.ascontiguousarray(rows, np.float64)
        found = np.empty(rows.shape)
        if not standardise(rows, self.centre, self.factors, FARTHEST, found):
            bad = ~np.isfinite(rows).all(axis=1)
            found[bad] = rows[bad]
        return found

    def considered(self, rows: np.ndarray) -> np.ndarray:
        """A row, or rows, as they came, without the features that are ignored."""
        return np.where(self.ignored, 0.0, rows) if self.ignores else rows

    @property
    def room(self) -> int:
        """Rows until the statistics are updated: up to then, all are scaled alike."""
        return GATHERED - self._filled

    def observe_many(self, rows: np.ndarray) -> bool:
        """Count rows, `room` at most; whether the factors should be looked at."""
        last = self._filled + len(rows)
        self._waiting[self._filled : last] = rows
        self._filled = last
        return self._taken()

    def observe(self, row: np.ndarray) -> bool:
        """Count a row; whether the factors should be looked at."""
        self._waiting[self._filled] = row
        self._filled += 1
        return self._taken()

    def _taken(self) -> bool:
        if self._filled < GATHERED:
            return False
        self._take_in(self._waiting)
        self._filled = 0
        return self.rows >= self.next

    def _take_in(self, rows: np.ndarray) -> None:
        count = len(rows)
        if self.half_life is not None:
            keep = 0.5 ** (count / self.half_life)
            self.weight, self.squares = keep * self.weight, keep * self.squares
        self.low, self.high = np.minimum(self.low, rows.min(axis=0)), np.maximum(self.high, rows.max(axis=0))
        self.halfway |= ((rows != self.low) & (rows != self.high)).any(axis=0)
        self._follow_order(rows)
        if self.weight > 0.0:
            reach = OUTLIER * self.deviations()
            known = self.squares > 0.0
            rows = np.clip(
                rows, np.where(known, self.mean - reach, -np.inf), np.where(known, self.mean + reach, np.inf)
            )
        mean = rows.mean(axis=0)
        change, weight = mean - self.mean, self.weight + count
        self.squares = self.squares + ((rows - mean) ** 2).sum(axis=0) + change**2 * (self.weight * count / weight)
        self.mean, self.weight = self.mean + change * (count / weight), weight
        self.rows += count
        self.centre = self.mean

    def _follow_order(self, rows: np.ndarray) -> None:
        steps = np.diff(np.vstack([self.last, rows]), axis=0)
        steps = steps[1:] if self.rows == 0 else steps
        self.rising &= (steps > 0.0).all(axis=0)
        self.falling &= (steps < 0.0).all(axis=0)
        self.last = rows[-1].copy()

    def deviations(self) -> np.ndarray:
        """What a feature is divided by; 1 for one that is constant so far. Of a feature with two values it is half
        their distance, however rare one of them is."""
        measured = np.sqrt(self.squares / max(self.weight, 1.0))
        span = np.where(self.high > self.low, self.high - self.low, 0.0)
        found = np.where(self.halfway, measured, span / 2.0)
        return np.where(found > 0.0, np.maximum(found, FINEST * np.abs(self.mean) + SMALLEST), 1.0)

    def start(self, rows: np.ndarray) -> "RunningScale":
        """Take centre and factors from these rows, the first of the stream."""
        fresh = RunningScale(rows.shape[1], self.half_life)
        with np.errstate(over="ignore", invalid="ignore"):  # the model refuses what is not finite
            fresh._take_in(rows)
        self.centre, self.factors = fresh.mean, 1.0 / fresh.deviations()
        return self

    def renewed(self) -> NewUnits:
        """Look at the factors again."""
        self.next = self.rows + int(min(self.rows * (GROWTH - 1.0), self.half_life or np.inf))
        self.ignored &= self.rising | self.falling  # it was sorted at first, no more
        clocks = (self.rising | self.falling) & ~self.ignored & (self.rows >= MONOTONE)
        self.ignored |= clocks
        self.ignores = bool(self.ignored.any())
        factors = np.where(self.ignored, 0.0, 1.0 / self.deviations())
        used = self.factors > 0.0  # what was ignored is 0 in everything stored
        ratio = np.where(used, factors / np.where(used, self.factors, 1.0), 1.0)
        hardly = ((ratio <= 1.0 + MOVED) & (ratio >= 1.0 / (1.0 + MOVED)) & (used | (factors == 0.0))).all()
        self.factors = self.factors if hardly else factors
        return NewUnits(None if hardly else ratio, np.flatnonzero(clocks).tolist())

    def widened(self, row: np.ndarray) -> "RunningScale":
        """With more features, which have been 0 before this row."""
        new, old = RunningScale(len(row), self.half_life), len(self.mean)
        for name in _PER_FEATURE:
            getattr(new, name)[:old] = getattr(self, name)
        found = np.abs(row[old:])
        new.factors[old:] = np.where(found > 0.0, 2.0 / np.maximum(found, SMALLEST), 1.0)
        if self.rows:
            new.low[old:] = new.high[old:] = new.last[old:] = 0.0
            new.rising[old:] = new.falling[old:] = False
        new.rows, new.weight, new.next, new.ignores = self.rows, self.weight, self.next, self.ignores
        new._waiting[:, :old], new._filled = self._waiting, self._filled
        return new

    def __getstate__(self) -> dict[str, Any]:
        # without the buffer, which predictions write into: they leave no trace
        return self.__dict__ | {"_row": np.zeros((1, len(self.mean)))}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        # arrays of its own: those from a file may be read-only
        self.__dict__.update({name: v.copy() if isinstance(v, np.ndarray) else v for name, v in saved.items()})


def warn_of_clocks(units: RunningScale, columns: list[int], names: Sequence[Any] | None) -> None:
    """Name the features that are ignored from now on."""
    for column in columns:
        way = "risen" if units.rising[column] else "fallen"
        warn_caller(
            f"Feature {column if names is None else names[column]!r} has only {way} for {units.rows:,} rows, as a row "
            "number or a clock does. It is ignored from now on; with scale=None (--scale none) it is not."
        )
