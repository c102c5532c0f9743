"""Two sides timed in turn: other work on the machine then slows both, and their ratio stays what it is."""

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np

Side = Callable[[], float]  # does its work and returns the seconds that count


def seconds(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def in_turn(sides: Mapping[str, Side], turns: int) -> dict[str, list[float]]:
    """The seconds of every side at every turn. Each works once beforehand, to compile and to warm the caches.

    >>> in_turn({"a": lambda: 2.0, "b": lambda: 1.0}, 2)
    {'a': [2.0, 2.0], 'b': [1.0, 1.0]}
    """
    for side in sides.values():
        side()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(turns):
        for name, side in sides.items():
            times[name].append(side())
    return times


def ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """The median over the turns of the ratio of two sides.

    >>> ratio([2.0, 9.0, 4.0], [1.0, 1.0, 2.0])
    2.0
    """
    return median(a / b for a, b in zip(above, below, strict=True))


def per_row(times: Sequence[float], rows: int) -> float:
    """Microseconds per row, the median over the turns.

    >>> per_row([1.0, 3.0, 2.0], 1_000_000)
    2.0
    """
    return 1e6 * median(times) / rows


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Of the line through log y against log x: the power of x that y grows with.

    >>> round(slope([1, 10, 100], [3, 300, 30_000]), 6)
    2.0
    """
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
