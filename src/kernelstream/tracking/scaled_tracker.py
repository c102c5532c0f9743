"""`ScaledTracker`: a tracker that takes rows as they come, and scales them for its kernels."""

import copy
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ..core.task import Task
from ..recipe import Recipe
from .experts import kinds_of, models_of
from .running_scale import RunningScale, warn_of_clocks
from .tracker import Tracker

SOME = 1024  # rows of a block, if nothing is scaled


class ScaledTracker:
    """A tracker and the running scale of its features; None for features that are in good units already."""

    def __init__(self, tracker: Tracker, units: RunningScale | None, names: Sequence[Any] | None = None):
        self.tracker, self.units, self.names = tracker, units, names

    @classmethod
    def begin(
        cls, recipe: Recipe, task: Task, X: np.ndarray, y: np.ndarray, outputs: int, dtype: Any, seed: int,
        scale: bool, names: Sequence[Any] | None,
    ) -> Self:  # fmt: skip
        """For a stream that starts with these rows; they are not learned."""
        units = RunningScale(X.shape[1]).start(X) if scale else None
        scaled = X if units is None else units.scaled_many(X)
        powers = [kind.power for kind in kinds_of(recipe)]
        tracker = Tracker(models_of(recipe, scaled, y[:, None], outputs, dtype, seed), task, powers)
        task.start(tracker.state.mixture, y)
        return cls(tracker, units, names)

    @property
    def room(self) -> int:
        """The most rows that `learn_block` takes next: those up to a change of units."""
        return SOME if self.units is None else self.units.room

    def learn_block(
        self, X: np.ndarray, index: np.ndarray, y: np.ndarray, weights: np.ndarray, out: np.ndarray
    ) -> None:
        """Learn finite rows, `room` at most: see `Tracker.learn_many`."""
        units = self.units
        if units is None:
            self.tracker.learn_many(X, X, index, y, weights, out)
            return
        self.tracker.learn_many(units.scaled_many(X), units.considered(X), index, y, weights, out)
        if units.observe_many(X):
            self._change(units)

    def learn_one(self, x: np.ndarray, index: int, y: float, weight: float) -> None:
        """Learn one row: contiguous float64."""
        units = self.units
        if units is None:
            self.tracker.learn_one(x, x, index, y, weight)
            return
        self.tracker.learn_one(units.scaled(x), units.considered(x), index, y, weight)
        if units.observe(x):
            self._change(units)

    def predict_many(self, X: np.ndarray) -> np.ndarray:
        units = self.units
        if units is None:
            return self.tracker.predict_many(X, X)
        return self.tracker.predict_many(units.scaled_many(X), units.considered(X))

    def predict_one(self, x: np.ndarray) -> np.ndarray:
        units = self.units
        if units is None:
            return self.tracker.predict_one(x, x)
        return self.tracker.predict_one(units.scaled(x), units.considered(x))

    def _change(self, units: RunningScale) -> None:
        """Look at the units, and convert what is stored if they have changed."""
        found = units.renewed()
        if found.factors is not None:
            self.tracker.rescale_features(found.factors)
        warn_of_clocks(units, found.clocks, self.names)  # at the end: it may be an error

    def expand(self, recipe: Recipe, features: int, mix: Any, row: np.ndarray, names: Sequence[Any] | None) -> Self:
        """A copy with more features or outputs: see `Model.expand`. `row` has the values of new features."""
        new = copy.copy(self)
        new.tracker, new.names = self.tracker.expand(recipe, features, mix), names
        if self.units is not None and features > len(self.units.mean):
            new.units = self.units.widened(row)
        return new
