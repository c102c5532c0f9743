"""The order in which a run learns rows: shuffled, or as they come; and the rows that are held out."""

import os
from typing import NamedTuple

from ..readers import FileStream, RowReader, SkipBad
from .settings import Settings
from .time_order import time_column

HELD = 10_000  # rows held out at most
SHARE = 0.1  # of the rows that are held out, if nothing is said,
_ENOUGH = 500  # and if there are this many
_MOST_MEMORY = 2 << 30
_FIRST = 8192


class Order(NamedTuple):
    """Whether rows are shuffled, and why, as the summary of a run says it."""

    shuffled: bool
    why: str


def order_of(settings: Settings, stream: FileStream) -> Order:
    """The order that was asked for. If none was, files are shuffled, unless a half-life was given, and pipes are
    learned in order, because they can be read only once. Rows in the order of time are shuffled too, since most files
    that have a date are no drifting streams; the report says what that means."""
    if settings.shuffle and not stream.repeatable:
        raise ValueError(
            "Standard input and pipes can be read only once, so that their rows cannot be shuffled. Save the data to a "
            "file, or leave --shuffle out."
        )
    if settings.shuffle is not None:
        return Order(settings.shuffle, "shuffled (--shuffle)" if settings.shuffle else "in order (--in-order)")
    if not stream.repeatable:
        return Order(False, "in order, as they come; files are shuffled")
    if settings.parameters.get("half_life") is not None:
        return Order(False, "in order, because there is a half-life; --shuffle shuffles them")
    column = _time_column(settings, stream)
    if column is not None:
        return Order(
            True,
            f"shuffled, though column {column!r} is a time that increases: rows of a later time may be predicted worse "
            "than those held out; --in-order judges by later rows, and follows drift",
        )
    return Order(True, "shuffled; --in-order learns them as they come")


def _time_column(settings: Settings, stream: FileStream) -> str | None:
    # opened separately: what the run reads starts at the beginning
    rows = RowReader(FileStream(stream.files[:1], stream.options, stream.schema), policy=SkipBad())
    try:
        first = rows.peek(min(settings.first, _FIRST))
        return None if first is None else time_column(first, stream.schema)
    finally:
        rows.close()


def held_out(settings: Settings, rows: int) -> int:
    """How many of the rows are held out."""
    if settings.holdout is None:
        return min(int(SHARE * rows), HELD) if rows >= _ENOUGH else 0
    return min(int(settings.holdout * rows), HELD)


def shuffle_memory() -> int:
    """Bytes for the rows that are shuffled together: a quarter of the machine's memory, and at most 2 GiB."""
    try:
        return min(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4, _MOST_MEMORY)
    except (AttributeError, ValueError, OSError):  # not on this system
        return _MOST_MEMORY // 2
