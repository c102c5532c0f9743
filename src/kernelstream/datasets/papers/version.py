"""A data set as an experiment had it: which rows, what they are labelled, how they are scaled."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rows import Rows
from .scaling import as_they_are
from .targets import classes


class Split(NamedTuple):
    """Rows to learn from and rows to test on.

    Features are float32; labels −1 and +1 if there are two classes, 0 to c − 1 if there are more; targets float64.
    """

    X_train: NDArray[np.float32]
    y_train: NDArray[Any]
    X_test: NDArray[np.float32]
    y_test: NDArray[Any]


Scaling = Callable[[NDArray[Any], NDArray[Any]], tuple[NDArray[np.float32], NDArray[np.float32]]]
Targets = Callable[[NDArray[Any], NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]]


class Version(NamedTuple):
    """What the rows are, and what is done to their features and to their labels or targets."""

    rows: Rows
    features: Scaling = as_they_are
    targets: Targets = classes

    def split(self, seed: int, rows: int | None) -> Split:
        """The scales are those of all rows to learn from, of which then random ones are given, in their order."""
        raw = self.rows.take(seed, rows)
        y_train, y_test = self.targets(raw.y_train, raw.y_test)
        X_train, X_test = self.features(raw.X_train, raw.X_test)
        if rows is not None and rows < len(X_train):
            # not the first: files are often in the order of time, or of something else that matters
            some = np.sort(np.random.default_rng(seed).permutation(len(X_train))[:rows])
            X_train, y_train = X_train[some], y_train[some]
        return Split(X_train, y_train, X_test, y_test)
