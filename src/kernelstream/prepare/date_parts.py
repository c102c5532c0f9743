"""Dates as features: time of day, day of the week and of the year, and the date itself where it stays in its range."""

from typing import Any, NamedTuple

import numpy as np

DAY, WEEK, YEAR = 86400.0, 7 * 86400.0, 365.2425 * 86400.0
_MONDAY = 4 * DAY  # 1970-01-05
#: name of a part → its period in seconds, and the start of one
CYCLES = {"hour": (DAY, 0.0), "weekday": (WEEK, _MONDAY), "day of year": (YEAR, 0.0)}
TREND = "date"
_CLOCK = 0.9  # rank correlation with the row number from which a date counts as a clock


class DateParts(NamedTuple):
    """The features of a date column."""

    parts: tuple[str, ...]
    unit: float = 1.0  #: of the column, per second: 1000 for milliseconds
    digits: bool = False  #: whether numbers are written as 20240131

    @property
    def width(self) -> int:
        return sum(1 if part == TREND else 2 for part in self.parts)

    def expand(self, values: np.ndarray) -> np.ndarray:
        """(rows, width): years since 1970; of a cycle the point on a circle, so that its end is near its start. NaN for
        a missing date.

        >>> DateParts(("hour",)).expand(np.array([0.0, 64800.0])).round(3).tolist()
        [[0.0, 1.0], [-1.0, -0.0]]
        """
        seconds, found = seconds_of(values, self.unit, self.digits), []
        for part in self.parts:
            if part == TREND:
                found.append(seconds / YEAR)
                continue
            period, start = CYCLES[part]
            phase = np.mod(seconds - start, period) / period
            found += [np.sin(2 * np.pi * phase), np.cos(2 * np.pi * phase)]
        return np.column_stack(found) if found else np.empty((len(values), 0))

    def as_dict(self) -> dict[str, Any]:
        return {"parts": list(self.parts), "unit": self.unit, "digits": self.digits}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "DateParts":
        return cls(tuple(saved["parts"]), float(saved["unit"]), bool(saved.get("digits", False)))


def date_parts(values: np.ndarray) -> DateParts:
    """The parts of a column of seconds since 1970, or of numbers such as 20240131, that vary in the first rows, which
    are in the order of the file. If dates rise with the rows, the next are later than all of these: then the date
    itself is no feature, nor is the day of the year in a year that is not over.
    """
    unit, digits = unit_of(values), written_as_digits(values)
    seconds = seconds_of(values[np.isfinite(values)], unit, digits)
    if not len(seconds) or seconds.min() == seconds.max():
        return DateParts((), unit, digits)
    clock = abs(rank_correlation(seconds)) > _CLOCK
    parts = []
    if len(np.unique(np.mod(seconds, DAY))) > 1:
        parts.append("hour")
    days = np.unique(np.floor(seconds / DAY))
    if len(days) > 1:
        parts.append("weekday")
    if len(days) > 1 and (not clock or days[-1] - days[0] > 366):
        parts.append("day of year")
    if len(days) > 1 and not clock:
        parts.append(TREND)
    return DateParts(tuple(parts), unit, digits)


def written_as_digits(values: np.ndarray) -> bool:
    """Whether all numbers are days from 1900 to 2099, written as 20240131.

    >>> written_as_digits(np.array([20240229.0, np.nan])), written_as_digits(np.array([20230229.0]))
    (True, False)
    """
    known = values[np.isfinite(values)]
    if not len(known) or known.min() < 19000101 or known.max() > 20991231:
        return False
    return bool(np.isfinite(seconds_of(known, digits=True)).all())


def seconds_of(values: np.ndarray, unit: float = 1.0, digits: bool = False) -> np.ndarray:
    """Seconds since 1970; NaN for a number that is no date.

    >>> seconds_of(np.array([19700102.0, 19700230.0, np.nan]), digits=True).tolist()
    [86400.0, nan, nan]
    """
    if not digits:
        return values / unit
    known = np.isfinite(values) & (values >= 10_000_000) & (values < 100_000_000) & (np.mod(values, 1.0) == 0.0)
    whole = np.where(known, values, 19700101).astype(np.int64)
    year, month, day = whole // 10_000, whole // 100 % 100, whole % 100
    known &= (month >= 1) & (month <= 12) & (day >= 1)
    first = (12 * (year - 1970) + np.where(known, month, 1) - 1).astype("datetime64[M]")
    days = first.astype("datetime64[D]")
    known &= day <= ((first + 1).astype("datetime64[D]") - days).astype(np.int64)
    return np.where(known, (days.astype(np.int64) + day - 1) * DAY, np.nan)


def unit_of(values: np.ndarray) -> float:
    """1 for seconds, 1000 for milliseconds, and so on: dates between 1938 and 5138 differ in size.

    >>> unit_of(np.array([1.7e9])), unit_of(np.array([1.7e12]))
    (1.0, 1000.0)
    """
    finite = np.abs(values[np.isfinite(values)])
    size = float(np.median(finite)) if len(finite) else 0.0
    return next((unit for unit in (1e9, 1e6, 1e3) if size / unit > 1e8), 1.0)


def rank_correlation(values: np.ndarray) -> float:
    """Spearman's, with the row number; 0 if all values are equal.

    >>> rank_correlation(np.array([1.0, 2.0, 7.0]))
    1.0
    """
    if len(values) < 2:
        return 0.0
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[index]
    rows = np.arange(len(values)) - (len(values) - 1) / 2.0
    spread = float(np.sqrt(((ranks - ranks.mean()) ** 2).sum() * (rows**2).sum()))
    return float(((ranks - ranks.mean()) * rows).sum() / spread) if spread > 0.0 else 0.0
