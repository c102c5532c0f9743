"""What a part of the frontier is: lines that it measures, and the tables that show them."""

from collections.abc import Callable, Iterator, Sequence
from statistics import mean, stdev
from typing import Any, NamedTuple

from benchmarks.figure import Run

Line = dict[str, Any]


class Part(NamedTuple):
    """`measure` yields lines one by one, so that an interrupted part keeps those it has; `show` prints them."""

    about: str
    measure: Callable[[Run], Iterator[Line]]
    show: Callable[[Sequence[Line]], None]


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation as a cell.

    >>> spread([97.0, 98.0, 99.0]), spread([97.0])
    ('98.00 ± 1.00', '97.00')
    """
    return f"{mean(values):.2f}" + (f" ± {stdev(values):.2f}" if len(values) > 1 else "")
