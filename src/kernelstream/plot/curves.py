"""Learning curves: scores over the examples of a stream, and the number of support vectors over updates."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from ..evaluate import Progress, progressive
from ..model import Model
from ..model.record import Record
from .end_labels import label_ends
from .style import GREY, legend, line, marks, new_axes, quiet

_LATE, _MUCH = 0.05, 4.0  # of the rows; a ratio of errors
_NAMES = {"accuracy": "accuracy", "rmse": "root mean squared error", "mae": "mean absolute error"}


class LearningCurveDisplay:
    """Test-then-train scores over the examples of a stream, for one model or several.

    The bold line is the score over all examples so far, the faint one that of the last window.

    Parameters
    ----------
    results : dict of str to Progress
        Results of `kernelstream.evaluate.progressive`, by name.

    Attributes
    ----------
    ax_, figure_
        The matplotlib axes and figure.
    lines_ : dict of str to matplotlib lines

    Examples
    --------
    >>> from kernelstream.evaluate import Progress
    >>> from kernelstream.plot import LearningCurveDisplay
    >>> found = {"examples": [100, 200], "tested": [100, 200], "score": [0.7, 0.8], "window": [0.7, 0.9],
    ...          "support": [20, 20], "seconds": [0.1, 0.2], "nbytes": [None, None]}
    >>> result = Progress.from_dict({"metric": "accuracy", **found})
    >>> LearningCurveDisplay.from_results({"merge": result}).ax_.get_ylabel()
    'accuracy (test-then-train)'
    """

    def __init__(self, results: Mapping[str, Progress]):
        self.results = dict(results)
        metrics = {result.metric for result in self.results.values()}
        if len(metrics) != 1:
            raise ValueError(f"The curves of a plot need one metric, and these have {sorted(metrics) or 'none'}.")
        self.metric = metrics.pop()

    @classmethod
    def from_results(cls, results: Progress | Mapping[str, Progress], *, ax: Any = None, window: bool = True) -> Self:
        """Draw one result, or several by name."""
        return cls({"": results} if isinstance(results, Progress) else results).plot(ax=ax, window=window)

    @classmethod
    def from_estimator(cls, model: Any, stream: Any, *, ax: Any = None, window: bool = True, **options: Any) -> Self:
        """Evaluate a model on a stream and draw; options are those of `progressive`."""
        return cls({"": progressive(model, stream, **options)}).plot(ax=ax, window=window)

    def plot(self, *, ax: Any = None, window: bool = True, ends: bool = False) -> Self:
        """Draw, on given axes or new ones; `window=False` leaves out the faint lines. With `ends`, lines have markers,
        and names and final scores stand at their ends instead of in a legend: for many lines."""
        (self.ax_,) = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_ = {}
        for i, (name, result) in enumerate(self.results.items()):
            look = line(i) | (marks(i, len(result.examples)) if ends else {})
            if window:
                self.ax_.plot(result.examples, result.window, color=look["color"], linewidth=0.8, alpha=0.4)
            (self.lines_[name],) = self.ax_.plot(result.examples, result.score, label=name or None, **look)
        quiet(self.ax_, counts="x", shares="y" if self.metric == "accuracy" else "")
        self.ax_.set_xlabel("examples")
        self.ax_.set_ylabel(f"{_NAMES.get(self.metric, self.metric)} (test-then-train)")
        if window:
            self.ax_.set_title("bold: all examples so far; faint: last window", loc="left", fontsize=9, color=GREY)
        if ends:
            self._label_ends()
        else:
            legend(self.ax_, loc="best")
        return self

    def _label_ends(self) -> None:
        """The first rows, when little is learned yet, need not be seen. Errors that differ much have a log scale."""
        last = max(result.examples[-1] for result in self.results.values())
        late = np.concatenate([result.score[result.examples >= _LATE * last] for result in self.results.values()])
        low, high = np.nanmin(late), np.nanmax(late)
        if self.metric != "accuracy" and low > 0.0 and high > _MUCH * low:
            self.ax_.set_yscale("log")
            self.ax_.set_ylim(low / 1.1, high * 1.1)
            quiet(self.ax_, counts="xy")
        else:
            margin = 0.04 * (high - low) or 0.01
            self.ax_.set_ylim(low - margin, high + margin)
        self.ax_.set_xlim(0, last)
        ends = {name: self._shown(float(result.score[-1])) for name, result in self.results.items()}
        label_ends(self.ax_, {f"{ends[name]}  {name}": line for name, line in self.lines_.items()})

    def _shown(self, score: float) -> str:
        if self.metric == "accuracy":
            return f"{100.0 * score:.1f} %"
        return f"{score:,.0f}" if score >= 1000.0 else f"{score:.4g}"


class SupportVectorsDisplay:
    """The number of support vectors over the updates of one model or several.

    Parameters
    ----------
    sizes : dict of str to array of shape (2, k)
        Updates and support vectors, as in `model.record.sizes`, by name.

    Attributes
    ----------
    ax_, figure_
        The matplotlib axes and figure.
    lines_ : dict of str to matplotlib lines
    """

    def __init__(self, sizes: Mapping[str, np.ndarray]):
        self.sizes = dict(sizes)

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> Self:
        """Draw the record of a model or an estimator, or of several by name."""
        models = model if isinstance(model, Mapping) else {"": model}
        return cls.from_results({name: _record(model) for name, model in models.items()}, ax=ax)

    @classmethod
    def from_results(cls, results: Mapping[str, Record | Progress], *, ax: Any = None) -> Self:
        """Draw records, or results of `progressive`, against examples instead of updates."""
        found = {
            name: np.array([r.examples, r.support]) if isinstance(r, Progress) else r.sizes
            for name, r in results.items()
        }
        return cls(found).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw, on given axes or new ones."""
        (self.ax_,) = new_axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_ = {}
        for i, (name, (updates, support)) in enumerate(self.sizes.items()):
            (self.lines_[name],) = self.ax_.plot(updates, support, label=name or None, **line(i))
        quiet(self.ax_, counts="xy")
        self.ax_.set_ylim(bottom=0)
        self.ax_.set_xlabel("updates")
        self.ax_.set_ylabel("support vectors")
        legend(self.ax_, loc="best")
        return self


def _record(model: Any) -> Record:
    return model.record if isinstance(model, Model) else model.record_
