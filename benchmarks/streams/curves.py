"""Accuracy over time: one panel for each stream, a line for each learner."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.streams.bars import Results
from benchmarks.streams.ours import MAIN
from benchmarks.streams.registry import STREAMS
from benchmarks.streams.river_peers import ARF, SRP

# not all learners: more lines cannot be told apart
LINES = (MAIN, "ks-half-life", ARF, SRP, "HAT", "last-label")
POINTS = 25  # windows of a line, joined from those recorded
COLUMNS = 4


def joined(windows: Sequence[float], points: int = POINTS) -> list[float]:
    """Means of neighbouring windows, so that no more than so many are left.

    >>> joined([90.0, 80.0, 70.0, 60.0], 2)
    [85.0, 65.0]
    """
    return [float(part.mean()) for part in np.array_split(np.array(windows), min(points, len(windows)))]


def draw(results: Results, path: Path) -> Path | None:
    """Draw the streams that have lines; None if there are none. Needs matplotlib."""
    names = [
        name for name in STREAMS if any((name, line) in results for line in LINES) and not STREAMS[name].regression
    ]
    if not names:
        return None
    from kernelstream.plot import style  # says what to install where matplotlib is missing

    import matplotlib  # isort: skip

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from kernelstream.plot.files import save_figure

    axes = style.new_axes(None, len(names), (3.3, 2.5), columns=COLUMNS)
    shown: dict[str, Any] = {}
    for ax, name in zip(axes, names, strict=True):
        _panel(ax, name, results, style)
        shown |= {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    for ax in axes[-COLUMNS:]:
        ax.set_xlabel("rows", fontsize=9)
    order = [line for line in LINES if line in shown]
    look: dict[str, Any] = {"ncols": len(LINES), "frameon": False, "fontsize": 11, "labelcolor": style.INK}
    figure = axes[0].figure
    figure.legend([shown[line] for line in order], order, loc="outside upper center", handlelength=3.2, **look)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path, dpi=130)
    pyplot.close(figure)
    return path


def _panel(ax: Any, name: str, results: Results, style: Any) -> None:
    for i, line in enumerate(LINES):
        record = results.get((name, line))
        if record:
            heights = joined(record["windows"])
            rows = (np.arange(len(heights)) + 0.5) * record["n"] / len(heights)
            look = style.line(i) | {"linewidth": 2.2 if line == MAIN else 1.4, "zorder": 4 if line == MAIN else 3}
            if line == "last-label":
                look |= {"color": style.GREY, "linestyle": ":"}
            ax.plot(rows, np.array(heights) / 100.0, label=line, **look)
    style.quiet(ax, counts="x", shares="y")
    ax.tick_params(labelsize=8)
    ax.locator_params(axis="x", nbins=4)
    style.title(ax, name)
