"""Values that are not there: refused, or filled in."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from ..readers import Block, Pairs, Words


class Missing(ABC):
    """What is done about missing values."""

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def begin(cls, first: Block) -> Self:
        """From the first rows."""

    @abstractmethod
    def wrong(self, block: Block) -> np.ndarray:
        """Which rows cannot be used."""

    @abstractmethod
    def filled(self, numbers: np.ndarray) -> np.ndarray:
        """Dense numbers with every gap filled."""

    @abstractmethod
    def filled_pairs(self, pairs: Pairs) -> np.ndarray:
        """The values of sparse rows with every gap filled."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""


class Refused(Missing):
    """Rows with a missing value are bad."""

    name = "refuse"

    @classmethod
    def begin(cls, first: Block) -> Self:
        return cls()

    def wrong(self, block: Block) -> np.ndarray:
        if isinstance(block.numbers, Pairs):
            gaps = np.flatnonzero(np.isnan(block.numbers.values))
            return np.unique(np.searchsorted(block.numbers.ends, gaps, side="right"))
        lacking = np.isnan(block.numbers).any(axis=1)
        for column in block.words:
            lacking |= column.codes < 0
        return np.flatnonzero(lacking)

    def filled(self, numbers: np.ndarray) -> np.ndarray:
        return numbers

    def filled_pairs(self, pairs: Pairs) -> np.ndarray:
        return pairs.values

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name}


class Filled(Missing):
    """A missing number is the mean of its column in the first rows; a missing word is no word."""

    name = "mean"

    def __init__(self, values: np.ndarray):
        self.values = values

    @classmethod
    def begin(cls, first: Block) -> Self:
        if isinstance(first.numbers, Pairs):
            width, values = first.numbers.width, np.nan_to_num(first.numbers.values)
            return cls(np.bincount(first.numbers.indices, values, width) / max(len(first), 1))
        known = ~np.isnan(first.numbers)
        totals = np.where(known, first.numbers, 0.0).sum(axis=0)
        return cls(totals / np.maximum(known.sum(axis=0), 1))

    def wrong(self, block: Block) -> np.ndarray:
        return np.empty(0, np.intp)

    def filled(self, numbers: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(numbers), self.values, numbers)

    def filled_pairs(self, pairs: Pairs) -> np.ndarray:
        values = np.append(self.values, 0.0)[np.minimum(pairs.indices, len(self.values))]
        return np.where(np.isnan(pairs.values), values, pairs.values)

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "values": self.values.tolist()}


class Zero(Filled):
    """A missing number is 0."""

    name = "zero"

    @classmethod
    def begin(cls, first: Block) -> Self:
        width = first.numbers.width if isinstance(first.numbers, Pairs) else first.numbers.shape[1]
        return cls(np.zeros(width))


POLICIES: dict[str, type[Missing]] = {kind.name: kind for kind in (Refused, Filled, Zero)}


def missing_from_dict(saved: dict[str, Any]) -> Missing:
    if saved["name"] == Refused.name:
        return Refused()
    return (Zero if saved["name"] == Zero.name else Filled)(np.array(saved["values"], np.float64))


def first_gap(block: Block, row: int) -> int:
    """The column of a row's first missing value: of numbers, then of words after them."""
    if isinstance(block.numbers, Pairs):
        pairs = block.numbers.take(slice(row, row + 1))
        return int(pairs.indices[np.isnan(pairs.values)][0])
    gaps = np.isnan(block.numbers[row]).tolist() + [_lacks(column, row) for column in block.words]
    return gaps.index(True)


def _lacks(column: Words, row: int) -> bool:
    return bool(column.codes[row] < 0)
