"""Missing values (NaN, an empty cell, null): refused, or filled with the mean or zero, or with the mean and marked."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from ..readers import CategoricalColumn, Pairs, RowBlock
from ..readers.blocks import NumericColumns


class Missing(ABC):
    """What to do with missing values."""

    name: ClassVar[str]
    marks: ClassVar[bool] = False  #: whether a missing value is a feature of its own: 1 where it is missing

    @classmethod
    @abstractmethod
    def from_first_rows(cls, first: RowBlock, numeric: NumericColumns | None = None) -> Self:
        """Decided by the first rows; `numeric` are the numeric features, if they are not those of the rows."""

    @abstractmethod
    def bad_rows(self, block: RowBlock) -> np.ndarray:
        """The rows that cannot be used, ascending."""

    @abstractmethod
    def fill(self, numeric: np.ndarray) -> np.ndarray:
        """Numeric columns with missing values filled."""

    @abstractmethod
    def fill_pairs(self, pairs: Pairs) -> np.ndarray:
        """The values of index:value pairs with missing values filled."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """For JSON."""


class RefuseMissing(Missing):
    """A row with a missing value is a bad row."""

    name = "refuse"

    @classmethod
    def from_first_rows(cls, first: RowBlock, numeric: NumericColumns | None = None) -> Self:
        return cls()

    def bad_rows(self, block: RowBlock) -> np.ndarray:
        if isinstance(block.numeric, Pairs):
            missing = np.flatnonzero(np.isnan(block.numeric.values))
            return np.unique(np.searchsorted(block.numeric.ends, missing, side="right"))
        incomplete = np.isnan(block.numeric).any(axis=1)
        for column in block.categorical:
            incomplete |= column.codes < 0
        return np.flatnonzero(incomplete)

    def fill(self, numeric: np.ndarray) -> np.ndarray:
        return numeric

    def fill_pairs(self, pairs: Pairs) -> np.ndarray:
        return pairs.values

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name}


class FillMean(Missing):
    """A missing number is replaced by the mean of its column in the first rows; a missing category is 0 in all one-hot
    columns."""

    name = "mean"

    def __init__(self, values: np.ndarray):
        self.values = values

    @classmethod
    def from_first_rows(cls, first: RowBlock, numeric: NumericColumns | None = None) -> Self:
        numeric = first.numeric if numeric is None else numeric
        if isinstance(numeric, Pairs):
            width, values, rows = numeric.width, np.nan_to_num(numeric.values), max(len(first), 1)
            means = np.bincount(numeric.indices, values, width) / rows
            # where the sum overflows, that of fractions does not
            safe = np.bincount(numeric.indices, values / rows, width)
            return cls(np.where(np.isfinite(means), means, safe))
        known = ~np.isnan(numeric)
        values, counts = np.where(known, numeric, 0.0), np.maximum(known.sum(axis=0), 1)
        means = values.sum(axis=0) / counts
        return cls(np.where(np.isfinite(means), means, (values / counts).sum(axis=0)))

    def bad_rows(self, block: RowBlock) -> np.ndarray:
        return np.empty(0, np.intp)

    def fill(self, numeric: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(numeric), self.values, numeric)

    def fill_pairs(self, pairs: Pairs) -> np.ndarray:
        values = np.append(self.values, 0.0)[np.minimum(pairs.indices, len(self.values))]
        return np.where(np.isnan(pairs.values), values, pairs.values)

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "values": self.values.tolist()}


class MarkMissing(FillMean):
    """The same, and each column with a missing number gets another that is 1 where it is missing; so does a categorical
    column, as if that were a category."""

    name = "auto"
    marks = True


class FillZero(FillMean):
    """A missing number is replaced by 0."""

    name = "zero"

    @classmethod
    def from_first_rows(cls, first: RowBlock, numeric: NumericColumns | None = None) -> Self:
        numeric = first.numeric if numeric is None else numeric
        width = numeric.width if isinstance(numeric, Pairs) else numeric.shape[1]
        return cls(np.zeros(width))


MISSING_POLICIES: dict[str, type[Missing]] = {
    kind.name: kind for kind in (MarkMissing, RefuseMissing, FillMean, FillZero)
}


def missing_from_dict(saved: dict[str, Any]) -> Missing:
    if saved["name"] == RefuseMissing.name:
        return RefuseMissing()
    filled: dict[str, type[FillMean]] = {kind.name: kind for kind in (MarkMissing, FillMean, FillZero)}
    return filled[saved["name"]](np.array(saved["values"], np.float64))


def finite_rows(block: RowBlock) -> np.ndarray:
    """Whether each row is without infinite numbers; missing ones are allowed."""
    if not isinstance(block.numeric, Pairs):
        return np.all(~np.isinf(block.numeric), axis=1)
    finite = np.ones(len(block), bool)
    infinite = np.flatnonzero(np.isinf(block.numeric.values))
    finite[np.searchsorted(block.numeric.ends, infinite, side="right")] = False
    return finite


def first_missing(block: RowBlock, row: int) -> int:
    """The column of a row's first missing value; categorical columns come after the numeric ones."""
    if isinstance(block.numeric, Pairs):
        pairs = block.numeric.take(slice(row, row + 1))
        return int(pairs.indices[np.isnan(pairs.values)][0])
    missing = np.isnan(block.numeric[row]).tolist() + [_is_missing(column, row) for column in block.categorical]
    return missing.index(True)


def _is_missing(column: CategoricalColumn, row: int) -> bool:
    return bool(column.codes[row] < 0)
