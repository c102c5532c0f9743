"""The decision surface of a model over two features, or over the first two principal components."""

from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import issparse

from ..model import Model
from ..tracking import AdaptiveModel
from ..tuning import FeatureMap
from .style import BLUE, DOT, GREY, INK, MARKERS, ORANGE, PALETTE, SURFACE, legend, new_axes, quiet, tint


class Plane(NamedTuple):
    """A plane in the feature space: a point and two directions."""

    origin: np.ndarray  # (d,)
    directions: np.ndarray  # (2, d), orthonormal
    names: tuple[str, str]

    @classmethod
    def of(cls, X: np.ndarray, names: Any = None) -> "Plane":
        """The plane of two features, or that of the first two principal components of the rows."""
        d = X.shape[1]
        if d < 2:
            raise ValueError(f"A decision surface needs 2 features or more, and X has {d}.")
        if d == 2:
            first, second = ("feature 0", "feature 1") if names is None else map(str, names)
            return cls(np.zeros(2), np.eye(2), (first, second))
        centre = X.mean(axis=0)
        _, _, directions = np.linalg.svd(X - centre, full_matrices=False)
        if len(directions) < 2:
            raise ValueError(f"Two principal components need 2 rows or more, and X has {len(X)}.")
        return cls(centre, directions[:2], ("first principal component", "second principal component"))

    def flat(self, X: np.ndarray) -> np.ndarray:
        """Coordinates of the projection of points on the plane, (n, 2)."""
        return (X - self.origin) @ self.directions.T

    def lift(self, coordinates: np.ndarray) -> np.ndarray:
        """Points of the feature space from coordinates on the plane."""
        return self.origin + coordinates @ self.directions


