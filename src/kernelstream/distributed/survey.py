"""One pass over all partitions: their size, their labels, and a random sample of their rows.

Every row has a random number of its own, its priority, which depends on the seed, its partition and its position. The
sample is the rows with the lowest priorities, and the lowest of them are held out: so a worker knows which rows these
are without being told.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ..core.inputs import as_rows, check_finite
from ..estimators.epochs import FEW, HELD, MOST_HELD
from .backend import Partition, rows_of, stacked
from .partition_errors import batches_of, located

OF_EACH = 20  # rows of each label, at least, if there are as many: else a rare one might be missing
MOST = 1 << 25  # numbers in a sample
FEWEST = 4096  # rows of a sample, however long they are
SURE = 6.0  # standard deviations of the number of rows below a priority: so many more than needed are always enough


class Sample(NamedTuple):
    """Some rows, in the order of partitions and positions."""

    priority: np.ndarray
    place: np.ndarray  #: (rows, 2): partition, and position in it
    X: Any
    y: Any

    def take(self, pick: np.ndarray) -> "Sample":
        return Sample(self.priority[pick], self.place[pick], rows_of(self.X, pick), rows_of(self.y, pick))


class Survey(NamedTuple):
    """Of some partitions."""

    rows: int
    counts: dict[Any, int] | None  #: rows of each label
    size: int  #: rows of the sample, at most, besides those of rare labels
    sample: Sample | None  #: None if there are no rows

    @property
    def labels(self) -> np.ndarray:
        """All labels in order; of numbers as targets, any one."""
        return np.zeros(1) if self.counts is None else np.array(sorted(self.counts))

    @property
    def label_counts(self) -> np.ndarray:
        """The rows of each of them."""
        found = [self.rows] if self.counts is None else [self.counts[label] for label in sorted(self.counts)]
        return np.array(found, np.float64)


def batches_with_priorities(partition: Partition, index: int, seed: int) -> Iterator[tuple[Any, Any, int, np.ndarray]]:
    """The rows of a partition and their targets, the position of the first, and their priorities."""
    rng, before = np.random.default_rng((seed, index)), 0
    for X, y in batches_of(partition, index):
        yield X, y, before, rng.random(X.shape[0])
        before += X.shape[0]


def survey(
    partition: Partition, index: int, seed: int, size: int, dtype: str, labelled: bool, total: int | None = None
) -> Survey:
    """Of one partition, of `total` rows in all of them, if that is known: then few more rows than those of the sample
    leave the partition. All values are checked to be finite before anything is learned."""
    rows, counts = 0, dict[Any, int]()
    waiting: list[Sample] = []
    for X, y, before, priority in batches_with_priorities(partition, index, seed):
        with located(index, before):
            check_finite(as_rows(X), dtype)
            _check_targets(np.asarray(y))
        count = X.shape[0]
        if count and not waiting:
            size = min(size, max(MOST // _width(X), FEWEST))
        place = np.column_stack([np.full(count, index), before + np.arange(count)])
        own = Sample(priority, place, X, y)
        waiting.append(_lowest([own], size, labelled, 1.0 if total is None else (size + SURE * size**0.5) / total))
        rows += count
        if labelled:
            labels, found = np.unique(np.asarray(y), return_counts=True)
            for label, number in zip(labels.tolist(), found.tolist(), strict=True):
                counts[label] = counts.get(label, 0) + number
        if sum(len(each.priority) for each in waiting) > 2 * size:
            waiting = [_lowest(waiting, size, labelled)]
    sample = (waiting[0] if len(waiting) == 1 else _lowest(waiting, size, labelled)) if rows else None
    return Survey(rows, counts if labelled else None, size, sample)


def join_surveys(parts: Sequence[Survey]) -> Survey:
    """Of all these partitions together: the same, in whatever groups they are joined."""
    labelled, counts = parts[0].counts is not None, dict[Any, int]()
    for part in parts:
        for label, count in (part.counts or {}).items():
            counts[label] = counts.get(label, 0) + count
    size, samples = min(part.size for part in parts), [part.sample for part in parts if part.sample is not None]
    sample = _lowest(samples, size, labelled) if samples else None
    return Survey(sum(part.rows for part in parts), counts if labelled else None, size, sample)


class Division(NamedTuple):
    """A sample, as `divide` divides it."""

    learned: Sample
    held: Sample  #: rows that are not learned: they judge
    threshold: float  #: all rows with a priority of at most this are held out, in every partition


def divide(found: Survey, shuffle: bool) -> Division:
    """One row in twenty is held out, at most 2048, and none of fewer than 200; the rest of the sample is learned, in
    the order of the data unless it is shuffled."""
    assert found.sample is not None
    sample, held = found.sample, min(found.rows // HELD, MOST_HELD) if found.rows >= FEW else 0
    order = np.argsort(sample.priority, kind="stable")
    first, rest = order[:held], order[held:]
    threshold = float(sample.priority[first[-1]]) if held else -1.0
    if found.counts is not None:
        labels = np.asarray(sample.y)
        missing = ~np.isin(labels[first], labels[rest])  # a label that has no other row
        rest = np.concatenate([rest, first[missing]])
    return Division(sample.take(rest if shuffle else np.sort(rest)), sample.take(first), threshold)


def _lowest(samples: Sequence[Sample], size: int, labelled: bool, most: float = 1.0) -> Sample:
    """The rows with the lowest priorities, at most this, of all and of each label, in the order of the samples."""
    priority = np.concatenate([each.priority for each in samples])
    place = np.concatenate([each.place for each in samples])
    cut = np.partition(priority, size - 1)[size - 1] if len(priority) > size else 1.0
    cut = min(cut, most)
    below = priority <= cut
    if labelled and not below.all():
        below[_rare(samples, priority, cut)] = True
    kept = np.flatnonzero(below)  # few of many: rows are copied only once they are chosen
    ends = np.cumsum([len(each.priority) for each in samples])
    picks = np.split(kept, np.searchsorted(kept, ends[:-1]))
    some = [each.take(pick - (end - len(each.priority))) for each, pick, end in zip(samples, picks, ends, strict=True)]
    if len(some) == 1:
        return some[0]
    return Sample(priority[kept], place[kept], stacked([one.X for one in some]), stacked([one.y for one in some]))


def _rare(samples: Sequence[Sample], priority: np.ndarray, cut: float) -> np.ndarray:
    """Rows above the cut that are needed to have enough of each label."""
    labels = np.concatenate([np.asarray(each.y) for each in samples])
    known, counts = np.unique(labels[priority <= cut], return_counts=True)
    short = np.flatnonzero((priority > cut) & ~np.isin(labels, known[counts >= OF_EACH]))
    found = []
    for label in np.unique(labels[short]):
        own = short[labels[short] == label]
        missing = OF_EACH - int(counts[known == label].sum())
        found.append(own[np.argsort(priority[own], kind="stable")[:missing]])
    return np.concatenate([np.zeros(0, np.intp), *found])


def _width(X: Any) -> int:
    """Numbers in a row."""
    return max(X.nnz // X.shape[0] if issparse(X) else X.shape[1], 1)


def _check_targets(y: np.ndarray) -> None:
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        row = int(np.argwhere(~np.isfinite(y))[0, 0])
        raise ValueError(f"y contains {y[row]} at row {row}. Leave such rows out.")
