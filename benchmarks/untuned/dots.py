"""The figure of the page: on every set, how far the others are below or above the default."""

from pathlib import Path
from typing import Any

from benchmarks.untuned.bars import gaps
from benchmarks.untuned.learners import TUNED
from benchmarks.untuned.naming import ordered, parts_of, shown
from benchmarks.untuned.running import Figures, label
from benchmarks.untuned.sets import SETS

TICKS = (-100, -30, -10, -3, -1, 0, 1, 3, 10, 30)  # equal steps up to 1, then powers


def draw(results: Figures, budget: int, path: Path) -> Path | None:
    """Draw the sets that the default has; None if it has none. Needs matplotlib."""
    tuned = label(TUNED, budget)
    names = [name for name in ordered(results) if name != tuned and parts_of(name)[1] in (None, budget)]
    apart = {name: {data: -gap for data, gap in gaps(results, tuned, name).items()} for name in names}
    apart = {name: values for name, values in apart.items() if values}
    data = [each for each in SETS if any(each in values for values in apart.values())]
    if not data:
        return None
    from kernelstream.plot import style  # says what to install where matplotlib is missing

    import matplotlib  # isort: skip

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from kernelstream.plot.files import save_figure

    figure, ax = pyplot.subplots(figsize=(7.0, 1.9 + 0.33 * len(data)), layout="constrained", facecolor="white")
    _rows(ax, data, style)
    for i, (name, values) in enumerate(apart.items()):
        aside = 0.17 * (i - (len(apart) - 1) / 2.0)  # so that equal ones do not hide each other
        heights = [data.index(each) + aside for each in values]
        look: dict[str, Any] = {"color": style.PALETTE[i], "marker": style.MARKERS[i], "label": shown(name, budget)}
        ax.scatter(list(values.values()), heights, s=38, **look | style.DOT)
    _axis(ax, [gap for values in apart.values() for gap in values.values()])
    handles, labels = ax.get_legend_handles_labels()
    look = {"ncols": 3, "frameon": False, "fontsize": 10, "labelcolor": style.INK}
    figure.legend(handles, [name.replace("`", "") for name in labels], loc="outside lower center", **look)
    save_figure(figure, path, dpi=150)
    pyplot.close(figure)
    return path


def _rows(ax: Any, data: list[str], style: Any) -> None:
    """A band for every set, every other one tinted; regressions below a dotted line."""
    style.quiet(ax)
    ax.grid(visible=False, axis="y")
    for i in range(0, len(data), 2):
        ax.axhspan(i - 0.5, i + 0.5, color=style.GRID, alpha=0.45, linewidth=0.0, zorder=0)
    ax.set_yticks(range(len(data)), [f"{each} (R²)" if SETS[each].regression else each for each in data])
    ax.set_ylim(len(data) - 0.5, -0.5)
    ax.axvline(0.0, color=style.INK, linewidth=1.4, zorder=2)
    classified = sum(not SETS[each].regression for each in data)
    if 0 < classified < len(data):
        ax.axhline(classified - 0.5, color=style.GREY, linewidth=1.0, linestyle=":")
    ax.set_title("Score of the others minus that of the default", loc="left", fontsize=12, fontweight="bold",
                 color=style.INK)  # fmt: skip
    ax.tick_params(labelsize=10)


def _axis(ax: Any, values: list[float]) -> None:
    low, high = min(*values, -1.0), max(*values, 1.0)
    ax.set_xscale("symlog", linthresh=1.0, linscale=0.8)
    ax.set_xlim(1.25 * low, 1.25 * high)
    ticks = [tick for tick in TICKS if 1.25 * low <= tick <= 1.25 * high]
    ax.set_xticks(ticks, [f"{tick:+d}".replace("-", "−") if tick else "0" for tick in ticks])
    ax.minorticks_off()
    ax.set_xlabel("← default is better      points of accuracy or of R² in percent      other is better →", fontsize=10)
