"""Strategies by name, for parameters that take a word."""

from typing import TypeVar

from ..core.strategy import Strategy
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
from ..output import Last, Mean, Output, RandomIterate, Suffix

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
OUTPUTS: dict[str, Output] = {"last": Last(), "mean": Mean(), "suffix": Suffix(), "random": RandomIterate()}


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


def output_named(value: str | Output) -> Output:
    return named("output", value, OUTPUTS, Output)
