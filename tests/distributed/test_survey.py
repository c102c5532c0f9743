"""The survey: a uniform sample of all rows, the same in whatever groups partitions are joined."""

import numpy as np
import pytest

from kernelstream.distributed import InMemoryPartition, tree_reduce
from kernelstream.distributed.survey import OF_EACH, batches_with_priorities, divide, join_surveys, survey
from tests.distributed import X, Y, partitions


class Batches:
    """The same rows in batches."""

    def __init__(self, part, size):
        self.part, self.size = part, size

    def batches(self):
        for start in range(0, len(self.part.y), self.size):
            yield self.part.X[start : start + self.size], self.part.y[start : start + self.size]


def surveyed(parts, size=400, fan_in=2, labelled=True, total=None):
    found = [survey(part, i, 7, size, "float32", labelled, total) for i, part in enumerate(parts)]
    return tree_reduce(found, join_surveys, fan_in)


def same(one, other):
    np.testing.assert_array_equal(one.sample.X, other.sample.X)
    np.testing.assert_array_equal(one.sample.y, other.sample.y)
    assert one.rows == other.rows and one.counts == other.counts


def test_the_sample_is_the_rows_with_the_lowest_priorities():
    parts, found = partitions(), surveyed(partitions())
    rows = [(p, i, x, y) for i, part in enumerate(parts) for xs, ys, _, ps in batches_with_priorities(part, i, 7)
            for p, x, y in zip(ps, xs, ys, strict=True)]  # fmt: skip
    last = sorted(row[0] for row in rows)[399]
    lowest = [row for row in rows if row[0] <= last]
    np.testing.assert_array_equal(found.sample.X, [row[2] for row in lowest])
    np.testing.assert_array_equal(found.sample.y, [row[3] for row in lowest])
    assert found.rows == len(Y) and found.counts == {-1: np.sum(Y < 0), 1: np.sum(Y > 0)}
    for i, x in enumerate(found.sample.X[:20]):
        partition, position = found.sample.place[i]
        np.testing.assert_array_equal(parts[partition].X[position], x)


def test_neither_groups_nor_batches_matter():
    whole = surveyed(partitions())
    same(whole, surveyed(partitions(), fan_in=8))
    same(whole, surveyed([Batches(part, 64) for part in partitions()], fan_in=3))
    empty = InMemoryPartition(X[:0], Y[:0])
    same(whole, surveyed([*partitions(), empty]))


@pytest.mark.parametrize("labels", [Y, np.where(np.arange(len(Y)) % 100 == 5, 2, Y)], ids=["two", "and a rare one"])
def test_workers_that_know_the_number_of_rows_send_fewer_of_them(labels):
    parts = partitions(labels)
    whole, total = surveyed(parts, 200), sum(len(part.y) for part in parts)
    same(whole, surveyed(parts, 200, total=total))
    sent = [len(survey(part, i, 7, 200, "float32", True, total).sample.priority) for i, part in enumerate(parts)]
    assert sum(sent) < 500  # of 800 without


def test_rare_labels_are_in_the_sample():
    labels = Y.copy()
    rare = np.arange(5, 3000, 100)
    labels[rare], labels[[17, 2999]] = 2, 3
    for fan_in in (2, 8):
        found = surveyed(partitions(labels), 100, fan_in)
        assert found.counts[2] == 30 and found.counts[3] == 2
        kept = {label: int(np.sum(found.sample.y == label)) for label in (2, 3)}
        assert kept[2] >= OF_EACH and kept[3] == 2


@pytest.mark.parametrize("shuffle", [True, False])
def test_workers_know_which_rows_are_held_out(shuffle):
    parts = partitions()
    found = divide(surveyed(parts), shuffle)
    held = [x for i, part in enumerate(parts) for xs, _, _, ps in batches_with_priorities(part, i, 7)
            for x in xs[ps <= found.threshold]]  # fmt: skip
    assert len(held) == len(found.held.priority) == 150
    assert {tuple(row) for row in held} == {tuple(row) for row in found.held.X}
    assert not {tuple(row) for row in held} & {tuple(row) for row in found.learned.X}
    places = [tuple(place) for place in found.learned.place]
    assert (places == sorted(places)) == (not shuffle)


def test_a_label_that_is_only_held_out_is_learned_all_the_same():
    found = surveyed(partitions(), labelled=True)
    labels = found.sample.y.copy()
    labels[found.sample.priority.argmin()] = 9  # one of those that are held out
    parts = divide(found._replace(sample=found.sample._replace(y=labels)), True)
    assert 9 in parts.learned.y and 9 in parts.held.y
