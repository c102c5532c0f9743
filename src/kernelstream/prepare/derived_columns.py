"""Columns of the file as columns of features: dates expanded, codes as categories, skewed numbers compressed."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..readers import CategoricalColumn, Schema
from .compression import Compression
from .date_parts import DateParts


class DerivedColumns(NamedTuple):
    """Numeric columns of the file that are dates or codes or skewed; all others are features as they are."""

    dates: dict[str, DateParts] = {}  # noqa: RUF012 - never changed
    codes: tuple[str, ...] = ()
    skewed: dict[str, Compression] = {}  # noqa: RUF012

    def numeric_names(self, schema: Schema) -> list[str]:
        """The column of the file that each numeric feature is made of."""
        names = []
        for name in schema.numeric:
            if name not in self.codes:
                names += [name] * (self.dates[name].width if name in self.dates else 1)
        return names

    def numeric(self, schema: Schema, numeric: np.ndarray) -> np.ndarray:
        """The numeric features."""
        if not any(self):
            return numeric
        parts = []
        for i, name in enumerate(schema.numeric):
            if name in self.dates:
                parts.append(self.dates[name].expand(numeric[:, i]))
            elif name in self.skewed:
                parts.append(self.skewed[name].apply(numeric[:, i : i + 1]))
            elif name not in self.codes:
                parts.append(numeric[:, i : i + 1])
        return np.concatenate(parts, axis=1) if parts else np.empty((len(numeric), 0))

    def categorical(self, schema: Schema, numeric: np.ndarray) -> list[CategoricalColumn]:
        """The codes as categorical columns."""
        return [code_column(numeric[:, schema.numeric.index(name)]) for name in self.codes]

    def as_dict(self) -> dict[str, Any]:
        return {
            "dates": {name: parts.as_dict() for name, parts in self.dates.items()},
            "codes": list(self.codes),
            "skewed": {name: list(how) for name, how in self.skewed.items()},
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "DerivedColumns":
        dates = {name: DateParts.from_dict(parts) for name, parts in saved["dates"].items()}
        return cls(dates, tuple(saved["codes"]), {name: Compression(*how) for name, how in saved["skewed"].items()})


def code_column(values: np.ndarray) -> CategoricalColumn:
    """Numbers as categories.

    >>> code_column(np.array([3.0, np.nan, 1.0]))
    CategoricalColumn(codes=array([ 1, -1,  0]), categories=['1', '3'])
    """
    levels, codes = np.unique(values, return_inverse=True)
    known = int(np.count_nonzero(~np.isnan(levels)))
    return CategoricalColumn(np.where(codes < known, codes, -1), [f"{level:.15g}" for level in levels[:known].tolist()])


def flagged(columns: Sequence[str], numeric: np.ndarray, codes: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """The columns that have missing values, and which rows they are missing in, but for codes."""
    missing = np.isnan(numeric)
    some = np.flatnonzero(missing.any(axis=0)).tolist()
    return {columns[i]: missing[:, i] for i in some if columns[i] not in codes}
