"""Dates and times as text, read as seconds since 1970, in UTC if they have a zone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NamedTuple

ISO, TIME = "date year-month-day", "time of day"
_TIME = (
    r"(?P<H>[0-9]{1,2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?\s?(?P<z>Z|z|UTC|GMT|[+-][0-9]{2}:?(?:[0-9]{2})?)?"
)
_YEAR, _MONTH, _DAY = r"(?P<y>[0-9]{4})", r"(?P<m>[0-9]{1,2})", r"(?P<d>[0-9]{1,2})"
_SHORT = r"(?P<y>[0-9]{4}|[0-9]{2})"  # a year, which may have two digits
_NAMES = {name: month for month, names in enumerate(
    ("jan", "feb", "mar mär mrz", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"), 1
) for name in names.split()}  # fmt: skip
_NAME = rf"(?P<b>(?:{'|'.join(_NAMES)})[a-zä]*)\.?"
_WEEKDAY = r"(?:[A-Za-z]{2,10}\.?,\s*)?"
_CENTURY = 69  # 69 is 1969, and 68 is 2068, as in POSIX


def _dated(date: str) -> "re.Pattern[str]":
    return re.compile(rf"\s*{date}(?:(?:T|,?\s+(?:at\s+)?){_TIME})?\s*", re.IGNORECASE)


def _iso_converted(texts: Any) -> Any:
    """Seconds of pyarrow's strings, or None if one is unusual."""
    import pyarrow
    from pyarrow import compute

    texts = compute.utf8_trim_whitespace(texts)
    for zone, unit, ticks in ((None, "us", 1e6), ("UTC", "us", 1e6), (None, "ns", 1e9), ("UTC", "ns", 1e9)):
        try:  # all with a zone, or all without
            found = texts.cast(pyarrow.timestamp(unit, zone))
        except pyarrow.ArrowException:
            continue
        return compute.divide(found.cast(pyarrow.int64()).cast(pyarrow.float64(), safe=False), ticks)
    return None


class DateForm(NamedTuple):
    pattern: "re.Pattern[str] | None"
    convert: Callable[[Any], Any] | None = None  #: many at once, if that is possible
    forms: tuple[str, ...] = ()  #: or the names of several that are tried in turn


_ONE: dict[str, DateForm] = {
    ISO: DateForm(_dated(rf"{_YEAR}-{_MONTH}-{_DAY}"), _iso_converted),
    "date year/month/day": DateForm(_dated(rf"{_YEAR}/{_MONTH}/{_DAY}")),
    "date day.month.year": DateForm(_dated(rf"{_DAY}\.\s?{_MONTH}\.\s?{_SHORT}")),
    "date month/day/year": DateForm(_dated(rf"{_MONTH}/{_DAY}/{_SHORT}")),
    "date day/month/year": DateForm(_dated(rf"{_DAY}/{_MONTH}/{_SHORT}")),
    "date day-month-year": DateForm(_dated(rf"{_DAY}-{_MONTH}-{_YEAR}")),
    "date month-day-year": DateForm(_dated(rf"{_MONTH}-{_DAY}-{_YEAR}")),
    "date day, name of the month, year": DateForm(
        _dated(rf"{_WEEKDAY}{_DAY}(?:st|nd|rd|th|\.)?[\s/-]*{_NAME},?[\s/-]*{_SHORT}")
    ),
    "date name of the month, day, year": DateForm(
        _dated(rf"{_WEEKDAY}{_NAME}[\s-]*{_DAY}(?:st|nd|rd|th)?(?:,\s*|[\s-]+){_SHORT}")
    ),
    TIME: DateForm(re.compile(rf"\s*{_TIME}\s*")),
}
_MONTH_FIRST, _DAY_FIRST = (
    (f"date {first}/{second}/year", f"date {first}-{second}-year")
    for first, second in (("month", "day"), ("day", "month"))
)
_PLAIN = tuple(kind for kind in _ONE if kind not in (*_MONTH_FIRST, *_DAY_FIRST, TIME))
_SEVERAL = "date of several forms"
DATES: dict[str, DateForm] = _ONE | {
    _SEVERAL: DateForm(None, None, _PLAIN),
    f"{_SEVERAL}, month first": DateForm(None, None, (*_PLAIN, *_MONTH_FIRST)),
    f"{_SEVERAL}, day first": DateForm(None, None, (*_PLAIN, *_DAY_FIRST)),
}
#: kinds that differ in which number is the day: if a column does not say, it is read as neither
EITHER = [{_MONTH_FIRST[0], _DAY_FIRST[0]}, {f"{_SEVERAL}, month first", f"{_SEVERAL}, day first"}]


def parse_date(text: str, kind: str = ISO) -> float | None:
    """Seconds since 1970 of a date, or since midnight of a time; None if it is neither.

    >>> parse_date("1970-01-02"), parse_date("1970-01-01T01:00:00.5+01:00"), parse_date("2024-02-30")
    (86400.0, 0.5, None)
    >>> parse_date("2.1.1970 13:00", "date day.month.year"), parse_date("1:05 pm", "time of day")
    (133200.0, 47100.0)
    >>> parse_date("2 Jan 1970", "date day, name of the month, year"), parse_date("1/2/70", "date month/day/year")
    (86400.0, 86400.0)
    """
    form = DATES[kind]
    if form.pattern is None:
        tried = (parse_date(text, one) for one in form.forms)
        return next((seconds for seconds in tried if seconds is not None), None)
    found = form.pattern.fullmatch(text)
    if found is None:
        return None
    part = {"y": "1970", "m": "1", "d": "1"} | {name: value for name, value in found.groupdict().items() if value}
    if "b" in part:
        part["m"] = str(_NAMES[part["b"][:3].lower()])
    year = int(part["y"])
    if len(part["y"]) == 2:
        year += 2000 if year < _CENTURY else 1900
    hour = int(part.get("H", 0))
    if "half" in part:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if part["half"] in "Pp" else 0)
    try:
        when = datetime(
            year, int(part["m"]), int(part["d"]), hour, int(part.get("M", 0)), int(part.get("S", 0)),
            int(part.get("f", "0").ljust(6, "0")[:6]), _zone(part.get("z", "Z")),
        )  # fmt: skip
    except ValueError:
        return None
    return (when - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)


def _zone(text: str) -> timezone:
    if text.upper() in ("Z", "UTC", "GMT"):
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    return timezone((-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))
