"""What a figure is, and what it finds: a ratio of two times measured in one run, and the bar that it must keep."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmarks.data import Dataset, load
from kernelstream.datasets import DataUnavailable


class Bar(NamedTuple):
    """The least and the greatest value that pass; None where there is no limit.

    >>> str(Bar(high=2.5)), str(Bar(low=10.0)), str(Bar(0.95, 1.05))
    ('≤ 2.50', '≥ 10.0', '0.950 to 1.05')
    >>> Bar(high=2.5).holds(2.5), Bar(low=10.0).holds(9.9), Bar(high=2.5).holds(float("nan"))
    (True, False, False)
    """

    low: float | None = None
    high: float | None = None

    def holds(self, value: float) -> bool:
        above = value == value if self.low is None else value >= self.low
        return above and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.low is None:
            return f"≤ {number(self.high)}"
        return f"≥ {number(self.low)}" if self.high is None else f"{number(self.low)} to {number(self.high)}"


class Result(NamedTuple):
    """One line of the table. The ratio is judged; where there is none, what is ours.

    >>> Result("a pass", 3.0, 1.5, "µs", 2.0, Bar(high=2.5)).passed
    True
    >>> Result("a pass", 3.0, 1.5, "µs", 2.0, Bar(high=2.5), also=False).passed
    False
    >>> Result("first fit", 9.0, unit="s", bar=Bar(high=8.0)).passed
    False
    """

    figure: str
    ours: float | None = None
    reference: float | None = None
    unit: str = "µs"
    ratio: float | None = None
    bar: Bar | None = None
    also: bool = True  #: whether all else holds that the bar asks for, such as an accuracy
    details: Mapping[str, Any] = {}

    @property
    def passed(self) -> bool | None:
        value = self.ours if self.ratio is None else self.ratio
        return None if self.bar is None or value is None else self.bar.holds(value) and self.also

    def as_dict(self) -> dict[str, Any]:
        bar = self.bar and self.bar._asdict()
        return self._asdict() | {"bar": bar, "details": dict(self.details), "passed": self.passed}


class Run(NamedTuple):
    """How to measure, and whom to tell what is measured now, or why something is not."""

    quick: bool
    tell: Callable[[str], None] = lambda what: None
    note: Callable[[str], None] = lambda sentence: None

    def choose(self, usual: int, quick: int) -> int:
        return quick if self.quick else usual

    def data(self, name: str) -> Dataset | None:
        """A data set, or None and a sentence if its files are not here."""
        self.tell(f"reading {name}")
        try:
            return load(name)
        except DataUnavailable as missing:
            self.note(f"{name} is left out: {missing}")
            return None


class Figure(NamedTuple):
    """A family of lines under a name; `measure` yields them."""

    name: str
    about: str
    measure: Callable[[Run], Iterator[Result]]


def number(value: float | None) -> str:
    """Three digits, without an exponent where none is needed.

    >>> number(0.31234), number(12345.6), number(None)
    ('0.312', '12,346', '')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:#.3g}".rstrip(".")


def cells(result: Result) -> tuple[str, ...]:
    """A line as the table shows it, up to the verdict."""

    def amount(value: float | None) -> str:
        return "" if value is None else f"{number(value)} {result.unit}".rstrip()

    return (
        result.figure, amount(result.ours), amount(result.reference), number(result.ratio), str(result.bar or ""),
    )  # fmt: skip
