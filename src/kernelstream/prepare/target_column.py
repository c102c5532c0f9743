"""The target column: labels among known classes, or numbers."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..readers import CategoricalColumn, RowBlock
from ..readers.blocks import Column

Label = str | float
_LISTED = 10
MAX_CLASSES = 100  # found in data; more different labels are likely to be numbers


class Target(Protocol):
    """What the model predicts."""

    def learn(self, block: RowBlock) -> None:
        """Take labels that were not known before for new classes, unless all classes were given."""

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        """The targets of the rows; and for each row without a usable target, why."""

    def as_dict(self) -> dict[str, Any]: ...


class LateClass(NamedTuple):
    """A class that was not among the first rows, and where it was first seen."""

    label: Label
    file: int
    line: int


class ClassTarget:
    """Labels among known classes: sorted, and after them those that came later. `fixed`: no others may come.

    Parameters
    ----------
    classes : iterable of labels
        The known classes.
    fixed : bool, default False
        Whether no others may come.
    late : iterable, default ()
        Those among them that came later: label, file and line of each.

    Examples
    --------
    >>> from kernelstream.readers.blocks import categorical_column
    >>> ClassTarget(["no", "yes"]).read(categorical_column(["yes", "maybe"]))
    (array(['yes', 'no'], dtype='<U3'), {1: "the label 'maybe' is not among the classes 'no', 'yes'."})
    """

    def __init__(self, classes: Iterable[Label], *, fixed: bool = False, late: Iterable[Sequence[Any]] = ()):
        self.fixed, self.late = fixed, [LateClass(*one) for one in late]
        last = [one.label for one in self.late]
        self._set([*sorted(set(classes) - set(last)), *last])

    def _set(self, labels: list[Label]) -> None:
        self.is_text = any(isinstance(label, str) for label in labels)
        whole = not self.is_text and all(_is_whole(float(label)) for label in labels)
        self.classes = np.array(labels, str if self.is_text else np.int64 if whole else np.float64)
        self._order = np.argsort(self.classes)

    def __copy__(self) -> "ClassTarget":
        return ClassTarget(self.classes.tolist(), fixed=self.fixed, late=self.late)

    def learn(self, block: RowBlock) -> None:
        assert block.target is not None
        unknown = np.flatnonzero(self._index(block.target) < 0)
        if self.fixed or not len(unknown):
            return
        found: dict[Label, int] = {}
        for row in unknown.tolist():
            label = value_at(block.target, row)
            # an infinite number is no label
            if label is not None and (isinstance(label, str) or np.isfinite(label)):
                found.setdefault(label, row)
        room = max(MAX_CLASSES - len(self.classes), 0)
        for label, row in list(found.items())[:room]:
            self.late.append(LateClass(label, int(block.files[row]), int(block.lines[row])))
        if found and room:
            self._set([*self.classes.tolist(), *list(found)[:room]])

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
        place = np.searchsorted(self.classes, column, sorter=self._order).clip(max=len(self.classes) - 1)
        index = self._order[place]
        return np.where(self.classes[index] == column, index, -1)

    def _why(self, column: Column, row: int) -> str:
        label = value_at(column, row)
        if label is None:
            return "the label is missing."
        known = ", ".join(repr(c) for c in self.classes[:_LISTED].tolist())
        more = f", … ({len(self.classes)} in total)" if len(self.classes) > _LISTED else ""
        given = " of --classes" if self.fixed else ""
        return f"the label {label!r} is not among the classes {known}{more}{given}."

    def as_dict(self) -> dict[str, Any]:
        return {"classes": self.classes.tolist(), "fixed": self.fixed, "late": [list(one) for one in self.late]}


class NumericTarget:
    """Numbers, for regression: (n,), or (n, targets) if there are several.

    Examples
    --------
    >>> NumericTarget().read(np.array([1.5, np.nan]))
    (array([1.5, 0. ]), {1: 'the target is missing or not a finite number.'})
    """

    def learn(self, block: RowBlock) -> None:
        """There are no classes."""

    def read(self, column: Column) -> tuple[np.ndarray, dict[int, str]]:
        values = np.full(len(column.codes), np.nan) if isinstance(column, CategoricalColumn) else column
        finite = np.isfinite(values)
        bad = np.flatnonzero(~(finite if finite.ndim == 1 else finite.all(axis=1))).tolist()
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
    """The distinct labels of a column, without missing ones.

    Parameters
    ----------
    column : array or CategoricalColumn
        A column of labels.
    """
    if isinstance(column, CategoricalColumn):
        return {column.categories[code] for code in np.unique(column.codes).tolist() if code >= 0}
    return {float(value) for value in np.unique(column[np.isfinite(column)]).tolist()}


def target_from_dict(saved: dict[str, Any]) -> Target:
    """The target that `as_dict` has described, as model files keep it.

    Parameters
    ----------
    saved : dict
        What `as_dict` returned.
    """
    if "classes" not in saved:
        return NumericTarget()
    return ClassTarget(saved["classes"], fixed=saved["fixed"], late=saved["late"])


def parse_classes(names: Sequence[str], is_text: bool) -> list[Label]:
    """Classes given by the user, in the type of the target column: text, or numbers.

    Parameters
    ----------
    names : sequence of str
        The classes, as text.
    is_text : bool
        Whether the target column is text.
    """
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
