"""The relevance of features as bars."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ..estimators import feature_relevance
from .style import GREY, PALETTE, new_axes, quiet

_LONGEST = 30  # characters of a name


class FeatureRelevanceDisplay:
    """How much each feature matters to the predictions of a model, the most relevant on top.

    Parameters
    ----------
    relevance : array of shape (features,)
        As `kernelstream.feature_relevance` returns it, or sums of it over several features.
    names : list of str or None
        Names of the features; None numbers them from 0.

    Attributes
    ----------
    ax_, figure_
        The matplotlib axes and figure.
    bars_ : matplotlib bars
        From the most relevant feature to the least.

    Examples
    --------
    >>> from kernelstream.plot import FeatureRelevanceDisplay
    >>> display = FeatureRelevanceDisplay([0.25, 0.7, 0.05], ["age", "income", "height"]).plot(features=2)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['income', 'age']
    >>> display.ax_.get_title(loc="left")
    'not shown: 1 feature with 5.0 %'
    """

    def __init__(self, relevance: Any, names: Sequence[str] | None = None):
        self.relevance = np.asarray(relevance, np.float64)
        count = len(self.relevance)
        self.names = [f"feature {i}" for i in range(count)] if names is None else [str(name) for name in names]
        if len(self.names) != count:
            raise ValueError(f"There are {len(self.names)} names for {count} features.")

    @classmethod
    def from_estimator(cls, model: Any, X: Any = None, *, ax: Any = None, features: int = 20) -> Self:
        """Draw the features of a model or estimator.

        Parameters
        ----------
        model : Model, KernelClassifier or KernelRegressor
        X : array, data frame, sparse matrix or None
            Rows to average over; None takes the support vectors.
        features : int
            The largest number of bars.
        """
        names = getattr(model, "feature_names_in_", None)
        return cls(feature_relevance(model, X), names).plot(ax=ax, features=features)

    def plot(self, *, ax: Any = None, features: int = 20) -> Self:
        """Draw, on given axes or new ones; `features` is the largest number of bars, and a note counts the others."""
        order = np.argsort(-self.relevance, kind="stable")
        shown, others = order[:features], order[features:]
        (self.ax_,) = new_axes(ax, size=(6.0, 0.9 + 0.26 * max(len(shown), 3)))
        self.figure_ = self.ax_.figure
        self.bars_ = self.ax_.barh(range(len(shown)), self.relevance[shown], color=PALETTE[0], height=0.7)
        labels = [f"{100.0 * value:.1f} %" for value in self.relevance[shown]]
        self.ax_.bar_label(self.bars_, labels, padding=4, fontsize=9, color=GREY)
        self.ax_.set_yticks(range(len(shown)), [_label(self.names[i]) for i in shown])
        self.ax_.set_ylim(max(len(shown), 3) - 0.4, -0.6)  # the first is on top
        quiet(self.ax_, shares="x")
        self.ax_.grid(False, axis="y")
        self.ax_.tick_params(axis="y", length=0)
        self.ax_.set_xlim(0.0, 1.15 * self.relevance.max(initial=0.0) or 1.0)  # room for the numbers
        self.ax_.set_xlabel("relevance")
        if len(others):
            words = "1 feature" if len(others) == 1 else f"{len(others):,} features"
            share = 100.0 * self.relevance[others].sum()
            self.ax_.set_title(f"not shown: {words} with {share:.1f} %", loc="left", fontsize=9, color=GREY)
        return self


def _label(name: str) -> str:
    # matplotlib would take what is between two $ for a formula
    return (name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…").replace("$", r"\$")
