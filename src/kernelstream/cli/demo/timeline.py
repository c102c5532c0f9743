"""The run over time, drawn: how much each recipe keeps, and how well it predicts."""

from typing import Any

import numpy as np

from ...plot.style import INK, quiet, title
from .entrants import BUDGET, ENTRANTS
from .stream import Result

# colours of the common palette, in an order of their own; dashes help where lines cross
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


def over_time(panels: Any, results: dict[str, Result]) -> None:
    """How much is kept, and how well it predicts, as the stream goes by."""
    sizes, errors = panels
    for key, result in results.items():
        colour, dashes = LINES[key]
        width = 2.8 if key == "merge" else 1.8
        style = {"color": colour, "linestyle": dashes, "linewidth": width, "label": ENTRANTS[key].name}
        seen, support, accuracy = result.curve
        sizes.plot(seen, np.maximum(support, 1), **style)
        errors.plot(seen, 100.0 * np.maximum(1.0 - accuracy, 1e-4), **style)
        if not ENTRANTS[key].limited:
            text = f"no budget: {result.support:,} SVs\nafter {result.examples:,} examples"
            _note(sizes, text, (seen[-1], support[-1]), offset=(42, -40))
    _note(sizes, f"budget {BUDGET}", (sizes.get_xlim()[1], BUDGET), offset=(-110, -8))
    _panel(sizes, "Support vectors kept")
    _panel(errors, "Errors on held-out examples (%)")
    sizes.set_ylim(bottom=30)
    errors.set_yticks([1, 2, 5, 10, 20, 50])
    errors.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)


def _note(axes: Any, text: str, place: tuple[float, float], offset: tuple[float, float]) -> None:
    """Words whose upper right corner is so many points from a place."""
    style = {"ha": "right", "va": "top", "fontsize": 9, "color": INK}
    axes.annotate(text, place, xytext=offset, textcoords="offset points", **style)


def _panel(axes: Any, words: str) -> None:
    title(axes, words)
    axes.set(xscale="log", yscale="log", xlabel="examples seen")
    quiet(axes, counts="xy")
