"""Several recipes on one stream, which is read once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..readers import FileStream, RaiseOnBad, RowReader, SkipBad
from ..recipes import RECIPES
from .beginning import look
from .curve import Curve
from .learner import Estimator, fitting, make_estimator, parameters_of
from .settings import Settings
from .stream_pipeline import learn
from .training import batch_size


@dataclass
class Entrant:
    """A recipe, and how it does; `fault` says why it cannot take part, or go on."""

    name: str
    estimator: Estimator
    curve: Curve
    seconds: float = 0.0  #: of all turns but the first, which compiles
    fault: str = ""
    first: int = 0  #: rows of the first turn

    @property
    def rate(self) -> float | None:
        """Rows predicted and learned per second, once compiled."""
        return (self.curve.now.examples - self.first) / self.seconds if self.seconds > 0 else None


def suitable(task: str, *, every: bool = False) -> list[str]:
    """Recipes for a stream without end: those with a budget, or a fixed number of features; `every` for all.

    >>> "krls" in suitable("classification", every=True), "pegasos" in suitable("classification")
    (False, False)
    """
    names = [name for name in RECIPES if task == "regression" or name != "krls"]
    return names if every else [n for n in names if {"budget", "frequencies"} & parameters_of(n).keys()]


def enter(settings: Settings, names: Sequence[str]) -> list[Entrant]:
    """Entrants that have learned nothing. A parameter goes to those recipes that take it."""
    given, metric = settings.parameters, "rmse" if settings.task == "regression" else "accuracy"
    for name in given:
        if not any(fitting(recipe, {name: None}) for recipe in names):
            raise ValueError(f"None of the recipes {', '.join(names)} takes {name}.")
    entrants = []
    for name in names:
        estimator = make_estimator(replace(settings, algorithm=name, parameters=fitting(name, given)))
        entrants.append(Entrant(name, estimator, Curve(metric)))
    return entrants


class Comparison:
    """Entrants that predict and learn the same batches in turn."""

    def __init__(
        self, sources: Sequence[str], settings: Settings, entrants: Sequence[Entrant], *, skip_bad: bool = False
    ):
        self.settings, self.entrants, self.taken = settings, entrants, 0
        self.stream = FileStream(sources, settings.reading)
        self.rows = RowReader(self.stream, policy=SkipBad() if skip_bad else RaiseOnBad())

    @property
    def running(self) -> list[Entrant]:
        return [entrant for entrant in self.entrants if not entrant.fault]

    def steps(self) -> Iterator[Entrant]:
        """Learn; an entrant before each of its turns."""
        limit = self.settings.limit
        try:
            first = look(self.settings, self.stream, self.rows)
            for entrant in self.running:
                _turn(entrant, first.begin)
            while self.running:
                count = batch_size(self.taken)
                block = self.rows.take(count if limit is None else min(count, limit - self.taken))
                if block is None:
                    return
                self.taken += len(block)
                block, X, y = first.intake.usable(block, self.rows.refuse, learn=True)
                for entrant in self.running if len(block) else ():
                    yield entrant
                    start, fresh = time.perf_counter(), entrant.curve.now.examples == 0
                    _turn(entrant, partial(learn, curve=entrant.curve, X=X, y=y, test=True))
                    if fresh:
                        entrant.first = len(y)
                    else:
                        entrant.seconds += time.perf_counter() - start
        finally:
            self.rows.close()


def _turn(entrant: Entrant, turn: Callable[[Estimator], None]) -> None:
    """Who cannot go on leaves, and the others stay."""
    try:
        turn(entrant.estimator)
    except ValueError as error:
        entrant.fault = str(error)
