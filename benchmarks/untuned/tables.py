"""Results as tables: scores with differences, seconds, and the bars."""

from collections.abc import Sequence
from statistics import mean

from benchmarks.report import console, show, verdict
from benchmarks.streams.bars import Judged
from benchmarks.untuned.bars import gaps
from benchmarks.untuned.learners import TUNED
from benchmarks.untuned.running import Figures, label
from benchmarks.untuned.sets import SETS

WIDTH = 165  # rather let the terminal wrap than cut names short


def labels_of(figures: Figures) -> list[str]:
    return list(dict.fromkeys(name for _, name in figures))


def scores(figures: Figures, budget: int) -> tuple[list[str], list[list[str]]]:
    """Columns and cells: means over the shuffles, then the tuned one minus each of the others."""
    names, tuned = labels_of(figures), label(TUNED, budget)
    others = [name for name in names if name != tuned and any(gaps(figures, tuned, name))]
    apart = {name: gaps(figures, tuned, name) for name in others}
    rows = []
    for data in _sets(figures):
        found = [f"{figures[data, name].score:.2f}" if (data, name) in figures else "" for name in names]
        less = [f"{apart[name][data]:+.2f}" if data in apart[name] else "" for name in others]
        rows.append([data, *found, *less])
    return ["set", *names, *(f"− {name}" for name in others)], rows


def seconds(figures: Figures) -> tuple[list[str], list[list[str]]]:
    """Columns and cells: rows to learn from, and mean CPU seconds of the fit."""
    names, rows = labels_of(figures), []
    for data in _sets(figures):
        own = {name: figures[data, name] for name in names if (data, name) in figures}
        learned = f"{next(iter(own.values())).rows:,}"
        rows.append([data, learned, *(f"{mean(own[name].seconds):.2f}" if name in own else "" for name in names)])
    return ["set", "rows", *names], rows


def _sets(figures: Figures) -> list[str]:
    return [data for data in SETS if any(name == data for name, _ in figures)]


def print_results(figures: Figures, budget: int) -> None:
    if not figures:
        return
    console.width = max(console.width, WIDTH)
    show(f"accuracy or R² (%), and {label(TUNED, budget)} minus the others", *scores(figures, budget))
    show("CPU seconds of fit", *seconds(figures))


def print_bars(judged: Sequence[Judged]) -> None:
    rows = [(bar.bar, bar.found, "open" if bar.passed is None else verdict(bar.passed)) for bar in judged]
    show("fit, told nothing, against the bars", ("bar", "found", "verdict"), rows, words=3)
