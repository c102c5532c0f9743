"""The plot of the demo: decision surfaces with their support vectors, and below them size and error over time.

The classes differ in colour and marker: blue circles and orange triangles.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from ...plot.files import save_figure
from ...plot.style import BLUE, DOT, GREY, INK, ORANGE, SURFACE, quiet, title
from .demo_entries import BUDGET, ENTRIES
from .demo_run import CELLS, DemoResult

# colours of the common palette in another order; dashes help where lines cross
LINES: dict[str, tuple[str, Any]] = {
    "unlimited": ("#000000", (0, (1, 1.2))),
    "remove": ("#d55e00", "-"),
    "discard": ("#e69f00", (0, (5, 1.5))),
    "project": ("#56b4e9", "-"),
    "merge": ("#0072b2", "-"),
    "sometimes": ("#009e73", (0, (5, 1.5))),
    "prune": ("#cc79a7", "-"),
    "mix": ("#666666", (0, (3, 1, 1, 1))),
}


def draw(results: dict[str, DemoResult], path: Path) -> Path:
    """Write the plot and return its path."""
    shown = [key for key in results if ENTRIES[key].limited]
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
    heading = f"One stream of {longest:,} examples, a budget of {BUDGET} support vectors (SVs)"
    figure.suptitle(heading, fontsize=15, fontweight="bold", color=INK)
    upper.suptitle("decision surface of each recipe, and its support vectors", fontsize=10.5, color=GREY)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path)
    return path


def _board(axes: Any, name: str, subtitle: str) -> None:
    axes.set(xlim=(0, CELLS), ylim=(0, CELLS), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_color(GREY)
    for line in range(1, CELLS):
        axes.axhline(line, color=GREY, linewidth=0.6, alpha=0.6)
        axes.axvline(line, color=GREY, linewidth=0.6, alpha=0.6)
    axes.set_title(f"{name}\n", fontsize=10.5, fontweight="bold", color=INK, pad=2)
    axes.text(0.5, 1.02, subtitle, transform=axes.transAxes, ha="center", va="bottom", fontsize=9, color=GREY)


def _truth(axes: Any) -> None:
    """The board itself, with the legend of the other panels."""
    colours = 1 - 2 * (np.add.outer(np.arange(CELLS), np.arange(CELLS)) % 2)
    axes.imshow(colours, cmap=SURFACE, vmin=-1, vmax=1, origin="lower", extent=(0, CELLS, 0, CELLS))
    _board(axes, "True classes", "seen one example at a time")
    mark: dict[str, Any] = {"markeredgecolor": "white", "linestyle": "", "markersize": 8}
    handles = [
        Line2D([], [], marker="o", color=BLUE, label="SV, class +1", **mark),
        Line2D([], [], marker="^", color=ORANGE, label="SV, class −1", **mark),
        Line2D([], [], color=INK, linewidth=1.6, label="decision boundary"),
    ]
    axes.legend(handles=handles, loc="center", fontsize=9, framealpha=0.95, edgecolor=GREY)


def _surface(axes: Any, result: DemoResult) -> None:
    """The values of f, its decision boundary, and its support vectors."""
    f = result.surface
    axes.imshow(f, cmap=SURFACE, vmin=-1, vmax=1, origin="lower", extent=(0, CELLS, 0, CELLS))
    _board(axes, ENTRIES[result.key].name, f"accuracy {result.accuracy:.1%}, {result.support} SVs")
    axis = np.linspace(0.0, CELLS, len(f))
    if f.min() < 0.0 < f.max():
        axes.contour(axis, axis, f, levels=[0.0], colors=INK, linewidths=1.3)
    mark = DOT | {"clip_on": False}
    for sign, marker, colour, area in ((1, "o", BLUE, 22), (-1, "^", ORANGE, 26)):
        x = result.points[result.signs == sign]
        axes.scatter(x[:, 0], x[:, 1], s=area, marker=marker, c=colour, **mark)


def over_time(panels: Any, results: dict[str, DemoResult]) -> None:
    """Support vectors and test error over the stream."""
    sizes, errors = panels
    for key, result in results.items():
        colour, dashes = LINES[key]
        width = 2.8 if key == "merge" else 1.8
        style = {"color": colour, "linestyle": dashes, "linewidth": width, "label": ENTRIES[key].name}
        seen, support, accuracy = result.curve
        sizes.plot(seen, np.maximum(support, 1), **style)
        errors.plot(seen, 100.0 * np.maximum(1.0 - accuracy, 1e-4), **style)
        if not ENTRIES[key].limited:
            text = f"no budget: {result.support:,} SVs\nafter {result.examples:,} examples"
            _note(sizes, text, (seen[-1], support[-1]), offset=(42, -40))
    _note(sizes, f"budget {BUDGET}", (sizes.get_xlim()[1], BUDGET), offset=(-110, -8))
    _panel(sizes, "Support vectors")
    _panel(errors, "Test error (%)")
    sizes.set_ylim(bottom=30)
    errors.set_yticks([1, 2, 5, 10, 20, 50])
    errors.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)


def _note(axes: Any, text: str, point: tuple[float, float], offset: tuple[float, float]) -> None:
    """Text whose upper right corner has this offset from a point."""
    style = {"ha": "right", "va": "top", "fontsize": 9, "color": INK}
    axes.annotate(text, point, xytext=offset, textcoords="offset points", **style)


def _panel(axes: Any, heading: str) -> None:
    title(axes, heading)
    axes.set(xscale="log", yscale="log", xlabel="examples seen")
    quiet(axes, counts="xy")
