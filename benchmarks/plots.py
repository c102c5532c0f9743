"""Cost per example against what it depends on: one panel each, both axes logarithmic."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.figure import Result

# blue and vermilion of Okabe and Ito, told apart by every kind of colour vision; markers and dashes differ besides
STYLES = {
    "pass": ("one example, learned", "#0072B2", "o", "-"),
    "rows": ("one kernel row", "#D55E00", "s", "--"),
}


def short(value: int) -> str:
    """A number as a label.

    >>> short(800), short(3_000_000), short(300_000)
    ('800', '3M', '300k')
    """
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= 10 * unit or value % unit == 0:
            return f"{value / unit:g}{letter}"
    return str(value)


def draw(folder: Path, results: Sequence[Result]) -> list[Path]:
    """Draw the results that have a curve; the paths of the files written. Needs matplotlib."""
    curves = [result.details for result in results if "panel" in result.details]
    if not curves:
        return []
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter, NullLocator, StrMethodFormatter

    figure, axes = pyplot.subplots(
        1, len(curves), figsize=(3.4 * len(curves), 3.4), squeeze=False, layout="constrained"
    )
    for axis, curve in zip(axes[0], curves, strict=True):
        for name, us in curve["us"].items():
            label, colour, marker, line = STYLES[name]
            axis.loglog(curve["x"], us, color=colour, marker=marker, linestyle=line, markersize=4, label=label)
        axis.set_xlabel(curve["panel"])
        axis.grid(True, which="major", color="0.9")
        axis.spines[["top", "right"]].set_visible(False)
        costs = np.log10([cost for us in curve["us"].values() for cost in us])
        # whole decades: a flat line then looks flat, and the axis has labels at both ends
        axis.set_ylim(10.0 ** np.floor(costs.min()), 10.0 ** (np.floor(costs.max()) + 1.0))
        axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.set_xticks(curve["x"], [short(x) for x in curve["x"]], fontsize="small")
        axis.xaxis.set_minor_locator(NullLocator())
    axes[0, 0].set_ylabel("µs per example")
    both = max(range(len(curves)), key=lambda i: len(curves[i]["us"]))
    axes[0, both].legend(frameon=False, fontsize="small", loc="upper left")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "cost.png"
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
    return [path]
