"""Which rows are learned from, and which are tested on."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .._batches import batches
from ..real import fetch

BLOCK = 65_536


class Raw(NamedTuple):
    X_train: NDArray[Any]
    y_train: NDArray[Any]
    X_test: NDArray[Any]
    y_test: NDArray[Any]


class Rows(Protocol):
    def take(self, seed: int, most: int | None) -> Raw:
        """The rows; `most` is how many of the first kind will be used, for those who can save the rest."""


class Own(NamedTuple):
    """The set's own split; of its training rows the first so many, or all."""

    name: str
    train: int | None = None

    def take(self, seed: int, most: int | None) -> Raw:
        table = fetch(self.name)
        assert table.X_test is not None and table.y_test is not None
        return Raw(table.X[: self.train], table.y[: self.train], table.X_test, table.y_test)


class InOrder(NamedTuple):
    """The first rows to learn from, so many or such a share; the others to test on."""

    name: str
    train: float

    def take(self, seed: int, most: int | None) -> Raw:
        X, y, *_ = fetch(self.name)
        n = count(self.train, len(y))
        return Raw(X[:n], y[:n], X[n:], y[n:])


class AtRandom(NamedTuple):
    """Random rows to learn from, so many or such a share, and others to test on, all of them if `test` is None.

    A split of the set's own is not kept. The seed is the caller's, unless the version has one of its own.
    """

    name: str
    train: float
    test: int | None = None
    seed: int | None = None

    def take(self, seed: int, most: int | None) -> Raw:
        table = fetch(self.name)
        X, y = table.X, table.y
        if table.X_test is not None and table.y_test is not None:
            X, y = np.concatenate([X, table.X_test]), np.concatenate([y, table.y_test])
        n = count(self.train, len(y))
        order = np.random.default_rng(seed if self.seed is None else self.seed).permutation(len(y))
        train, test = order[:n], order[n:][: self.test]
        return Raw(X[train], y[train], X[test], y[test])


class Online(NamedTuple):
    """All training rows of a set in their order, and none to test on: they are predicted before they are learned."""

    name: str

    def take(self, seed: int, most: int | None) -> Raw:
        X, y, *_ = fetch(self.name)
        return Raw(X, y, X[:0], y[:0])


class Drawn(NamedTuple):
    """Rows of a synthetic stream: the first to learn from, the next to test on, wherever the former are cut off."""

    stream: Callable[..., tuple[NDArray[Any], NDArray[Any]]]
    train: int
    test: int

    def take(self, seed: int, most: int | None) -> Raw:
        n = self.train if most is None else min(self.train, most)
        return Raw(*self._rows(n, 0, seed), *self._rows(self.test, self.train, seed))

    def _rows(self, n: int, start: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        width = self.stream(0)[0].shape[1]
        X, y = np.empty((n, width), np.float32), np.empty(n, np.int64)
        # in blocks, because a stream in double precision with its draws takes six times the memory
        done = 0
        for more, labels in batches(self.stream, n, BLOCK, start=start, seed=seed):
            X[done : done + len(labels)], y[done : done + len(labels)] = more, labels
            done += len(labels)
        return X, y


def count(rows: float, there: int) -> int:
    """How many rows a number or a share of them is.

    >>> count(0.9, 245_057), count(16_000, 20_000), count(16_000, 12_000)
    (220551, 16000, 12000)
    """
    return int(rows * there) if rows < 1 else min(int(rows), there)
