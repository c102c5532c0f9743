"""What an evaluation has found, as plain data."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np


class Point(NamedTuple):
    """How things stood at one moment."""

    examples: int  #: learned so far
    tested: int  #: predicted so far: all, or all but the first batch of a learner that knew nothing
    score: float  #: over all of them; NaN if there are none
    window: float  #: over those since the point before
    support: int | None  #: support vectors
    seconds: float  #: spent on predicting and learning
    nbytes: int | None  #: memory of the model


@dataclass(frozen=True)
class Progress:
    """The points of a run, one array for each of their fields; where a size is not known it is NaN."""

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
        """Lists and words, as JSON takes them; None for what is not known."""
        columns = {name: [None if math.isnan(v) else v for v in getattr(self, name).tolist()] for name in Point._fields}
        return {"metric": self.metric, **columns}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """What `to_dict` gave."""
        rows = zip(*(saved[name] for name in Point._fields), strict=True)
        return cls.of(saved["metric"], [Point(*row) for row in rows])


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)
