"""What is shown: amounts in words, consoles, and the bar that tells how learning goes."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

if TYPE_CHECKING:
    from ..pipeline import TrainingProgress

_PLAIN_EVERY = 10.0  # seconds between lines where no bar can be drawn


def out() -> Console:
    """For results."""
    return Console(highlight=False, soft_wrap=True)


def err() -> Console:
    """For everything else, so that results can be piped."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def size(count: float) -> str:
    """Bytes in words.

    >>> size(700), size(343568), size(5 << 20)
    ('700 bytes', '336 KiB', '5.0 MiB')
    """
    if count < 1024:
        return f"{count:.0f} bytes"
    return f"{count / 1024:,.0f} KiB" if count < 1 << 20 else f"{count / (1 << 20):,.1f} MiB"


def score(value: float, metric: str) -> str:
    """A score as it is read.

    >>> score(0.7932, "accuracy"), score(12.3456, "rmse"), score(float("nan"), "rmse")
    ('79.3 %', '12.35', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{100 * value:.1f} %" if metric == "accuracy" else f"{value:.4g}"


class Show(Protocol):
    def __call__(self, news: "TrainingProgress") -> None: ...


def _line(news: "TrainingProgress", rate: float, metric: str) -> str:
    skipped = f" · {news.skipped:,} skipped" if news.skipped else ""
    right = "right" if metric == "accuracy" else "rmse"
    return (
        f"{news.examples:,} rows · {rate:,.0f}/s · {score(news.score, metric)} {right}, lately "
        f"{score(news.window, metric)} · {news.support:,} SVs · {size(news.nbytes)}{skipped}"
    )


@contextmanager
def learning(metric: str, epochs: int, *, quiet: bool) -> Iterator[Show]:
    """A function to call with news: it draws a bar, or, where that cannot be seen, prints a line now and then."""
    console = err()
    if quiet:
        yield lambda news: None
    elif console.is_terminal:
        yield from _bar(console, metric, epochs)
    else:
        yield _lines(console, metric)


def _bar(console: Console, metric: str, epochs: int) -> Iterator[Show]:
    from rich.progress import BarColumn, Progress, TextColumn

    meter = Meter()
    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[line]}"),
    ]
    with Progress(*columns, console=console, expand=True) as progress:
        task = progress.add_task("reading", total=None, line="")

        def show(news: "TrainingProgress") -> None:
            if news.examples == 0:
                progress.update(task, description="compiling, once", line="")
                return
            done = (news.epoch + news.fraction) / epochs
            what = f"{100 * done:3.0f} %" if news.fraction > 0 else "learning"
            line = _line(news, meter.rate(news.examples), metric)
            progress.update(task, description=what, total=1.0 if news.fraction > 0 else None, completed=done, line=line)

        yield show


def _lines(console: Console, metric: str) -> Show:
    meter, seldom = Meter(), Seldom(console)
    return lambda news: seldom.print(lambda: _line(news, meter.rate(news.examples), metric))


class Seldom:
    """Lines for a log: one now and then, however often there is something to say."""

    def __init__(self, console: Console):
        self._console, self._told = console, time.monotonic()

    def print(self, line: Callable[[], str]) -> None:
        if time.monotonic() - self._told >= _PLAIN_EVERY:
            self._told = time.monotonic()
            self._console.print(line())


class Meter:
    """Examples per second over the last few seconds."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, int]] = []

    def rate(self, examples: int) -> float:
        now = time.monotonic()
        self._marks.append((now, examples))
        while len(self._marks) > 2 and now - self._marks[0][0] > 3.0:
            self._marks.pop(0)
        since, before = self._marks[0]
        return (examples - before) / (now - since) if now > since else 0.0
