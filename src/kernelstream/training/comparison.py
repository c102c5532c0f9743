"""Several recipes on one stream, which is read once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..readers import Refuse, Rows, Skip, Stream
from ..recipes import RECIPES
from .beginning import look
from .curve import Curve
from .learner import Estimator, fitting, make_estimator, parameters_of
from .settings import Settings
from .trained import learn
from .training import batch_size


@dataclass
class Entrant:
    """A recipe, and how it does; `fault` says why it cannot take part, or go on."""

    name: str
    curve: Curve
    estimator: Estimator | None = None
    seconds: float = 0.0
    fault: str = ""


def suitable(task: str, *, every: bool = False) -> list[str]:
    """Recipes for a stream without end: those with a budget, or a fixed number of features; `every` for all.

    >>> "krls" in suitable("classification", every=True), "pegasos" in suitable("classification")
    (False, False)
    """
    names = [name for name in RECIPES if task == "regression" or name != "krls"]
    return names if every else [n for n in names if {"budget", "frequencies"} & parameters_of(n).keys()]


class Comparison:
    """Entrants that predict and learn the same batches in turn."""

    def __init__(self, sources: Sequence[str], settings: Settings, names: Sequence[str], *, skip_bad: bool = False):
        metric = "rmse" if settings.task == "regression" else "accuracy"
        self.settings, self.entrants = settings, [Entrant(name, Curve(metric)) for name in names]
        for entrant in self.entrants:
            self._enter(entrant)
        self.stream = Stream(sources, settings.reading)
        self.rows = Rows(self.stream, policy=Skip() if skip_bad else Refuse())
        self.taken = 0

    def _enter(self, entrant: Entrant) -> None:
        """Those parameters that a recipe does not take are not for it."""
        given = self.settings.parameters
        own = replace(self.settings, algorithm=entrant.name, parameters=fitting(entrant.name, given))
        entrant.estimator = make_estimator(own)

    @property
    def running(self) -> list[Entrant]:
        return [entrant for entrant in self.entrants if not entrant.fault]

    def steps(self) -> Iterator[Entrant]:
        """Learn; an entrant before each of its turns."""
        limit = self.settings.limit
        try:
            first = look(self.settings, self.stream, self.rows)
            for entrant in self.running:
                _careful(entrant, lambda estimator: first.begin(estimator))
            while self.running:
                count = batch_size(self.taken)
                block = self.rows.take(count if limit is None else min(count, limit - self.taken))
                if block is None:
                    return
                self.taken += len(block)
                block, X, y = first.intake.usable(block, self.rows.refuse, learn=True)
                for entrant in self.running if len(block) else ():
                    yield entrant
                    _careful(entrant, lambda estimator, e=entrant, X=X, y=y: learn(estimator, e.curve, X, y, test=True))
        finally:
            self.rows.close()


def _careful(entrant: Entrant, turn: Callable[..., None]) -> None:
    """A turn, timed. Who cannot go on leaves, and the others stay."""
    start = time.perf_counter()
    try:
        turn(entrant.estimator)
    except ValueError as error:
        entrant.fault = str(error)
    entrant.seconds += time.perf_counter() - start
