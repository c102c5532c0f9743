"""Output to the terminal: consoles, numbers as text, aligned lines, and the progress of training."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .printable import json_text, printable

if TYPE_CHECKING:
    from ..pipeline import TrainingProgress

METRICS = {"accuracy": "accuracy", "rmse": "RMSE"}  # as they are shown
_BESIDE = 12  # columns for the percentage and a short bar
_LOG_EVERY = 10.0  # seconds between lines where no bar can be drawn


class PrintableConsole(Console):
    """Shows strings as they are: no markup, no control characters. Styles are given by `Text`."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text, lines=True), **options | {"markup": False})


def out() -> Console:
    """For results."""
    return PrintableConsole(highlight=False, soft_wrap=True, markup=False, emoji=False)


def err() -> Console:
    """For everything else, so that results can be piped."""
    return PrintableConsole(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def print_json(value: Any) -> None:
    """A result for programs."""
    print(json_text(value))


def print_warning(text: str) -> None:
    """A warning that cannot be missed."""
    err().print(Text(f"Warning: {printable(text)}", "bold yellow"))


def print_skipped(count: int, first: list[str]) -> None:
    """How many bad lines were skipped, and the messages about the first of them."""
    if count:
        err().print(f"Skipped {count:,} bad lines, e.g.\n" + "\n".join(map(printable, first)))


def print_notes(notes: list[str], warnings: list[str]) -> None:
    """What is done with columns, and what may be wrong with them."""
    for sentence in notes:
        err().print(f"Note: {sentence}")
    for sentence in warnings:
        err().print(Text(f"Warning: {printable(sentence)}", "bold"))


def size(count: float) -> str:
    """A number of bytes.

    >>> size(700), size(343568), size(5 << 20)
    ('700 bytes', '336 KiB', '5.0 MiB')
    """
    if count < 1024:
        return f"{count:.0f} bytes"
    return f"{count / 1024:,.0f} KiB" if count < 1 << 20 else f"{count / (1 << 20):,.1f} MiB"


def deployed_form(found: dict[str, Any]) -> str:
    """The exported form of a model that was learned within a size.

    >>> deployed_form({"format": "c", "dtype": "int8", "limit": 65536, "nbytes": 65488})
    'C tables in int8, 65,488 bytes of at most 65,536'
    """
    what = f"C tables in {found['dtype']}" if found["format"] == "c" else "ONNX file"
    return f"{what}, {found['nbytes']:,} bytes of at most {found['limit']:,}"


def score(value: float | None, metric: str) -> str:
    """A score; accuracies in percent.

    >>> score(0.7932, "accuracy"), score(12.3456, "rmse"), score(None, "rmse")
    ('79.3 %', '12.35', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    return f"{100 * value:.1f} %" if metric == "accuracy" else f"{value:.4g}"


def recent_score(whole: float | None, recent: float | None, rows: int, metric: str) -> str:
    """The score over all rows, and that over the last ones.

    >>> recent_score(0.7932, 0.775, 10_000, "accuracy")
    '79.3 %, last 10,000 rows 77.5 %'
    """
    return f"{score(whole, metric)}, last {rows:,} rows {score(recent, metric)}"


def aligned(lines: dict[str, str]) -> None:
    """Print names and texts in two columns; a terminal wraps long texts."""
    console = out()
    if console.is_terminal:
        table = Table.grid(padding=(0, 2, 0, 0))
        for name, text in lines.items():
            table.add_row(Text(name, "bold"), text)
        console.print(table)
        return
    width = max(map(len, lines)) + 2
    for name, text in lines.items():
        console.print(f"{name:<{width}}{text}")


def shortened(labels: list[Any], most: int = 7) -> str:
    """The first labels, comma-separated.

    >>> shortened([1, 2, 3]), shortened(list("abcdefghij"))
    ('1, 2, 3', 'a, b, c, d, e, f, g, …')
    """
    return ", ".join(printable(str(label)) for label in labels[:most]) + (", …" if len(labels) > most else "")


class ShowProgress(Protocol):
    def __call__(self, news: "TrainingProgress") -> None: ...


def _line(news: "TrainingProgress", rate: float, metric: str, width: int | None = None) -> str:
    """Progress in one line; where that is too wide, without memory, support vectors and rate, in this order."""
    scores = recent_score(news.score, news.window, news.window_rows, metric)
    parts = {
        "rows": f"{news.examples:,} rows",
        "rate": f"{rate:,.0f}/s",
        "score": f"{METRICS[metric]} {scores}",
        "support": f"{news.support:,} SVs",
        "memory": size(news.nbytes),
    }
    if not news.window_rows:  # rows were fitted together: nothing was predicted before learning
        del parts["score"], parts["rate"]
    if news.skipped:
        parts["skipped"] = f"{news.skipped:,} skipped"
    for optional in ("memory", "support", "rate"):
        if width is not None and len(" · ".join(parts.values())) > width:
            parts.pop(optional, None)
    return " · ".join(parts.values())


@contextmanager
def training_progress(metric: str, epochs: int, *, quiet: bool) -> Iterator[ShowProgress]:
    """A function that shows progress: a bar in a terminal, elsewhere a line every few seconds."""
    console = err()
    if quiet:
        yield lambda news: None
    elif console.is_terminal:
        yield from _bar(console, metric, epochs)
    else:
        yield _log(console, metric)


def _bar(console: Console, metric: str, epochs: int) -> Iterator[ShowProgress]:
    from rich.progress import BarColumn, Progress, TextColumn

    meter = RateMeter()
    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[line]}"),
    ]
    with Progress(*columns, console=console, expand=True) as progress:
        task = progress.add_task("reading", total=None, line="")

        def show(news: "TrainingProgress") -> None:
            if news.reading is not None:
                progress.update(task, description="reading", total=1.0, completed=news.reading, line="")
                return
            if news.fitting:
                progress.reset(task, total=None)
                progress.update(task, description=_fitting(news), line="")
                return
            if news.examples == 0:
                progress.reset(task, total=None)
                progress.update(task, description="compiling (only the first time)", line="")
                return
            done = (news.epoch + news.fraction) / epochs
            what = f"{100 * done:3.0f} %" if news.fraction > 0 else "training"
            line = _line(news, meter.rate(news.examples), metric, console.width - _BESIDE)
            progress.update(task, description=what, total=1.0 if news.fraction > 0 else None, completed=done, line=line)

        yield show


def _log(console: Console, metric: str) -> ShowProgress:
    meter, log = RateMeter(), OccasionalLog(console)

    def line(news: "TrainingProgress") -> str:
        if news.reading is not None:
            return f"reading, {100 * news.reading:.0f} %"
        if news.fitting:
            return _fitting(news)
        return _line(news, meter.rate(news.examples), metric)

    def show(news: "TrainingProgress") -> None:
        if news.examples or news.reading is not None:
            log.print(lambda: line(news))

    return show


def _fitting(news: "TrainingProgress") -> str:
    return f"fitting {news.fitting:,} rows"


class OccasionalLog:
    """Lines for a log file, at most one every few seconds."""

    def __init__(self, console: Console):
        self._console, self._last = console, time.monotonic()

    def print(self, line: Callable[[], str]) -> None:
        if time.monotonic() - self._last >= _LOG_EVERY:
            self._last = time.monotonic()
            self._console.print(line())


class RateMeter:
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
