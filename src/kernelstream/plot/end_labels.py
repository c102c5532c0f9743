"""Labels at the ends of lines, in place of a legend: none overlaps another."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from .style import INK


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Heights at least `gap` apart, in the order of the wanted ones and near to them, within 0 and 1 if they fit.

    >>> [round(height, 2) for height in spread([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    order = np.argsort(wanted, kind="stable")
    groups: list[list[float]] = []  # [sum of wanted heights, count] of labels that touch
    for height in np.asarray(wanted, float)[order]:
        groups.append([height, 1.0])
        while len(groups) > 1 and _bottom(groups[-1], gap) < _top(groups[-2], gap) + gap:
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + count]
    placed = [_bottom(group, gap) + gap * i for group in groups for i in range(int(group[1]))]
    over = max(placed, default=0.0) - 1.0
    if over > 0.0:  # down from the top, as far as needed
        ceiling = 1.0
        for i in reversed(range(len(placed))):
            placed[i] = min(placed[i], ceiling)
            ceiling = placed[i] - gap
    found = np.empty(len(placed))
    found[order] = placed
    return found.tolist()


def _bottom(group: Sequence[float], gap: float) -> float:
    return group[0] / group[1] - gap * (group[1] - 1.0) / 2.0


def _top(group: Sequence[float], gap: float) -> float:
    return _bottom(group, gap) + gap * (group[1] - 1.0)


def label_ends(ax: Any, lines: Mapping[str, Any], size: float = 9.0) -> None:
    """Write the name of each line to the right of the axes, joined to its last point; the limits must be set."""
    ax.figure.canvas.draw()  # the height of the axes is known then
    height = ax.get_window_extent().height * 72.0 / ax.figure.dpi  # in points
    to_axes = ax.transData + ax.transAxes.inverted()
    ends = [to_axes.transform([line.get_xdata()[-1], line.get_ydata()[-1]])[1] for line in lines.values()]
    heights = [min(max(float(end), 0.0), 1.0) for end in ends]
    for (name, line), at, y in zip(lines.items(), heights, spread(heights, 1.35 * size / height), strict=True):
        outside = {"transform": ax.transAxes, "clip_on": False}
        ax.add_line(Line2D([1.0, 1.025], [at, y], color=line.get_color(), linewidth=0.8, **outside))
        key = Line2D([1.03, 1.09], [y, y])
        key.update_from(line)
        key.set(markevery=[1], label=None, **outside)
        ax.add_line(key)
        ax.text(1.11, y, name, transform=ax.transAxes, va="center", fontsize=size, color=INK)
