"""What the values of a column in memory are: numbers, dates, times, or text."""

import datetime
import numbers
from typing import Any

import numpy as np

from ..readers.arrow import import_pyarrow
from ..readers.arrow_numbers import seconds_or_numbers
from .raw_tables import Column

NUMBERS, DATES, TIMES, TEXT = "numbers", "dates", "times", "text"


def form_of(column: Column) -> str:
    """The form of a column; text if only some of its values are text, and if all are missing, numbers.

    >>> [form_of(values) for values in ([1, None], [True], ["1", 2], [datetime.date(2024, 1, 31)], [None])]
    ['numbers', 'numbers', 'text', 'dates', 'numbers']
    """
    if not isinstance(column, list):
        return _arrow_form(column.type)
    kinds = {kind for kind in set(map(type, column)) if not _is_missing(kind)}
    if all(_is_number(kind) for kind in kinds):
        return NUMBERS
    if all(issubclass(kind, (datetime.date, np.datetime64)) for kind in kinds):
        return DATES
    return TIMES if all(issubclass(kind, datetime.time) for kind in kinds) else TEXT


def _is_missing(kind: type) -> bool:
    return kind is type(None) or kind.__name__ in ("NAType", "NaTType")


def _is_number(kind: type) -> bool:
    return issubclass(kind, (numbers.Number, np.bool_)) and not issubclass(kind, (complex, np.complexfloating))


def _arrow_form(kind: Any) -> str:
    types = import_pyarrow("csv").types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    number = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal, types.is_null, types.is_duration)
    if any(test(kind) for test in number):
        return NUMBERS
    if types.is_timestamp(kind) or types.is_date(kind):
        return DATES
    return TIMES if types.is_time(kind) else TEXT


def as_numbers(column: Column) -> np.ndarray | None:
    """Float64, NaN for a missing value, and seconds for dates and times of Arrow; None if a value is too large."""
    if not isinstance(column, list):
        types = import_pyarrow("csv").types
        plain = column.cast(column.type.value_type) if types.is_dictionary(column.type) else column
        found: np.ndarray = seconds_or_numbers(plain).to_numpy()
        return found
    try:
        return np.array([None if _is_missing(type(value)) else value for value in column], np.float64)
    except OverflowError:
        return None
