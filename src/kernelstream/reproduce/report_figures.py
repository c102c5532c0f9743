"""Figures of the papers, drawn from the records."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from .experiment import Cell, Experiment
from .judging import CellResult
from .trial import Trial
from .trial_records import TrialRecords, chosen

LABELS = {
    "examples": "examples", "accuracy": "test accuracy (%)", "error": "error (%)", "svs": "support vectors",
    "seconds": "seconds of learning", "objective": "objective", "budget": "",
}  # fmt: skip

Points = tuple[list[float], list[float]]


def draw(experiment: Experiment, cells: Sequence[CellResult], records: TrialRecords, folder: Path) -> list[Path]:
    """Draw the plots that an experiment's file defines; panels without data are left out."""
    return [
        path
        for picture in experiment.figure.get("pictures", ())
        if (path := _picture(picture, cells, records, folder / f"{experiment.key}-{picture['file']}.png"))
    ]


def _picture(picture: Mapping[str, Any], cells: Sequence[CellResult], records: TrialRecords, path: Path) -> Path | None:
    from matplotlib import pyplot

    from ..plot.files import save_figure
    from ..plot.style import MARKERS, line, new_axes, quiet, title

    panels = [(panel, found) for panel in picture["panels"] if (found := _series(panel, cells, records))]
    if not panels:
        return None
    names = list(dict.fromkeys(cell.cell.method for cell in cells))  # a method has the same style in all plots
    axes = new_axes(None, len(panels), (4.6, 3.6), columns=2)
    for ax, (panel, found) in zip(axes, panels, strict=True):
        for name, (x, y) in found.items():
            look = line(names.index(name)) | {"marker": MARKERS[names.index(name) % len(MARKERS)], "markersize": 4}
            ax.plot(x, y, label=name, **look)
        for axis in panel.get("log", ""):
            getattr(ax, f"set_{axis}scale")("log")
        quiet(ax, counts=("x", "y"))
        title(ax, panel["title"])
        ax.set(xlabel=panel.get("xlabel", LABELS[panel["x"]]), ylabel=panel.get("ylabel", LABELS[panel["y"]]))
        if "ylim" in panel:
            ax.set_ylim(panel["ylim"])
    figure = axes[0].figure
    shown = {name: handle for ax in axes for handle, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    handles = {name: shown[name] for name in names if name in shown}
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path, dpi=150)
    pyplot.close(figure)
    return path


def _series(panel: Mapping[str, Any], cells: Sequence[CellResult], records: TrialRecords) -> dict[str, Points]:
    """A line for each method: along its learning curve, or from cell to cell."""
    wanted = panel.get("methods")
    here = [c for c in cells if c.cell.data == panel["data"] and (wanted is None or c.cell.method in wanted)]
    return _curves(panel, here, records) if panel.get("along") else _sweeps(panel, here)


def _curves(panel: Mapping[str, Any], cells: Sequence[CellResult], records: TrialRecords) -> dict[str, Points]:
    """Means over the repeats at each point of the curve."""
    found = {}
    for cell in cells:
        outcomes = [outcome for trial in final_trials(cell.cell, records) if (outcome := records.of(trial))]
        moments = list(zip(*(outcome["curve"] for outcome in outcomes if "curve" in outcome), strict=False))
        known = [moment for moment in moments if _value(moment[0], panel["y"]) is not None]
        if known:
            x, y = ([mean(_value(point, panel[axis]) for point in moment) for moment in known] for axis in "xy")
            found[cell.cell.method] = (x, y)
    return found


def _value(point: Mapping[str, Any], name: str) -> Any:
    return 100.0 - point["accuracy"] if name == "error" else point[name]


def _sweeps(panel: Mapping[str, Any], cells: Sequence[CellResult]) -> dict[str, Points]:
    found: dict[str, Points] = {}
    for cell in sorted(cells, key=lambda cell: _abscissa(panel, cell)):
        if panel["y"] in cell.figures:
            x, y = found.setdefault(cell.cell.method, ([], []))
            x.append(_abscissa(panel, cell))
            y.append(cell.figures[panel["y"]].ours)
    return found


def _abscissa(panel: Mapping[str, Any], cell: CellResult) -> float:
    if panel["x"] == "budget":
        return float(cell.cell.budget or 0)
    return cell.figures[panel["x"]].ours if panel["x"] in cell.figures else 0.0


def final_trials(cell: Cell, records: TrialRecords) -> list[Trial]:
    best = chosen(cell, records)
    return [] if best is None else cell.final_trials(best)


def surface(cell: Cell, records: TrialRecords, path: Path) -> Path | None:
    """Repeat the first run of a cell and draw its decision surface with its support vectors."""
    trials = final_trials(cell, records)
    if not trials or trials[0] not in records:
        return None
    from matplotlib import pyplot

    from ..plot import DecisionSurfaceDisplay
    from ..plot.files import save_figure
    from .trial import fitted

    model, data = fitted(trials[0])
    display = DecisionSurfaceDisplay.from_estimator(model, data.X_train)
    save_figure(display.figure_, path, dpi=150)
    pyplot.close(display.figure_)
    return path
