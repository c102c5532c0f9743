"""A stream of rows that learners meet in practice and papers do not: what `benchmarks.endurance` feeds the recipes."""

from collections.abc import Callable, Iterator

import numpy as np

BLOCK = 1000  # rows of one kind in succession
LAP = 200_000  # rows after which a drifting mean is back where it began
Rows = tuple[np.ndarray, np.ndarray]


class NastyRows:
    """Rows of float32 and labels −1 or +1, in blocks of one kind each, reproducible by `seed`.

    Unbounded recipes keep a support vector for every region of the input space, and at scale 10⁶ every row is a region
    of its own: `pool` says how many different rows there are at that scale, None for no limit.
    """

    def __init__(self, features: int = 2, pool: int | None = None, seed: int = 0):
        self.rng = np.random.default_rng(seed)
        self.features, self.row = features, 0
        self.pool = None if pool is None else self._normal(pool)
        self.kinds: list[Callable[[], Rows]] = [
            self.plain, self.duplicates, self.constant, self.large, self.small, self.sorted, self.drifting, self.mixed,
        ]  # fmt: skip

    def _normal(self, rows: int) -> np.ndarray:
        return self.rng.standard_normal((rows, self.features), np.float32)

    def _labels(self, X: np.ndarray) -> np.ndarray:
        """Two interleaved classes, one label in ten wrong."""
        clean = np.where(np.sin(2.0 * X.sum(axis=1, dtype=np.float64)) > 0.0, 1.0, -1.0)
        return np.where(self.rng.random(len(X)) < 0.1, -clean, clean)

    def plain(self) -> Rows:
        X = self._normal(BLOCK)
        return X, self._labels(X)

    def duplicates(self) -> Rows:
        """One row, with both labels."""
        X = np.repeat(self._normal(1), BLOCK, axis=0)
        return X, self._labels(X)

    def constant(self) -> Rows:
        """The same number in all columns: zeros first, then others."""
        levels = np.array([0.0, 1.0, -1.0, 3.0], np.float32).repeat(BLOCK // 4)
        X = np.tile(levels[:, None], self.features)
        return X, self._labels(X)

    def large(self) -> Rows:
        X = self._normal(BLOCK) if self.pool is None else self.pool[self.rng.integers(len(self.pool), size=BLOCK)]
        return np.float32(1e6) * X, self._labels(X)

    def small(self) -> Rows:
        X = self._normal(BLOCK)
        return np.float32(1e-6) * X, self._labels(X)

    def sorted(self) -> Rows:
        X, y = self.plain()
        return X, np.sort(y)

    def drifting(self) -> Rows:
        angle = 2.0 * np.pi * self.row / LAP
        X = self._normal(BLOCK) + np.float32(2.0) * np.resize([np.sin(angle), np.cos(angle)], self.features)
        return X.astype(np.float32), self._labels(X)

    def mixed(self) -> Rows:
        """All scales in turn, from row to row."""
        X, y = self.plain()
        X[::3], X[1::3] = self.large()[0][::3], self.small()[0][1::3]
        return X, y

    def chunks(self, rows: int, size: int) -> Iterator[Rows]:
        """`rows` rows in chunks of `size`, a multiple of a block."""
        while rows > 0:
            blocks = []
            for _ in range(size // BLOCK):
                blocks.append(self.kinds[self.row // BLOCK % len(self.kinds)]())
                self.row += BLOCK
            take = min(size, rows)
            yield np.concatenate([X for X, _ in blocks])[:take], np.concatenate([y for _, y in blocks])[:take]
            rows -= take


def plain_chunks(rows: int, size: int, seed: int = 0) -> Iterator[Rows]:
    """Rows made fast enough for 10⁸ of them: two features, two interleaved classes, one label in ten wrong."""
    rng = np.random.default_rng(seed)
    while rows > 0:
        take = min(size, rows)
        X = rng.random((take, 2), np.float32)
        clean = (X[:, 0] > 0.5) == (X[:, 1] > 0.5)
        yield X, np.where(clean ^ (rng.random(take, np.float32) < 0.1), 1.0, -1.0)
        rows -= take
