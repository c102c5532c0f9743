"""Targets: labels among classes that are known, or numbers."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from ..readers import Words
from ..readers.blocks import Column

Label = str | float
_SHOWN = 10


class Target(Protocol):
    """What is learned to be predicted."""

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        """The targets of rows, and for each row that has none that can be used, why."""

    def as_dict(self) -> dict[str, Any]: ...


class Labels:
    """Classes in order.

    >>> from kernelstream.readers.blocks import words_of
    >>> Labels(["no", "yes"]).read(words_of(["yes", "maybe"]))
    (array(['yes', 'no'], dtype='<U3'), {1: "the label 'maybe' is not among the classes 'no', 'yes'."})
    """

    def __init__(self, classes: Iterable[Label]):
        listed = sorted(set(classes))
        self.words = any(isinstance(label, str) for label in listed)
        whole = not self.words and all(float(label).is_integer() for label in listed)
        self.classes = np.array(listed, str if self.words else np.int64 if whole else np.float64)

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        index = self._index(column)
        unknown = {int(row): self._why(column, int(row)) for row in np.flatnonzero(index < 0)}
        return self.classes[index.clip(min=0)], unknown

    def _index(self, column: Column) -> np.ndarray:
        if isinstance(column, Words):
            known = {label: i for i, label in enumerate(self.classes.tolist())}
            return np.array([*(known.get(value, -1) for value in column.values), -1], np.intp)[column.codes]
        if self.words:
            return np.full(len(column), -1)
        index = np.searchsorted(self.classes, column).clip(max=len(self.classes) - 1)
        return np.where(self.classes[index] == column, index, -1)

    def _why(self, column: Column, row: int) -> str:
        label = value_at(column, row)
        if label is None:
            return "it has no label."
        known = ", ".join(repr(c) for c in self.classes[:_SHOWN].tolist())
        more = f", … ({len(self.classes)} in all)" if len(self.classes) > _SHOWN else ""
        return f"the label {label!r} is not among the classes {known}{more}."

    def as_dict(self) -> dict[str, Any]:
        return {"classes": self.classes.tolist()}


class Numbers:
    """Numbers to come close to.

    >>> Numbers().read(np.array([1.5, np.nan]))
    (array([1.5, 0. ]), {1: 'it has no target that is a finite number.'})
    """

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        values = np.full(len(column.codes), np.nan) if isinstance(column, Words) else column
        finite = np.isfinite(values)
        bad = np.flatnonzero(~finite).tolist()
        return np.where(finite, values, 0.0), dict.fromkeys(bad, "it has no target that is a finite number.")

    def as_dict(self) -> dict[str, Any]:
        return {}


def value_at(column: Column, row: int) -> Label | None:
    """What stands in a row: text, a whole number as one, or None if it is missing."""
    if isinstance(column, Words):
        code = int(column.codes[row])
        return None if code < 0 else column.values[code]
    value = float(column[row])
    if np.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def labels_in(column: Column) -> set[Label]:
    """The different labels of a column, but for missing ones."""
    if isinstance(column, Words):
        return {column.values[code] for code in np.unique(column.codes).tolist() if code >= 0}
    return {float(value) for value in np.unique(column[np.isfinite(column)]).tolist()}


def target_from_dict(saved: dict[str, Any]) -> Target:
    return Labels(saved["classes"]) if "classes" in saved else Numbers()


def named_classes(names: Sequence[str], words: bool) -> list[Label]:
    """The classes that a user lists, as the column has them: text, or numbers."""
    if words:
        return list(names)
    try:
        return [float(name) for name in names]
    except ValueError:
        raise ValueError(f"The classes {', '.join(names)} are not all numbers, but the target's column is.") from None
