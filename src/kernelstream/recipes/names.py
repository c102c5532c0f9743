"""Strategies by name, for parameters that accept a string."""

from typing import TypeVar

from ..core.strategy import Strategy
from ..maintenance import (
    Cheapest,
    LargestMargin,
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
from ..output import Last, Mean, Output, RandomIterate, RandomSuffixIterate, Suffix

MAINTENANCE: dict[str, Maintenance] = {
    "random": Remove(Random()),
    "smallest": Remove(Smallest()),
    "oldest": Remove(Oldest()),
    "largest-margin": Remove(LargestMargin()),
    "project": Project(Smallest()),
    "project-best": Project(Cheapest()),
    "project-nearest": ProjectOnNearest(4),
    "merge": Merge(),
    "merge-all": MergeBestPair(),
}
OUTPUTS: dict[str, Output] = {
    "last": Last(),
    "mean": Mean(),
    "suffix": Suffix(),
    "random": RandomIterate(),
    "random-suffix": RandomSuffixIterate(),
}


S = TypeVar("S", bound=Strategy)


def named(what: str, value: str | S, names: dict[str, S], base: type[S]) -> S:
    """The strategy of this name; a strategy is returned unchanged."""
    if isinstance(value, base):
        return value
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"unknown {what} {value!r}. Available: {', '.join(map(repr, names))}; or a {base.__name__}.")
    return names[value]


def maintenance_named(value: str | Maintenance) -> Maintenance:
    return named("maintenance", value, MAINTENANCE, Maintenance)


def output_named(value: str | Output) -> Output:
    return named("output", value, OUTPUTS, Output)
