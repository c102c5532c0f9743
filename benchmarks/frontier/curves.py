"""Accuracy against budget, one panel for each data set: the default, plain merging, and the peers."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.figure import Run
from benchmarks.frontier.accuracy import NAMES, PEERS, SHUFFLES
from benchmarks.frontier.learners import default, learned, merging
from benchmarks.frontier.part import Line, Part
from benchmarks.peers import settings
from benchmarks.report import console, show

BUDGETS = (25, 50, 100, 200, 500, 1000)
OURS = {"refit": "kernelstream, default", "merging": "kernelstream, merging alone"}
POINTS = (*PEERS, "JSAT")  # the last where it is not known how it kept its budget
UNLIMITED = "without a budget"
MARKS = ("s", "D", "v", "P", "X", "h", "d")
COLUMNS = ("data", "", *(f"B = {budget}" for budget in BUDGETS))


def measure(run: Run) -> Iterator[Line]:
    for name in NAMES:
        data = run.data(name)
        if data is None:
            continue
        for budget in BUDGETS:
            run.tell(f"{name}, B = {budget}")
            seeds = range(run.choose(SHUFFLES, 1))
            yield {
                "part": "curves", "data": name, "budget": budget, "passed": None,
                "refit": [learned(default(data, budget, seed), data) for seed in seeds],
                "merging": [learned(merging(data, budget, seed), data) for seed in seeds],
            }  # fmt: skip


def drawn(lines: Sequence[Line], path: Path) -> None:
    """Print the numbers, and draw them."""
    names = [name for name in NAMES if any(line["data"] == name for line in lines)]
    rows = []
    for name in names:
        for kind in OURS:
            found = {line["budget"]: f"{mean(line[kind]):.2f}" for line in lines if line["data"] == name}
            rows.append((name, kind, *(found.get(budget, "–") for budget in BUDGETS)))
    show("test accuracy (%) against budget", COLUMNS, rows, words=2)
    try:
        _draw(lines, names, path)
        console.print(f"plot: {path}")
    except ImportError as missing:
        console.print(f"Nothing is plotted: {missing}")


def _draw(lines: Sequence[Line], names: Sequence[str], path: Path) -> None:
    from kernelstream.plot import style  # says what to install where matplotlib is missing

    import matplotlib  # isort: skip

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = min(3, max(len(names), 1))
    down = -(-len(names) // columns)
    size = (3.7 * columns, 3.0 * down + 0.8)
    figure, axes = pyplot.subplots(down, columns, figsize=size, squeeze=False, layout="constrained")
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    named: dict[str, Any] = {}
    for ax, name in zip(axes.flat, names, strict=False):
        _panel(ax, name, [line for line in lines if line["data"] == name], style)
        named |= {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    for ax in axes[-1]:
        ax.set_xlabel("support vectors or features")
    order = [label for label in (*OURS.values(), *POINTS, UNLIMITED) if label in named]
    look: dict[str, Any] = {"ncols": 5, "frameon": False, "fontsize": 9, "labelcolor": style.INK}
    figure.legend([named[label] for label in order], order, loc="outside lower center", **look)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, facecolor="white")
    pyplot.close(figure)


def _panel(ax: Any, name: str, lines: Sequence[Line], style: Any) -> None:
    peers = settings(name).peers
    for i, (kind, label) in enumerate(OURS.items()):
        budgets, scores = [line["budget"] for line in lines], [mean(line[kind]) / 100.0 for line in lines]
        ax.plot(budgets, scores, marker=style.MARKERS[i], label=label, markersize=5, zorder=5 - i, **style.line(i))
    for i, peer in enumerate(POINTS, len(OURS)):
        points = [(budget, row[peer].mean / 100.0) for budget, row in peers.items() if budget and peer in row]
        if points:
            dark = {"edgecolors": "none", "color": style.PALETTE[min(i, len(style.PALETTE) - 1)]}
            ax.scatter(*zip(*points, strict=True), label=peer, marker=MARKS[i - len(OURS)], s=34, zorder=3, **dark)
    for peer, figure in peers.get(None, {}).items():
        level = figure.mean / 100.0
        ax.axhline(level, color=style.GREY, linewidth=1.0, linestyle=":", zorder=1, label=UNLIMITED)
        # names go where the curves leave room
        place = {"va": "bottom", "xytext": (0, 1)} if peer == "SVC" else {"va": "top", "xytext": (0, -2)}
        where = {"xy": (0.02, level), "xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        ax.annotate(peer, fontsize=7.5, color=style.GREY, **where, **place)
    ax.set_xscale("log")
    ax.margins(y=0.1)
    style.quiet(ax, shares="y")
    ticks = sorted({*BUDGETS, *(budget for budget in peers if budget)})
    ax.set_xticks(ticks, [str(tick) for tick in ticks], fontsize=8)
    ax.minorticks_off()
    style.title(ax, name)


def curves(path: Path) -> Part:
    """Drawn to a file."""
    return Part("accuracy against budget", measure, partial(drawn, path=path))
