"""Values of typed formats (JSON, Avro, databases) as numbers and categories, and what a column of them is."""

import datetime
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from .bad_lines import shown
from .cells import MAX_BAD_FRACTION, category, is_text
from .text_dates import ISO, TIME
from .text_numbers import CATEGORY, NUMBER, TEXT_KINDS, TRUTH, is_date, kind_of, read_number

_KINDS: dict[type, str] = {str: "text", list: "an array", dict: "an object", bytes: "binary"}
_NUMBERS = (int, float, Decimal)
_TIMES = (datetime.date, datetime.time)  # a datetime is a date
_MIDNIGHT, _SECOND = datetime.time(), datetime.timedelta(seconds=1)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class BadValue(ValueError):
    """A value that a column cannot have."""

    def __init__(self, value: Any, wanted: str):
        kind = _KINDS.get(type(value))
        text = shown(json.dumps(value, default=str)) if kind else _shortened(value)
        super().__init__(f"{text} is {kind}, not {wanted}." if kind else f"{text} is not {wanted}.")


def kind_of_values(values: Iterable[Any], na: Sequence[str] = ()) -> str | None:
    """The kind of a column with these first values, None for a missing one: "" for numbers, that of its cells for text.
    None if most of it is neither.

    >>> kind_of_values([1, None, 2.5]), kind_of_values(["1,5", None]), kind_of_values([datetime.date(2024, 1, 31)])
    ('', 'number, decimal comma', 'date year-month-day')
    >>> kind_of_values([1, "a"]), kind_of_values([1, "NA"]), kind_of_values([True, None]), kind_of_values([[1]])
    ('category', 'number', 'true or false', None)
    """
    present = [value for value in values if value is not None]
    most = MAX_BAD_FRACTION * len(present)  # bad values among good ones

    def all_are(*types: type) -> bool:
        return sum(not isinstance(value, types) for value in present) <= most

    if sum(isinstance(value, (list, dict, bytes)) for value in present) > most:
        return None
    if all_are(*_NUMBERS, datetime.timedelta):
        return TRUTH if present and all_are(bool) else ""
    if all_are(datetime.date) or all_are(datetime.time):
        return ISO if all_are(datetime.date) else TIME
    texts = [value for value in present if isinstance(value, str)]
    found = kind_of(texts, na) if all_are(str, *_NUMBERS) else CATEGORY
    # text beside numbers is of their kind, or makes them categories
    return found if found == NUMBER or all_are(str) else CATEGORY


def texts_in(columns: Mapping[str, Iterable[Any]]) -> dict[str, list[str]]:
    """The text among the first values of each column."""
    return {name: [value for value in values if isinstance(value, str)] for name, values in columns.items()}


def number_of(value: Any, kind: str | None = None, na: Sequence[str] = ()) -> float:
    """A finite number, or NaN for None; true and false are 1 and 0, and durations seconds. Text is read if the column
    has a kind, and dates if it has one of theirs.

    >>> number_of(True), number_of(None), number_of(Decimal("2.5")), number_of("1,5", "number, decimal comma")
    (1.0, nan, 2.5, 1.5)
    """
    if value is None:
        return math.nan
    number: float | None = None
    if isinstance(value, str):
        number = read_number(value, kind, na) if kind else math.nan if value.strip() in na else None
    elif isinstance(value, _TIMES):
        number = _seconds(value) if is_date(kind) else None
    elif isinstance(value, datetime.timedelta):
        number = value / _SECOND
    elif isinstance(value, _NUMBERS):
        try:
            number = float(value)
        except (OverflowError, ValueError):  # a Decimal may be a signalling NaN
            number = None
    if number is None or math.isinf(number):
        raise BadValue(value, TEXT_KINDS[kind].wanted if kind not in (None, NUMBER) else "a finite number")
    return number


def _seconds(value: datetime.date | datetime.time) -> float:
    """Since 1970, of a date without a zone in UTC; since midnight, of a time."""
    if isinstance(value, datetime.time):
        return (datetime.datetime.combine(_EPOCH, value.replace(tzinfo=datetime.UTC)) - _EPOCH) / _SECOND
    whole = value if isinstance(value, datetime.datetime) else datetime.datetime.combine(value, _MIDNIGHT)
    return ((whole if whole.tzinfo else whole.replace(tzinfo=datetime.UTC)) - _EPOCH) / _SECOND


def category_of(value: Any, na: Sequence[str] = ()) -> str | None:
    """Text without surrounding blanks; None if there is none, or if it is one of `na`. Dates are text in ISO 8601.

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
    return category(text, na)


def _dumped(value: Any) -> str:
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def _shortened(value: Any) -> str:
    """A number, date, or true or false, as quoted in an error.

    >>> _shortened(True), _shortened(10**300), _shortened(datetime.date(2024, 1, 31))
    ('True', '1000000000000000000000000000000000000000…', '2024-01-31')
    """
    text = value.isoformat() if isinstance(value, _TIMES) else repr(value)
    return text if len(text) <= 41 else f"{text[:40]}…"
