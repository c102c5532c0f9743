"""Plots that `--plot` writes."""

import importlib.util
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .exit_status import UsageError
from .output_files import check_outputs
from .printable import printable

if TYPE_CHECKING:
    from ..evaluate import Progress

_LONGEST = 16  # characters of a label in a plot
SUFFIXES = (".png", ".svg", ".pdf", ".jpg")


def check_plot(path: str | None) -> None:
    """An error if no plot can be written there, before the work is done."""
    if path is None:
        return
    check_outputs({"--plot": path})
    if Path(path).suffix.lower() not in SUFFIXES:
        raise UsageError(f"--plot {path}: the file must end in {', '.join(SUFFIXES)}.")
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError('--plot needs matplotlib: pip install "kernelstream[plot]"')


def _save(figure: Any, path: str) -> None:
    from matplotlib import pyplot

    from ..plot.files import save_figure

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # labels in any script; it shows a box
        save_figure(figure, path, dpi=150)
    pyplot.close(figure)


def plot_learning_curve(results: "Mapping[str, Progress]", path: str) -> None:
    """Score and support vectors over the examples of a model."""
    from matplotlib import pyplot

    from ..plot import LearningCurveDisplay, SupportVectorsDisplay

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained", facecolor="white")
    LearningCurveDisplay.from_results(results, ax=left)
    SupportVectorsDisplay.from_results(results, ax=right)
    right.set_xlabel("examples")
    _save(figure, path)


def plot_comparison(results: "Mapping[str, Progress]", title: str, path: str) -> None:
    """Scores of several recipes over the examples, the best first."""
    from matplotlib import pyplot

    from ..plot import LearningCurveDisplay
    from ..plot.style import GREY

    shown = {_plain(name): result for name, result in results.items()}
    figure, axes = pyplot.subplots(figsize=(9.5, 5.0), layout="constrained", facecolor="white")
    display = LearningCurveDisplay(shown)
    axes.set_title(_plain(title, 100), loc="left", fontsize=11, fontweight="bold")
    display.plot(ax=axes, window=False, ends=True)
    axes.set_xlabel("rows, each predicted before it is learned", color=GREY)
    _save(figure, path)


def _plain(text: str, longest: int = 28) -> str:
    """For a plot: shortened, and without what matplotlib would take for a formula."""
    text = printable(text)
    return (text if len(text) <= longest else f"{text[: longest - 1]}…").replace("$", r"\$")


def plot_confusion(matrix: Any, labels: list[Any], path: str) -> None:
    """A confusion matrix."""
    from ..plot import ConfusionDisplay

    texts = [printable(str(label)) for label in labels]
    texts = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]
    rotation = 90 if any(len(text) > _LONGEST // 2 for text in texts) else 0
    # matplotlib would take what is between two $ for a formula
    shown = [text.replace("$", r"\$") for text in texts]
    _save(ConfusionDisplay(matrix, display_labels=shown).plot(xticks_rotation=rotation).figure_, path)


def plot_predictions(pairs: list[tuple[Any, Any]], targets: list[str], path: str) -> None:
    """Predicted against true values, in a panel for each target."""
    import numpy as np

    from ..plot.style import GREY, PALETTE, new_axes, quiet

    truth, predicted = (np.column_stack([np.concatenate(part)]) for part in zip(*pairs, strict=True))
    panels = new_axes(None, truth.shape[1], size=(4.8, 4.6), columns=3)
    for i, axes in enumerate(panels):
        true, found = truth[:, i], predicted[:, i]
        axes.scatter(true, found, s=6, alpha=0.4, color=PALETTE[0], linewidths=0)
        ends = [min(true.min(), found.min()), max(true.max(), found.max())]
        axes.plot(ends, ends, color=GREY, linewidth=1)
        quiet(axes)
        axes.set(xlabel="true", ylabel="predicted", title=targets[i] if len(panels) > 1 else "")
    _save(panels[0].figure, path)


def plot_support_vectors(record: Any, path: str) -> None:
    """The number of support vectors over the updates."""
    from ..plot import SupportVectorsDisplay

    _save(SupportVectorsDisplay.from_results({"": record}).figure_, path)
