"""The first rows of a model, which are collected until there are enough to initialise it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.precision import HEAVIEST
from ..pipeline import Settings, StreamPipeline
from ..pipeline.settings import make_estimator
from ..pipeline.train_pipeline import settings_of
from .limits import Limits
from .refused_request import RefusedRequest
from .row_checks import RefusedRow, check_count, is_unicode, json_name, wrong_value

FIRST_ROWS = 256
KINDS = {"number": "numeric", "category": "categorical", "date": "dates"}


class ModelPlan:
    """How a model is made of its first rows, as whoever created it asked.

    >>> plan = ModelPlan({"target": "y", "columns": {"x": "number"}, "classes": ["a", "b"]})
    >>> plan.check([{"x": 1.0, "y": "a", "other": 3}, {"x": "one", "y": "b"}], Limits())
    ([{'x': 1.0, 'y': 'a'}], [0], [RefusedRow(row=1, column='x', reason="'one' is not a number.")])
    """

    def __init__(self, asked: Mapping[str, Any]):
        given = dict(asked)
        self.asked = dict(asked)
        self.rows: int = given.pop("first_rows", FIRST_ROWS)
        self.columns: dict[str, str] = given.pop("columns", None) or {}
        self.target: str = given["target"]
        self.weight: str | None = given.get("weight")
        for what, name in (("target", self.target), ("weight", self.weight)):
            if name in self.columns:
                raise RefusedRequest(422, f"The {what} {name!r} is also among the columns. Leave it out there.")
        if self.weight == self.target:
            raise RefusedRequest(422, f"The column {self.target!r} is the target, and cannot be the weight as well.")
        for name, kind in self.columns.items():
            if kind not in KINDS:
                raise RefusedRequest(422, f"The column {name!r} has the kind {kind!r}; use one of {', '.join(KINDS)}.")
            given.setdefault(KINDS[kind], []).append(name)
        if ":" in str(given.get("algorithm", "")):
            raise RefusedRequest(422, "The algorithm must be the name of a recipe: a server imports no modules.")
        self._given = given
        try:
            self.settings: Settings = settings_of(given)
            make_estimator(self.settings)
        except (ValueError, TypeError) as error:
            raise RefusedRequest(422, str(error)) from None

    def check(self, rows: Any, limits: Limits) -> tuple[list[dict[str, Any]], list[int], list[RefusedRow]]:
        """The rows that can be kept, their numbers, and the others."""
        rows = rows if isinstance(rows, list) else rows.to_pylist()
        check_count(len(rows), limits)
        found, kept, bad = list[dict[str, Any]](), list[int](), list[RefusedRow]()
        for i, row in enumerate(rows):
            wrong = self._wrong(i, row, limits)
            if wrong is None:
                kept.append(i)
                found.append({name: row[name] for name in self._names(row)})
            else:
                bad.append(wrong)
        return found, kept, bad

    def _names(self, row: Mapping[str, Any]) -> Sequence[str]:
        others = [self.target] if self.weight is None else [self.target, self.weight]
        return [*self.columns, *others] if self.columns else [*row, *(name for name in others if name not in row)]

    def _wrong(self, i: int, row: Any, limits: Limits) -> RefusedRow | None:
        if not isinstance(row, Mapping):
            return RefusedRow(i, None, f"a row is an object with columns by name, not {json_name(row)}.")
        if len(row) > limits.columns:
            return RefusedRow(i, None, f"the row has {len(row):,} columns; the maximum is {limits.columns:,}.")
        for name in self._names(row):
            if name not in row:
                return RefusedRow(i, name, "the column is absent. If its value is missing, send null.")
            value = row[name]
            why = wrong_value(value, limits) or self._wrong_kind(name, value)
            if len(name) > limits.text:
                why = f"the name has {len(name):,} characters; the maximum is {limits.text:,}."
            if not is_unicode(name):
                return RefusedRow(i, None, "the name of a column has half of a surrogate pair, which is no character.")
            if why is not None:
                return RefusedRow(i, name[:80], why)
        if row.get(self.target) is None or row[self.target] == "":
            return RefusedRow(i, self.target, "the target is missing.")
        return None

    def _wrong_kind(self, name: str, value: Any) -> str | None:
        if name == self.weight and not (_is_number(value) and 0.0 <= float(value) <= HEAVIEST):
            return f"the weight must be a number from 0 to {HEAVIEST:g}."
        number = self.columns.get(name) == "number" or (name == self.target and self.settings.task == "regression")
        if number and value is not None and not _is_number(value):
            return f"{value!r} is not a number."
        if isinstance(value, (int, float)) and not _is_number(value):
            return "the number is not finite, or too large."
        classes = self.settings.classes
        if name == self.target and classes is not None and value is not None and not _is_class(value, classes):
            return f"the label {value!r} is not among the classes {', '.join(map(repr, classes[:10]))}."
        return None

    def initialise(self, rows: list[dict[str, Any]]) -> StreamPipeline:
        """A model that has learned these rows; a ValueError says why it cannot be made of them."""
        return StreamPipeline.train(rows, skip_bad=True, **self._given | {"shuffle": False})  # they are a stream


def _is_number(value: Any) -> bool:
    try:
        return math.isfinite(float(value)) and abs(float(value)) < 1e30
    except (ValueError, TypeError, OverflowError):
        return False


def _is_class(value: Any, classes: Sequence[str]) -> bool:
    if str(value) in classes:
        return True
    known = {float(name) for name in classes if _is_number(name)}
    return _is_number(value) and not isinstance(value, str) and float(value) in known
