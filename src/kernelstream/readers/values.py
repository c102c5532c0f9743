"""Values of typed formats (JSON, Avro, databases) as numbers and categories."""

import datetime
import json
import math
from decimal import Decimal
from typing import Any

from .bad_lines import shown
from .cells import category, is_text

_KINDS: dict[type, str] = {str: "text", list: "an array", dict: "an object", bytes: "binary"}
_TIMES = (datetime.date, datetime.time)  # a datetime is a date


class BadValue(ValueError):
    """A value that a column cannot have."""

    def __init__(self, value: Any, wanted: str):
        kind = _KINDS.get(type(value))
        text = shown(json.dumps(value, default=str)) if kind else _shortened(value)
        super().__init__(f"{text} is {kind}, not {wanted}." if kind else f"{text} is not {wanted}.")


def number_of(value: Any) -> float:
    """A finite number, or NaN for None; true and false are 1 and 0.

    >>> number_of(True), number_of(None), number_of(Decimal("2.5"))
    (1.0, nan, 2.5)
    """
    if value is None:
        return math.nan
    try:
        number = float(value) if isinstance(value, (int, float, Decimal)) else math.inf
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise BadValue(value, "a finite number")
    return number


def category_of(value: Any) -> str | None:
    """Text without surrounding blanks; None if there is none. Dates are text in ISO 8601.

    >>> category_of(" a "), category_of(True), category_of(datetime.date(2020, 1, 2)), category_of(" ")
    ('a', 'true', '2020-01-02', None)
    """
    if value is None:
        return None
    if isinstance(value, (dict, list, bytes)):
        raise BadValue(value, "text or a number")
    text = value if isinstance(value, str) else value.isoformat() if isinstance(value, _TIMES) else _dumped(value)
    if not is_text(text):
        raise BadValue(value, "valid text: it contains half a character")
    return category(text)


def _dumped(value: Any) -> str:
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def _shortened(value: Any) -> str:
    """A number, or true or false, as quoted in an error.

    >>> _shortened(True), _shortened(10**300)
    ('True', '1000000000000000000000000000000000000000…')
    """
    text = repr(value)
    return text if len(text) <= 41 else f"{text[:40]}…"
