"""The confusion matrix."""

from typing import Any, Self

from sklearn.metrics import ConfusionMatrixDisplay

from .style import GREY, INK, new_axes

_LOOK = {"cmap": "Blues", "colorbar": False}


class ConfusionDisplay(ConfusionMatrixDisplay):
    """scikit-learn's confusion matrix in the style of the other plots.

    `from_estimator(estimator, X, y)` and `from_predictions(y_true, y_pred)` take the options of scikit-learn, e.g.
    `normalize="true"` for fractions of each true class.

    Parameters
    ----------
    confusion_matrix : array of shape (classes, classes)
        Rows are true classes, columns predicted ones.
    display_labels : array or None, default None
        The labels of the classes; None numbers them.
    """

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Predict X and compare with y."""
        return super().from_estimator(estimator, X, y, **_LOOK | options)

    @classmethod
    def from_predictions(cls, y_true: Any, y_pred: Any, **options: Any) -> Self:
        """Compare predictions with true labels."""
        return super().from_predictions(y_true, y_pred, **_LOOK | options)

    def plot(self, *, ax: Any = None, **options: Any) -> Self:
        """Draw, on given axes or new ones; options are those of scikit-learn's `plot`."""
        size = max(3.6, 0.55 * len(self.confusion_matrix) + 1.6)
        (axes,) = new_axes(ax, size=(size, size))
        super().plot(ax=axes, **_LOOK | options)
        axes.set_xlabel("predicted", color=INK)
        axes.set_ylabel("true", color=INK)
        axes.tick_params(colors=INK, labelsize=9, length=0)
        for spine in axes.spines.values():
            spine.set_color(GREY)
        return self
