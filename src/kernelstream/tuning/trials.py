"""Candidates before the judge: the first λ for those that are opened, larger ones only where they can matter."""

from collections.abc import Callable, Iterable, Iterator

from ..core.parallel import WORTH, in_order
from .judging import Verdicts, winner

LEADERS = 2  # candidates that are judged with every λ


class Trials:
    """`start(name)` yields the verdicts on a candidate so far, after every λ."""

    def __init__(self, start: Callable[[str], Iterator[Verdicts]], base: str):
        self.start, self.base = start, base
        self.verdicts: dict[str, Verdicts] = {}
        self._running: dict[str, Iterator[Verdicts]] = {}

    def open(self, names: Iterable[str]) -> None:
        """Judge these with the first λ."""
        self._running.update((name, self.start(name)) for name in names)
        self._take(list(names), next)

    def undecided(self) -> bool:
        """Whether none is surely better than the base."""
        return winner(self.verdicts, self.base)[0] == self.base

    def decide(self) -> tuple[str, float]:
        """The candidate to take, and its λ."""
        leaders = sorted(self.verdicts, key=lambda name: self.verdicts[name].best())[:LEADERS]
        self._finish(leaders)
        if self.undecided() and self.base not in leaders:
            self._finish([self.base])
        return winner(self.verdicts, self.base)

    def _finish(self, names: list[str]) -> None:
        def last(running: Iterator[Verdicts]) -> Verdicts | None:
            found = None
            for found in running:  # noqa: B007 - the last one
                pass
            return found

        self._take(names, last)

    def _take(self, names: list[str], step: Callable[[Iterator[Verdicts]], Verdicts | None]) -> None:
        found = in_order(lambda name: step(self._running[name]), names, WORTH)
        self.verdicts.update((name, new) for name, new in zip(names, found, strict=True) if new is not None)
