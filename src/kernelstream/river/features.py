"""Dictionaries of features as rows of numbers."""

import math
import numbers
from collections.abc import Hashable, Iterable, Mapping
from operator import itemgetter
from struct import Struct, error
from typing import Any

import numpy as np

from ..core.precision import largest


class Features:
    """The column of every feature. A feature that is absent from a row is 0.

    >>> features = Features(["a", "b"])
    >>> features.read({"b": 2, "a": True}).tolist(), features.read({"b": 3.0}).tolist()
    ([1.0, 2.0], [0.0, 3.0])
    >>> features.read({"b": 3.0, "c": 1.0}) is None
    True
    """

    __slots__ = ("_known", "_pack", "_pick", "_view", "columns", "row")

    def __init__(self, names: Iterable[Hashable] = ()):
        self.columns = {name: column for column, name in enumerate(names)}
        count = len(self.columns)
        self.row = np.zeros(max(count, 1))  # a model of no features would be none
        self._view = self.row.data
        # whole rows are read without a step of Python per feature
        self._known = count if count > 1 else -1
        self._pick: Any = itemgetter(*self.columns) if count > 1 else None
        self._pack = Struct(f"{count}d").pack_into

    @property
    def width(self) -> int:
        return len(self.row)

    def read(self, x: Mapping[Hashable, Any]) -> np.ndarray | None:
        """The row, which the next call overwrites; None if x has a feature without a column."""
        try:
            # a Counter makes up what it has not, so it is read one by one
            if type(x) is dict and len(x) == self._known:
                self._pack(self._view, 0, *self._pick(x))
                return self.row
        except KeyError:
            pass  # as many features, but others
        except (error, TypeError, ValueError, OverflowError):
            raise self.refusal(x) from None
        return self._read_some(x)

    def read_known(self, x: Mapping[Hashable, Any]) -> np.ndarray:
        """The row, ignoring features without a column."""
        row = self.read(x)
        if row is None:
            row = self._read_some({name: value for name, value in x.items() if name in self.columns})
        assert row is not None
        return row

    def _read_some(self, x: Mapping[Hashable, Any]) -> np.ndarray | None:
        view, columns = self._view, self.columns
        self.row.fill(0.0)
        try:
            for name, value in x.items():
                view[columns[name]] = value
        except KeyError:
            return None
        except (TypeError, ValueError, OverflowError, AttributeError):
            raise self.refusal(x) from None
        return self.row

    def joined(self, names: Iterable[Hashable]) -> "Features":
        """With columns for new features, in an order that does not depend on the order of arrival."""
        new = sorted((name for name in names if name not in self.columns), key=repr)
        return Features([*self.columns, *new])

    def refusal(self, x: Any, dtype: Any = np.float64) -> ValueError:
        """The error that describes what is wrong with x."""
        return ValueError(reason(x, dtype) or f"{x!r} cannot be read as features; the model is unchanged.")

    def __reduce__(self) -> tuple[type["Features"], tuple[list[Hashable]]]:
        return Features, (list(self.columns),)


def reason(x: Any, dtype: Any) -> str:
    """What is wrong with x, and what to do; empty if nothing is.

    >>> reason({"colour": "red"}, "float32").partition(". ")[0]
    "Feature 'colour' is 'red', which is not a number"
    """
    if not hasattr(x, "items"):
        return f"x must be a dict of features, not {x!r}; the model is unchanged."
    for name, value in x.items():
        wrong = _wrong(value, np.dtype(dtype))
        if wrong:
            return f"Feature {name!r} is {value!r}, which is {wrong}, or leave the feature out; the model is unchanged."
    return ""


def _wrong(value: Any, dtype: np.dtype) -> str:
    if value is None:
        return "missing. Put preprocessing.StatImputer() before the model"
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        if isinstance(value, (numbers.Number, np.generic)) and not isinstance(value, (str, complex)):
            return "NaN. Put preprocessing.StatImputer() before the model"
        return "not a number. Put preprocessing.OneHotEncoder() before the model"
    if not abs(number) <= largest(dtype):
        return f"too large for {dtype.name}. Put preprocessing.StandardScaler() before the model"
    return ""
