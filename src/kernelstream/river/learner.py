"""What River's classifier and regressor share: the warm-up, learning, and growth by new features and classes."""

import copy
import os
import pickle
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, Self

import numpy as np

from ..core.inputs import as_weights
from ..estimators.validated_rows import unchanged_on_error
from ..model import Model
from ..tracking import AdaptiveModel, DriftEvent, RunningScale
from ..tracking.running_scale import warn_of_clocks
from . import river_files
from .features import Features, reason
from .frames import column, table
from .river_parameters import RiverParameters

Row = dict[Hashable, Any]
_FOURFOLD = {4**k for k in range(16)}


class KernelLearner(RiverParameters):
    """Base of the River estimators.

    An adaptive model sets itself up. Of a single model, the first `warm_up` rows are kept here: gamma and the scale of
    targets are estimated from them. During the warm-up it starts again whenever their number has grown fourfold, or a
    row has a new feature or class.
    """

    def __init__(self, *parameters: Any):
        super().__init__(*parameters)
        self._features = Features()
        self._first: list[tuple[Row, Any, float]] | None = []  # rows, targets, weights; None after the warm-up
        self._model: Model | AdaptiveModel | None = None
        self._units: RunningScale | None = None  # of a single model, if features are scaled

    @abstractmethod
    def _known(self, y: Any) -> Any:
        """The target as the model takes it, or None for a new label; a ValueError if it is not a target."""

    @abstractmethod
    def _welcome(self, y: Any) -> Any:
        """The same, after a new label has been added."""

    @abstractmethod
    def _begin(self, X: np.ndarray, targets: list[Any]) -> Model:
        """A single model for a stream that starts with these rows."""

    @abstractmethod
    def _begin_adaptive(self, width: int) -> AdaptiveModel:
        """A model that sets itself up."""

    @abstractmethod
    def _grow(self, model: Any, width: int, row: np.ndarray) -> "Model | AdaptiveModel":
        """The model with all features and labels known by now; `row` has the first values of new features."""

    @abstractmethod
    def _learn_row(self, model: Any, row: np.ndarray, target: Any, w: float) -> None:
        """Learn an example without new features or labels; a bad one raises a ValueError and changes nothing."""

    def learn_one(self, x: Row, y: Any, w: float = 1.0) -> None:
        """Learn one example.

        Parameters
        ----------
        x
            Features by name; values are numbers. New features are added to the model; absent ones are 0.
        y
            A label, which may be new, or a number.
        w
            The weight of the example.
        """
        target, row, model = self._known(y), self._features.read(x), self._model
        try:
            if self._first is not None or target is None or row is None or model is None:
                with unchanged_on_error(self):
                    self._learn_new(x, y, w)
            else:
                self._learn_raw(model, row, target, w)
        except ValueError as error:
            raise self._in_words(x, error) from None

    def _learn_new(self, x: Row, y: Any, w: float) -> None:
        """Learn an example of the warm-up, or one with a new feature or label."""
        new = self._model is None or self._known(y) is None or self._features.read(x) is None
        if new:
            self._features = self._features.joined(x)
        target = self._welcome(y)
        if self._model is None and self.adapts:
            self._model, self._first = self._begin_adaptive(self._features.width), None
        elif self._first is not None:
            first = [*self._first, (dict(x), target, w)]
            again, over = new or len(first) in _FOURFOLD, len(first) >= self.warm_up
            self._first = None if over else first
            if again or over:
                self._begin_again(first)
                return
        elif new:
            row = self._row(x)
            self._model = self._grow(self._model, self._features.width, row)
            if self._units is not None:
                self._units = self._units.widened(row)
        self._learn_known(x, target, w)

    def _begin_again(self, first: list[tuple[Row, Any, float]]) -> None:
        rows = np.array([self._row(x).copy() for x, _, _ in first])
        if self.scale == "auto":
            self._units = RunningScale(rows.shape[1], self._memory).start(rows)
            rows = self._units.scaled_many(rows)
        self._model = self._begin(rows, [target for _, target, _ in first])
        for x, target, w in first:
            self._learn_known(x, target, w)

    def _learn_known(self, x: Row, target: Any, w: float) -> None:
        assert self._model is not None
        self._learn_raw(self._model, self._row(x), target, w)

    def _learn_raw(self, model: "Model | AdaptiveModel", row: np.ndarray, target: Any, w: float) -> None:
        """Learn a row of features as they come."""
        units = self._units
        if units is None:
            self._learn_row(model, row, target, w)
            return
        self._learn_row(model, units.scaled(row), target, w)
        if units.observe(row) and isinstance(model, Model) and model.rescalable:
            found = units.renewed()
            if found.factors is not None:
                model.rescale_features(found.factors)
            warn_of_clocks(units, found.clocks, list(self._features.columns))  # at the end: it may be an error

    def _row(self, x: Row) -> np.ndarray:
        row = self._features.read(x)
        assert row is not None
        return row

    def learn_many(self, X: Any, y: Any, w: Any = 1.0) -> None:
        """Learn the rows of a data frame in order, exactly as `learn_one` would. If one is bad, nothing is learned.

        Parameters
        ----------
        X
            A data frame of numbers; columns may be new or absent.
        y
            A series of labels or numbers.
        w
            The weight of the examples, or a series of weights.
        """
        names, values = table(X, np.dtype(self.dtype))
        targets, weights = column(y), as_weights(w, len(values)).tolist()
        if len(targets) != len(values):
            raise ValueError(f"X has {len(values)} rows and y has {len(targets)}; the model is unchanged.")
        new = [name for name in names if name not in self._features.columns]
        new += [target for target in targets if self._known(target) is None]
        # each row is fine, but numbers may grow too large half way through, or the recipe refuse what is new
        backup = copy.deepcopy(self.__dict__) if new or self._model is None or self._model.may_overflow else None
        try:
            self._learn_rows(names, values, targets, weights)
        except ValueError:
            self.__dict__ = self.__dict__ if backup is None else backup
            raise

    def _learn_rows(self, names: list[Hashable], values: np.ndarray, targets: list[Any], weights: list[float]) -> None:
        rows: np.ndarray | None = None  # as the model takes them, from when it knows all columns
        for i, (y, w) in enumerate(zip(targets, weights, strict=True)):
            target, model = self._known(y), self._model
            if rows is None or target is None or model is None:
                self.learn_one(dict(zip(names, values[i].tolist(), strict=True)), y, w)
                if self._first is None:
                    rows = self._arranged(names, values)
            else:
                self._learn_raw(model, rows[i], target, w)

    def _arranged(self, names: list[Hashable], values: np.ndarray) -> np.ndarray:
        """The table with the model's columns; unknown columns are ignored."""
        rows, columns = np.zeros((len(values), self._features.width)), self._features.columns
        known = [i for i, name in enumerate(names) if name in columns]
        rows[:, [columns[names[i]] for i in known]] = values[:, known]
        return rows

    def _scored(self, x: Row) -> np.ndarray:
        """A row as the model takes it."""
        raw, units = self._features.read_known(x), self._units
        return raw if units is None else units.scaled(raw)

    def _scores_one(self, x: Row) -> np.ndarray:
        assert self._model is not None
        row = self._scored(x)
        try:
            return self._model.scores_one(row)
        except ValueError as error:
            raise self._in_words(x, error) from None

    def _scores_many(self, X: Any) -> np.ndarray:
        model, units = self._model, self._units
        assert model is not None
        raw = self._arranged(*table(X, model.dtype))
        return model.scores_many(raw if units is None else units.scaled_many(raw))

    def _in_words(self, x: Any, error: ValueError) -> ValueError:
        """An error that names the feature, if a feature is the cause."""
        wrong = reason(x, self.dtype)
        return ValueError(wrong) if wrong else error

    @property
    def drift_(self) -> list[DriftEvent]:
        """Changes of the error rate that chance does not explain: when, how large, and what was done. Only with
        `adapt`; the latest thousand."""
        return self._model.drift if isinstance(self._model, AdaptiveModel) else []

    @property
    def feature_relevance_(self) -> dict[Hashable, float]:
        """The share of each feature in the variation of what the tables say, over about the last thousand rows; sums
        to 1. Only with `adapt`."""
        if not isinstance(self._model, AdaptiveModel):
            return {}
        return dict(zip(self._features.columns, self._model.relevance.tolist(), strict=False))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save to a file that `load` reads: a loaded estimator goes on as if it had never been saved, bit for bit.

        The file has the format of model files (safetensors with a checksum) and is replaced atomically. Names of
        features and labels must be strings or numbers.
        """
        river_files.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The estimator in a file that `save` wrote. Nothing in the file is executed; one that is truncated, altered or
        of another kind raises a ValueError."""
        found: Self = river_files.load(cls, path)
        return found

    def restore_names(self, names: list[Hashable]) -> None:
        """Start with these features (for `load`)."""
        self._features = Features(names)

    def check_restored(self, model: "Model | AdaptiveModel") -> None:
        """Refuse parts of a file that do not belong together (for `load`)."""
        width = self._features.width
        if len(self._features.columns) not in (width, 0) or model.n_features != width:
            raise ValueError("its model has other features")
        if self._units is not None and len(self._units.mean) != width:
            raise ValueError("its scale is that of other features")

    @property
    def n_support(self) -> int:
        """Support vectors of the model."""
        return 0 if self._model is None else self._model.n_support

    @property
    def nbytes(self) -> int:
        """Memory of the model. Beside it there are the names of features and, at first, the rows of the warm-up."""
        return 0 if self._model is None else self._model.nbytes

    @property
    def _raw_memory_usage(self) -> int:
        # River would go from object to object and count the compiled code, which all models of a kind share
        return len(pickle.dumps(self))
