"""The target column: labels among known classes, or numbers."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from ..readers import CategoricalColumn
from ..readers.blocks import Column

Label = str | float
_LISTED = 10


class Target(Protocol):
    """What the model predicts."""

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        """The targets of the rows; and for each row without a usable target, why."""

    def as_dict(self) -> dict[str, Any]: ...


class ClassTarget:
    """Labels among known classes, which are sorted.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> ClassTarget(["no", "yes"]).read(categorical_column(["yes", "maybe"]))
    (array(['yes', 'no'], dtype='<U3'), {1: "the label 'maybe' is not among the classes 'no', 'yes'."})
    """

    def __init__(self, classes: Iterable[Label]):
        listed = sorted(set(classes))
        self.is_text = any(isinstance(label, str) for label in listed)
        whole = not self.is_text and all(_is_whole(float(label)) for label in listed)
        self.classes = np.array(listed, str if self.is_text else np.int64 if whole else np.float64)

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        index = self._index(column)
        unknown = {int(row): self._why(column, int(row)) for row in np.flatnonzero(index < 0)}
        return self.classes[index.clip(min=0)], unknown

    def _index(self, column: Column) -> np.ndarray:
        if isinstance(column, CategoricalColumn):
            known = {label: i for i, label in enumerate(self.classes.tolist())}
            return np.array([*(known.get(label, -1) for label in column.categories), -1], np.intp)[column.codes]
        if self.is_text:
            return np.full(len(column), -1)
        index = np.searchsorted(self.classes, column).clip(max=len(self.classes) - 1)
        return np.where(self.classes[index] == column, index, -1)

    def _why(self, column: Column, row: int) -> str:
        label = value_at(column, row)
        if label is None:
            return "the label is missing."
        known = ", ".join(repr(c) for c in self.classes[:_LISTED].tolist())
        more = f", … ({len(self.classes)} in total)" if len(self.classes) > _LISTED else ""
        return f"the label {label!r} is not among the classes {known}{more}."

    def as_dict(self) -> dict[str, Any]:
        return {"classes": self.classes.tolist()}


class NumericTarget:
    """Numbers, for regression.

    >>> NumericTarget().read(np.array([1.5, np.nan]))
    (array([1.5, 0. ]), {1: 'the target is missing or not a finite number.'})
    """

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        values = np.full(len(column.codes), np.nan) if isinstance(column, CategoricalColumn) else column
        finite = np.isfinite(values)
        bad = np.flatnonzero(~finite).tolist()
        return np.where(finite, values, 0.0), dict.fromkeys(bad, "the target is missing or not a finite number.")

    def as_dict(self) -> dict[str, Any]:
        return {}


def value_at(column: Column, row: int) -> Label | None:
    """The value in a row: text, an int if it is a whole number, or None if it is missing."""
    if isinstance(column, CategoricalColumn):
        code = int(column.codes[row])
        return None if code < 0 else column.categories[code]
    value = float(column[row])
    if np.isnan(value):
        return None
    return int(value) if _is_whole(value) else value


def _is_whole(value: float) -> bool:
    """Whether a number is an integer that float64 holds exactly."""
    return value.is_integer() and abs(value) <= 2**53


def labels_in(column: Column) -> set[Label]:
    """The distinct labels of a column, without missing ones."""
    if isinstance(column, CategoricalColumn):
        return {column.categories[code] for code in np.unique(column.codes).tolist() if code >= 0}
    return {float(value) for value in np.unique(column[np.isfinite(column)]).tolist()}


def target_from_dict(saved: dict[str, Any]) -> Target:
    return ClassTarget(saved["classes"]) if "classes" in saved else NumericTarget()


def parse_classes(names: Sequence[str], is_text: bool) -> list[Label]:
    """Classes given by the user, in the type of the target column: text, or numbers."""
    if is_text:
        return list(names)
    try:
        found: list[Label] = [float(name) for name in names]
    except ValueError:
        raise ValueError(
            f"The target column is numeric, but not all of the classes {', '.join(names)} are numbers."
        ) from None
    for name, value in zip(names, found, strict=True):
        if not np.isfinite(float(value)):
            raise ValueError(f"The class {name} is not a finite number, and the target column is numeric.")
    return found
