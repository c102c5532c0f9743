"""The common style of plots: the colour-blind safe palette of Okabe and Ito, and plain axes.

Lines also differ in dashes, and points in markers, so that colour alone carries no information.
"""

from collections.abc import Iterable
from typing import Any

try:
    from matplotlib.colors import LinearSegmentedColormap, to_rgb
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
except ImportError as error:
    raise ImportError('kernelstream.plot needs matplotlib: pip install "kernelstream[plot]"') from error

INK, GREY, GRID = "#222222", "#6b7280", "#e5e7eb"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#666666")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (3, 1, 1, 1)), (0, (1, 1.2)))
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")

# two classes: blue circles against orange triangles, and white between them
BLUE, ORANGE = "#08519c", "#a63603"
SURFACE = LinearSegmentedColormap.from_list("surface", ["#f4a259", "#fbe2c6", "#ffffff", "#cde2f4", "#64a9dc"])
DOT = {"edgecolors": "white", "linewidths": 0.6, "zorder": 3}


def line(i: int) -> dict[str, Any]:
    """Colour, dashes and width of the i-th line."""
    return {
        "color": PALETTE[i % len(PALETTE)],
        "linestyle": DASHES[(i // len(PALETTE) + i) % len(DASHES)],
        "linewidth": 1.8,
    }


def marks(i: int, points: int) -> dict[str, Any]:
    """Markers of the i-th line, a few along it; those of different lines are at different points."""
    step = max(points // 6, 1)
    return {
        "marker": MARKERS[(i // len(PALETTE) + i) % len(MARKERS)], "markevery": (i * step // 12 % step, step),
        "markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.5,
    }  # fmt: skip


def tint(colour: str, share: float) -> tuple[float, float, float]:
    """A colour mixed with white; `share` is that of the colour."""
    red, green, blue = (1.0 - share * (1.0 - part) for part in to_rgb(colour))
    return red, green, blue


def plain(value: float, position: int | None = None) -> str:
    """A tick label for a count.

    >>> plain(300_000), plain(2_000_000), plain(0.5)
    ('300,000', '2 M', '0.5')
    """
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value:,.0f}" if value == round(value) else f"{value:g}"


def percent(value: float, position: int | None = None) -> str:
    """A tick label for a fraction.

    >>> percent(0.97), percent(0.975)
    ('97 %', '97.5 %')
    """
    return f"{round(100.0 * value, 6):g} %"


def title(ax: Any, text: str) -> None:
    ax.set_title(text, loc="left", fontsize=11, fontweight="bold", color=INK)


def quiet(ax: Any, *, counts: Iterable[str] = (), shares: Iterable[str] = ()) -> None:
    """A grid behind the lines, no frame; tick labels on the named axes ("x", "y") as counts or in percent."""
    ax.grid(color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(colors=INK, labelsize=9)
    for names, form in ((counts, plain), (shares, percent)):
        for name in names:
            axis = getattr(ax, f"{name}axis")
            if axis.get_scale() == "log":
                low, high = axis.get_view_interval()
                # short ranges get labels between the powers of ten too
                axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 40.0 * low else (1.0,)))
            axis.set_major_formatter(FuncFormatter(form))
            axis.set_minor_formatter(NullFormatter())


def new_axes(ax: Any, count: int = 1, size: tuple[float, float] = (6.0, 4.0), columns: int | None = None) -> list[Any]:
    """The given axes, or those of a new figure in at most `columns` columns."""
    if ax is not None:
        given = [ax] if not hasattr(ax, "__len__") else list(ax)
        if len(given) != count:
            raise ValueError(f"This plot has {count} panels, but ax has {len(given)} axes.")
        return given
    from matplotlib import pyplot

    across = min(count, columns or count)
    down = -(-count // across)
    figure, axes = pyplot.subplots(
        down, across, figsize=(size[0] * across, size[1] * down), layout="constrained", squeeze=False
    )
    figure.set_facecolor("white")
    for spare in axes.flat[count:]:
        spare.set_visible(False)
    return list(axes.flat[:count])


def legend(ax: Any, **options: Any) -> None:
    """A legend if there is more than one line."""
    handles, _ = ax.get_legend_handles_labels()
    if len(handles) > 1:
        ax.legend(**{"frameon": False, "fontsize": 9, "labelcolor": INK} | options)
