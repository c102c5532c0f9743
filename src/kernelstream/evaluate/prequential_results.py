"""The results of a prequential evaluation as plain data."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np


class Point(NamedTuple):
    """One point of a learning curve."""

    examples: int  #: learned so far
    tested: int  #: predicted so far: all, or all but the first batch of an unfitted estimator
    score: float  #: over all of them; NaN if there are none
    window: float  #: over those since the previous point
    support: int | None  #: support vectors
    seconds: float  #: spent on predicting and learning
    nbytes: int | None  #: memory of the model


@dataclass(frozen=True)
class Progress:
    """A learning curve: one array for each field of its points; an unknown size is NaN."""

    metric: str
    examples: np.ndarray
    tested: np.ndarray
    score: np.ndarray
    window: np.ndarray
    support: np.ndarray
    seconds: np.ndarray
    nbytes: np.ndarray

    @classmethod
    def of(cls, metric: str, points: list[Point]) -> Self:
        whole = {"examples", "tested"}
        columns = {
            name: np.array(
                [math.nan if (v := getattr(p, name)) is None else v for p in points], int if name in whole else float
            )
            for name in Point._fields
        }
        return cls(metric, **columns)

    @property
    def final(self) -> Point:
        """The last point."""
        if not len(self):
            raise ValueError("The stream had no examples, so there is nothing to report.")
        return list(self)[-1]

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Point]:
        rows = zip(*(getattr(self, name).tolist() for name in Point._fields), strict=True)
        for examples, tested, score, window, support, seconds, nbytes in rows:
            yield Point(examples, tested, score, window, _whole(support), seconds, _whole(nbytes))

    def to_dict(self) -> dict[str, Any]:
        """A dict of lists that JSON can hold; None for what is unknown."""
        columns = {name: [None if math.isnan(v) else v for v in getattr(self, name).tolist()] for name in Point._fields}
        return {"metric": self.metric, **columns}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """The reverse of `to_dict`."""
        rows = zip(*(saved[name] for name in Point._fields), strict=True)
        return cls.of(saved["metric"], [Point(*row) for row in rows])


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)


T = TypeVar("T")


class ThinnedHistory(Generic[T]):
    """Values along a stream of any length, evenly thinned: above `limit`, every other one is dropped.

    >>> history = ThinnedHistory(0, limit=4)
    >>> for value in range(1, 11):
    ...     history.add(value)
    >>> history.kept
    [0, 4, 8]
    """

    def __init__(self, first: T, limit: int | None):
        self.kept, self.limit = [first], limit
        self.stride, self.steps = 1, 0  # one value in `stride` is kept

    def add(self, value: T) -> None:
        self.steps += 1
        if self.steps % self.stride == 0:
            self.kept.append(value)
        if self.limit is not None and len(self.kept) > self.limit:
            self.kept, self.stride = self.kept[::2], 2 * self.stride

    def with_last(self, value: T) -> list[T]:
        """The values kept, and `value`, the latest one, at their end."""
        return self.kept if self.kept[-1] == value else [*self.kept, value]
