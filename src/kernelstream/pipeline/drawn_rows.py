"""A random sample of the rows that a run has learned, to judge the model that it ends with."""

import numpy as np

from ..readers import RowBlock
from ..readers.blocks import concatenate
from ..readers.shuffle_keys import shuffle_keys
from ..readers.sorted_rows import LARGEST

DRAWN = 1000


class DrawnRows:
    """The rows with the smallest hashes of their numbers: of all rows that were added, each with the same probability.

    It is kept in memory only: a run that is resumed draws from what it learns from then on.
    """

    def __init__(self, seed: int, count: int = DRAWN):
        self.count, self.seen, self._seed, self._top = count, 0, seed + 1, LARGEST
        self._parts: list[RowBlock] = []
        self._keys = np.empty(0, np.int64)

    def add(self, block: RowBlock) -> None:
        keys = shuffle_keys(np.arange(self.seen, self.seen + len(block)), self._seed)
        self.seen += len(block)
        kept = np.flatnonzero(keys <= self._top)
        if not len(kept):
            return
        self._parts.append(block.take(kept))
        self._keys = np.append(self._keys, keys[kept])
        if len(self._keys) >= 2 * self.count:
            self._top = int(np.partition(self._keys, self.count - 1)[self.count - 1])
            smallest = self._keys <= self._top
            self._parts, self._keys = [concatenate(self._parts).take(smallest)], self._keys[smallest]

    @property
    def rows(self) -> RowBlock | None:
        """The sample; None if nothing was added."""
        if not self._parts:
            return None
        return concatenate(self._parts).take(np.sort(np.argsort(self._keys)[: self.count]))
