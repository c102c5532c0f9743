"""What each recipe has learned, drawn: decision surfaces with their support vectors, and below them the run over time.

Blue circles stand against orange triangles: no meaning hangs on hue alone.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from ...plot.style import BLUE, DOT, GREY, INK, ORANGE, SURFACE
from .entrants import BUDGET, ENTRANTS
from .stream import CELLS, Result
from .timeline import over_time


def draw(results: dict[str, Result], path: Path) -> Path:
    """Write the picture and return its place."""
    shown = [key for key in results if ENTRANTS[key].limited]
    columns = min(4, len(shown) + 1)
    rows = -(-(len(shown) + 1) // columns)
    size = (3.1 * columns + 0.4, 3.45 * rows + 4.6)
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.09, hspace=0.03)
    figure = Figure(figsize=size, dpi=130, layout=layout, facecolor="white")
    FigureCanvasAgg(figure)
    parts: Any = figure.subfigures(2, 1, height_ratios=[3.45 * rows, 3.7])
    upper, lower = parts
    boards = list(upper.subplots(rows, columns, squeeze=False).flat)
    _truth(boards[0])
    for axes, key in zip(boards[1:], shown, strict=False):
        _surface(axes, results[key])
    for axes in boards[len(shown) + 1 :]:
        axes.set_axis_off()
    over_time(lower.subplots(1, 2), results)
    longest = max(result.examples for result in results.values())
    title = f"One stream of {longest:,} examples, room for {BUDGET} support vectors (SVs)"
    figure.suptitle(title, fontsize=15, fontweight="bold", color=INK)
    upper.suptitle("what each recipe has learned, and the points that it kept", fontsize=10.5, color=GREY)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return path


def _board(axes: Any, title: str, subtitle: str) -> None:
    axes.set(xlim=(0, CELLS), ylim=(0, CELLS), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_color(GREY)
    for line in range(1, CELLS):
        axes.axhline(line, color=GREY, linewidth=0.6, alpha=0.6)
        axes.axvline(line, color=GREY, linewidth=0.6, alpha=0.6)
    axes.set_title(f"{title}\n", fontsize=10.5, fontweight="bold", color=INK, pad=2)
    axes.text(0.5, 1.02, subtitle, transform=axes.transAxes, ha="center", va="bottom", fontsize=9, color=GREY)


def _truth(axes: Any) -> None:
    """The board itself, and what the marks in the other panels mean."""
    colours = 1 - 2 * (np.add.outer(np.arange(CELLS), np.arange(CELLS)) % 2)
    axes.imshow(colours, cmap=SURFACE, vmin=-1, vmax=1, origin="lower", extent=(0, CELLS, 0, CELLS))
    _board(axes, "The truth", "two classes, seen one example at a time")
    mark: dict[str, Any] = {"markeredgecolor": "white", "linestyle": "", "markersize": 8}
    handles = [
        Line2D([], [], marker="o", color=BLUE, label="SV, class +1", **mark),
        Line2D([], [], marker="^", color=ORANGE, label="SV, class −1", **mark),
        Line2D([], [], color=INK, linewidth=1.6, label="decision boundary"),
    ]
    axes.legend(handles=handles, loc="center", fontsize=9, framealpha=0.95, edgecolor=GREY)


def _surface(axes: Any, result: Result) -> None:
    """The sign and strength of f, its zero line, and the points that it is made of."""
    f = result.surface
    axes.imshow(f, cmap=SURFACE, vmin=-1, vmax=1, origin="lower", extent=(0, CELLS, 0, CELLS))
    _board(axes, ENTRANTS[result.key].name, f"{result.accuracy:.1%} right, {result.support} SVs")
    axis = np.linspace(0.0, CELLS, len(f))
    if f.min() < 0.0 < f.max():
        axes.contour(axis, axis, f, levels=[0.0], colors=INK, linewidths=1.3)
    mark = DOT | {"clip_on": False}
    for sign, marker, colour, area in ((1, "o", BLUE, 22), (-1, "^", ORANGE, 26)):
        x = result.points[result.signs == sign]
        axes.scatter(x[:, 0], x[:, 1], s=area, marker=marker, c=colour, **mark)
