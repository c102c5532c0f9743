"""Measure what is not recorded yet; results by set, learner and budget are means over the shuffles."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from statistics import mean
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks.streams.records import Key, Record, Records, versions
from benchmarks.untuned import learners, sets


class Wanted(NamedTuple):
    """One fit."""

    data: str
    learner: str
    budget: int | None  #: None for those that have none
    shuffle: int

    @property
    def label(self) -> str:
        return label(self.learner, self.budget)

    @property
    def key(self) -> Key:
        """As records name it."""
        return Key(self.data, self.label, sets.CAP, self.shuffle)


class Failure(NamedTuple):
    """A learner that stopped with an error; it is not recorded, and tried again next time."""

    wanted: Wanted
    reason: str

    def __str__(self) -> str:
        return f"{self.wanted.label} failed on {self.wanted.data}: {self.reason}"


class Figure(NamedTuple):
    """A learner on a set."""

    scores: tuple[float, ...]  #: of shuffles 1, 2, …
    seconds: tuple[float, ...]
    last_fit: tuple[float, ...]  #: of the seconds, without those of a search that is apart
    rows: int  #: that were learned

    @property
    def score(self) -> float:
        return mean(self.scores)


Figures = dict[tuple[str, str], Figure]  # by set and label


def label(learner: str, budget: int | None) -> str:
    """
    >>> label("tuned", 500), label("HGB", None)
    ('tuned-500', 'HGB')
    """
    return learner if budget is None else f"{learner}-{budget}"


def every(data: Sequence[str], names: Sequence[str], budgets: Sequence[int], shuffles: int) -> list[Wanted]:
    """All fits, set by set, so that each is read once."""
    return [
        Wanted(name, learner, budget, shuffle)
        for name in data
        for shuffle in range(1, shuffles + 1)
        for learner in names
        for budget in (budgets if learners.LEARNERS[learner].ours else (None,))
    ]


def measure(wanted: Wanted) -> Record | Failure:
    """One fit on one thread, and everything that was found."""
    data, learner = sets.SETS[wanted.data], learners.LEARNERS[wanted.learner]
    with threadpool_limits(1):
        try:
            rows = sets.split(data, wanted.shuffle)
            found = learners.measured(learner, rows, data.regression, wanted.shuffle, wanted.budget or 0)
        # one learner that fails must not end a run of hours
        except Exception as error:
            return Failure(wanted, f"{type(error).__name__}: {error}")
    return {**wanted.key._asdict(), **found, "versions": versions()}


def run(
    wanted: Sequence[Wanted], records: Records, again: bool, tell: Callable[[Wanted], None]
) -> Iterator[Record | Failure]:
    """Recorded results where there are, otherwise new ones, which are recorded."""
    for each in wanted:
        tell(each)
        found: Record | Failure | None = None
        if not again:
            found = records.of(each.key, learners.LEARNERS[each.learner].versions)
        if found is None:
            found = measure(each)
            if not isinstance(found, Failure):
                records.add(found)
        yield found


def figures(found: Iterable[Record], shuffles: int, least: int | None = None) -> Figures:
    """Those that have every shuffle, or with `least` the first ones, and at least so many of them."""
    grouped: dict[tuple[str, str], dict[int, Record]] = {}
    for record in found:
        grouped.setdefault((record["stream"], record["learner"]), {})[record["seed"]] = record
    own = {pair: list(takewhile(bool, map(group.get, range(1, shuffles + 1)))) for pair, group in grouped.items()}
    wanted = shuffles if least is None else least
    return {pair: _figure([each for each in group if each]) for pair, group in own.items() if len(group) >= wanted}


def _figure(group: Sequence[Record]) -> Figure:
    return Figure(
        tuple(each["score"] for each in group), tuple(each["seconds"] for each in group),
        tuple(each["last_fit"] if "last_fit" in each else each["seconds"] for each in group), group[0]["n"],
    )  # fmt: skip
