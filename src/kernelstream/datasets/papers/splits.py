"""Training and test rows: the ways to split a data set, and a paper's protocol for it."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..real import fetch
from ..synthetic.batches import batches
from .transforms import BLOCK, Scaler, TargetTransform, class_labels, unscaled


class Split(NamedTuple):
    """Training rows and test rows.

    Features are float32; labels −1 and +1 for two classes, 0 to c − 1 for more; targets float64.
    """

    X_train: NDArray[np.float32]
    y_train: NDArray[Any]
    X_test: NDArray[np.float32]
    y_test: NDArray[Any]


class RawSplit(NamedTuple):
    """Training and test rows with original features and labels."""

    X_train: NDArray[Any]
    y_train: NDArray[Any]
    X_test: NDArray[Any]
    y_test: NDArray[Any]


class Splitter(Protocol):
    """A way to split a data set."""

    def take(self, seed: int, most: int | None) -> RawSplit:
        """The rows; `most` is the number of training rows needed, so that a stream need not generate more."""


class OwnSplit(NamedTuple):
    """The set's own split, with the first `train` of its training rows, or all."""

    name: str
    train: int | None = None

    def take(self, seed: int, most: int | None) -> RawSplit:
        table = fetch(self.name)
        assert table.X_test is not None and table.y_test is not None
        return RawSplit(table.X[: self.train], table.y[: self.train], table.X_test, table.y_test)


class OrderedSplit(NamedTuple):
    """The first rows for training, `train` of them or that fraction; the others for testing."""

    name: str
    train: float

    def take(self, seed: int, most: int | None) -> RawSplit:
        X, y, *_ = fetch(self.name)
        n = count(self.train, len(y))
        return RawSplit(X[:n], y[:n], X[n:], y[n:])


class RandomSplit(NamedTuple):
    """Random rows for training, `train` of them or that fraction; `test` of the others for testing, or all.

    The set's own split is ignored. `seed` overrides the caller's.
    """

    name: str
    train: float
    test: int | None = None
    seed: int | None = None

    def take(self, seed: int, most: int | None) -> RawSplit:
        table = fetch(self.name)
        X, y = table.X, table.y
        if table.X_test is not None and table.y_test is not None:
            X, y = np.concatenate([X, table.X_test]), np.concatenate([y, table.y_test])
        n = count(self.train, len(y))
        order = np.random.default_rng(seed if self.seed is None else self.seed).permutation(len(y))
        train, test = order[:n], order[n:][: self.test]
        return RawSplit(X[train], y[train], X[test], y[test])


class OnlineSplit(NamedTuple):
    """All training rows of a set in their order, and no test rows: each row is predicted before it is learned."""

    name: str

    def take(self, seed: int, most: int | None) -> RawSplit:
        X, y, *_ = fetch(self.name)
        return RawSplit(X, y, X[:0], y[:0])


class SyntheticSplit(NamedTuple):
    """Rows of a synthetic stream: the first `train` for training, the next `test` for testing, whatever `most` is."""

    stream: Callable[..., tuple[NDArray[Any], NDArray[Any]]]
    train: int
    test: int

    def take(self, seed: int, most: int | None) -> RawSplit:
        n = self.train if most is None else min(self.train, most)
        return RawSplit(*self._rows(n, 0, seed), *self._rows(self.test, self.train, seed))

    def _rows(self, n: int, start: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        width = self.stream(0)[0].shape[1]
        X, y = np.empty((n, width), np.float32), np.empty(n, np.int64)
        # in blocks, because a stream in double precision and its random draws take six times the memory
        done = 0
        for more, labels in batches(self.stream, n, BLOCK, start=start, seed=seed):
            X[done : done + len(labels)], y[done : done + len(labels)] = more, labels
            done += len(labels)
        return X, y


def count(rows: float, available: int) -> int:
    """The number of rows that a number or a fraction stands for.

    >>> count(0.9, 245_057), count(16_000, 20_000), count(16_000, 12_000)
    (220551, 16000, 12000)
    """
    return int(rows * available) if rows < 1 else min(int(rows), available)


class PaperProtocol(NamedTuple):
    """A data set as a paper used it: the split, and the transforms of features and of labels or targets."""

    rows: Splitter
    features: Scaler = unscaled
    targets: TargetTransform = class_labels

    def split(self, seed: int, rows: int | None) -> Split:
        """Scales are computed on all training rows; then at most `rows` random ones are returned, in their order."""
        raw = self.rows.take(seed, rows)
        y_train, y_test = self.targets(raw.y_train, raw.y_test)
        X_train, X_test = self.features(raw.X_train, raw.X_test)
        if rows is not None and rows < len(X_train):
            # not the first ones: files are often sorted, by time or class
            some = np.sort(np.random.default_rng(seed).permutation(len(X_train))[:rows])
            X_train, y_train = X_train[some], y_train[some]
        return Split(X_train, y_train, X_test, y_test)
