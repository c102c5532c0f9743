"""Strategies by name, for parameters that take a word."""

from typing import TypeVar

from ..averaging import Average, Last, Mean, RandomIterate, Suffix
from ..maintenance import (
    Cheapest,
    Maintenance,
    Merge,
    MergeBestPair,
    Oldest,
    Project,
    ProjectOnNearest,
    Random,
    Remove,
    Smallest,
)
from ..strategy import Strategy

MAINTENANCE: dict[str, Maintenance] = {
    "random": Remove(Random()),
    "smallest": Remove(Smallest()),
    "oldest": Remove(Oldest()),
    "project": Project(Smallest()),
    "project-best": Project(Cheapest()),
    "project-nearest": ProjectOnNearest(4),
    "merge": Merge(),
    "merge-all": MergeBestPair(),
}
AVERAGES: dict[str, Average] = {"last": Last(), "mean": Mean(), "suffix": Suffix(), "random": RandomIterate()}


S = TypeVar("S", bound=Strategy)


def named(what: str, value: str | S, names: dict[str, S], slot: type[S]) -> S:
    """The strategy that a word stands for; a strategy as it is."""
    if isinstance(value, slot):
        return value
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{what}: {value!r} is not known. Use {', '.join(map(repr, names))}, or a {slot.__name__}.")
    return names[value]


def maintenance_named(value: str | Maintenance) -> Maintenance:
    return named("maintenance", value, MAINTENANCE, Maintenance)


def average_named(value: str | Average) -> Average:
    return named("average", value, AVERAGES, Average)
