"""Whether rows are in the order of a time, so that the order means something and must be kept."""

import re
from datetime import datetime

import numpy as np

from ..readers import RowBlock, Schema

LEAST = 20  # rows that must be in order
TIME_NAMES = {"time", "timestamp", "date", "datetime", "ts", "epoch", "unixtime", "created", "created_at"}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?|\d{4}/\d{2}/\d{2}.*")


def time_column(first: RowBlock, schema: Schema) -> str | None:
    """The column of the first rows that is a time and increases, if there is one: dates as text, or a number whose
    name is that of a time."""
    if len(first) < LEAST or not isinstance(first.numeric, np.ndarray):
        return None
    for name, values in zip(schema.numeric, first.numeric.T, strict=True):
        if name.strip().lower() in TIME_NAMES and _increases(values):
            return name
    for name, column in zip(schema.categorical, first.categorical, strict=True):
        times = np.array([*map(_seconds, column.categories), np.nan])[column.codes]
        if _increases(times):
            return name
    return None


def _increases(values: np.ndarray) -> bool:
    """Whether values never decrease, are not all equal, and hardly any is missing."""
    known = values[np.isfinite(values)]
    return len(known) >= max(0.9 * len(values), LEAST) and bool((np.diff(known) >= 0).all() and known[0] < known[-1])


def _seconds(text: str) -> float:
    """A date as a number; NaN if it is none.

    >>> _seconds("1970-01-02"), _seconds("red")
    (86400.0, nan)
    """
    if not _DATE.fullmatch(text):
        return np.nan
    try:
        found = datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return np.nan
    return (found.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds()
