"""Whether rows are in the order of a time, so that the order means something and must be kept."""

import numpy as np

from ..readers import RowBlock, Schema
from ..readers.text_numbers import is_date

LEAST = 20  # rows that must be in order
TIME_NAMES = {"time", "timestamp", "date", "datetime", "ts", "epoch", "unixtime", "created", "created_at"}


def time_column(first: RowBlock, schema: Schema) -> str | None:
    """The column of the first rows that is a time and increases, if there is one: dates, or a number whose name is that
    of a time."""
    if len(first) < LEAST or not isinstance(first.numeric, np.ndarray):
        return None
    for name, values in zip(schema.numeric, first.numeric.T, strict=True):
        is_time = is_date(schema.kinds.get(name)) or name.strip().lower() in TIME_NAMES
        if is_time and _increases(values):
            return name
    return None


def _increases(values: np.ndarray) -> bool:
    """Whether values never decrease, are not all equal, and hardly any is missing."""
    known = values[np.isfinite(values)]
    return len(known) >= max(0.9 * len(values), LEAST) and bool((np.diff(known) >= 0).all() and known[0] < known[-1])