class DecisionSurfaceDisplay:
    """The predictions of a model over a plane, its decision boundaries, and its support vectors.

    With two features the plane is theirs. With more it is spanned by the first two principal components of the rows
    given: the surface shows predictions *on* this plane, and support vectors are projected on it.

    Parameters
    ----------
    x, y : arrays of shape (k,)
        The grid.
    response : array of shape (k, k) or (k, k, classes)
        Scores: one per grid point for two classes or regression, one per class for more.
    support : array of shape (n, 2)
        Support vectors on the plane.
    sides : array of int of shape (n,)
        The class of each support vector; for two classes 0 or 1, by the sign of its coefficient.
    classes : list or None
        Labels; None for regression.
    names : (str, str)
        Labels of the axes.

    Attributes
    ----------
    ax_, figure_
        The matplotlib axes and figure.
    surface_, support_
        The image, and the scatter plots of the support vectors.
    """

    def __init__(
        self, x: np.ndarray, y: np.ndarray, response: np.ndarray, support: np.ndarray, sides: np.ndarray,
        classes: list[Any] | None, names: tuple[str, str] = ("feature 0", "feature 1"),
    ):  # fmt: skip
        self.x, self.y, self.response = x, y, response
        self.support, self.sides, self.classes, self.names = support, sides, classes, names

    @classmethod
    def from_estimator(cls, model: Any, X: Any, *, ax: Any = None, grid: int = 200, support: bool = True) -> Self:
        """Draw a model or estimator over the range of the rows X.

        Parameters
        ----------
        model : Model, KernelClassifier or KernelRegressor
        X : array, data frame or sparse matrix
            Rows that determine the range and, with more than two features, the plane.
        grid : int
            Points along each axis.
        support : bool
            Whether to draw the support vectors.
        """
        rows = np.asarray(X.toarray() if issparse(X) else X, np.float64)
        plane = Plane.of(rows, getattr(X, "columns", None))
        flat = plane.flat(rows)
        margin = 0.05 * np.ptp(flat, axis=0) + 1e-9
        axes = np.linspace(flat.min(axis=0) - margin, flat.max(axis=0) + margin, grid)
        points = np.stack(np.meshgrid(axes[:, 0], axes[:, 1]), axis=-1).reshape(-1, 2)
        inner = model if isinstance(model, Model) else model.model_
        mixed = isinstance(inner, AdaptiveModel)  # it has no support vectors in the units of the rows
        sv, coef = (np.empty((0, rows.shape[1])), np.empty((0, 1))) if mixed else inner.function
        columns, places = getattr(model, "feature_map_", None), plane.lift(points)
        if columns is not None:
            sv, places = _in_units_of_data(columns, sv), columns.transform(places)
        response, classes = _response(model, inner, places)
        if inner.recipe.kernel.fixed or not support:
            sv, coef = sv[:0], coef[:0]  # random features have no points in the plane
        sides = coef.argmax(axis=1) if coef.shape[1] > 1 else (coef[:, 0] > 0).astype(int)
        shape = (grid, grid) if response.ndim == 1 else (grid, grid, response.shape[1])
        found = cls(axes[:, 0], axes[:, 1], response.reshape(shape), plane.flat(sv), sides, classes, plane.names)
        return found.plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw, on given axes or new ones."""
        (self.ax_,) = new_axes(ax, size=(5.2, 4.6))
        self.figure_ = self.ax_.figure
        self.support_: list[Any] = []
        if self.classes is None:
            self._values()
        elif self.response.ndim == 2:
            self._two_classes()
        else:
            self._classes()
        quiet(self.ax_)
        self.ax_.grid(False)
        self.ax_.set(xlim=self.x[[0, -1]], ylim=self.y[[0, -1]], xlabel=self.names[0], ylabel=self.names[1])
        return self

    def _image(self, image: np.ndarray, **options: Any) -> None:
        extent = (*self.x[[0, -1]], *self.y[[0, -1]])
        width, height = np.ptp(self.x), np.ptp(self.y)
        aspect = "equal" if width < 3.0 * height and height < 3.0 * width else "auto"
        self.surface_ = self.ax_.imshow(image, extent=extent, origin="lower", aspect=aspect, zorder=0, **options)

    def _points(self, side: int, label: str, marker: str, colour: str) -> None:
        x = self.support[self.sides == side]
        if len(x):
            self.support_.append(self.ax_.scatter(*x.T, s=22, marker=marker, c=colour, label=label, **DOT))

    def _two_classes(self) -> None:
        assert self.classes is not None
        f = self.response
        self._image(f, cmap=SURFACE, vmin=-1, vmax=1)
        if f.min() < 0.0 < f.max():
            self.ax_.contour(self.x, self.y, f, levels=[0.0], colors=INK, linewidths=1.3)
        looks = ((0, "^", ORANGE), (1, "o", BLUE))
        for (side, marker, colour), name in zip(looks, self.classes, strict=False):
            self._points(side, str(name), marker, colour)
        self._key()

    def _classes(self) -> None:
        assert self.classes is not None
        winner = self.response.argmax(axis=2)
        tints = np.array([tint(PALETTE[c % len(PALETTE)], 0.3) for c in range(len(self.classes))])
        self._image(tints[winner], interpolation="nearest")
        for c in range(len(self.classes)):
            others = np.delete(self.response, c, axis=2).max(axis=2)
            lead = self.response[:, :, c] - others
            if lead.min() < 0.0 < lead.max():
                self.ax_.contour(self.x, self.y, lead, levels=[0.0], colors=INK, linewidths=1.0)
            self._points(c, str(self.classes[c]), MARKERS[c % len(MARKERS)], PALETTE[c % len(PALETTE)])
        self._key()

    def _values(self) -> None:
        self._image(self.response, cmap="cividis")
        if np.ptp(self.response) > 0.0:
            self.ax_.contour(self.x, self.y, self.response, levels=8, colors="white", linewidths=0.6, alpha=0.7)
        self.ax_.set_aspect("auto")  # the colour bar is as high as the image
        bar = self.figure_.colorbar(self.surface_, ax=self.ax_, label="prediction")
        bar.outline.set_edgecolor(GREY)
        if len(self.support):
            mark = DOT | {"edgecolors": INK}
            self.support_.append(self.ax_.scatter(*self.support.T, s=18, c="white", label="SV", **mark))

    def _key(self) -> None:
        legend(self.ax_, loc="upper left", bbox_to_anchor=(1.0, 1.0), title="support vectors", title_fontsize=9)


def _in_units_of_data(columns: FeatureMap, sv: np.ndarray) -> np.ndarray:
    """Support vectors of the columns as points of the features; one that does not count has its mean."""
    own = sv[:, : columns.features].astype(np.float64)
    return columns.shift + np.divide(own, columns.factor, out=np.zeros_like(own), where=columns.factor != 0.0)


def _response(model: Any, inner: Model | AdaptiveModel, X: np.ndarray) -> tuple[np.ndarray, list[Any] | None]:
    """Scores and labels; one score per row, or one per class for more than two classes."""
    scores, classes = inner.scores_many(X), getattr(model, "classes_", None)
    if inner.recipe.loss.target == "values":
        scale, mean = getattr(model, "target_scale_", 1.0), getattr(model, "target_mean_", 0.0)
        return _one_output(scores * scale + mean), None
    if classes is not None:
        from ..estimators.labels import decision

        return decision(scores, len(classes)), classes.tolist()
    return (scores[:, 0], [-1, 1]) if scores.shape[1] == 1 else (scores, list(range(scores.shape[1])))


def _one_output(values: np.ndarray) -> np.ndarray:
    if values.shape[1] != 1:
        raise ValueError(f"A decision surface shows one output, and this model has {values.shape[1]}.")
    return values[:, 0]
