"""Workers that die in each step, partitions that cannot be read, partitions without rows or with one class."""

import os
import signal

import numpy as np
import pytest

from kernelstream import KernelClassifier
from kernelstream.distributed import DaskBackend, DaskKernelClassifier, InMemoryPartition, train, train_files
from kernelstream.pipeline import Settings
from tests.distributed import SIZES, X_TEST, Y_TEST, SequentialBackend, X, Y, classifier, plain

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

CUTS = np.cumsum(SIZES)[:-1]
PARTS = [InMemoryPartition(*pair) for pair in zip(np.split(X, CUTS), np.split(Y, CUTS), strict=True)]


class KillOnce:
    """A task or join whose worker is killed the first time that any worker runs it, and not again."""

    def __init__(self, call, folder):
        self.call, self.folder, self.__name__ = call, folder, call.__name__

    def __call__(self, *arguments):
        try:
            os.close(os.open(os.path.join(self.folder, self.__name__), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return self.call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)


class Killing(DaskBackend):
    """Kills a worker in every kind of task and of join, whatever steps `train` has."""

    folder = ""

    def map(self, task, *arguments):
        return super().map(KillOnce(task, self.folder), *arguments)

    def map_reduce(self, task, join, *arguments):
        return super().map_reduce(KillOnce(task, self.folder), KillOnce(join, self.folder), *arguments)

    def keep(self, nbytes, task, *arguments):
        kept = super().keep(nbytes, KillOnce(task, self.folder), *arguments)
        killing = Killing(self.client, kept.partitions, self.fan_in, self.progress)
        killing.folder = self.folder
        return killing


SAMPLED = {"survey", "join_surveys", "prepare", "kept_sums", "add_refit_sums"}
ROUNDS = {"survey", "join_surveys", "learn", "merge_parts"}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "steps"), [(classifier, SAMPLED), (plain, ROUNDS)], ids=["sampled", "rounds"])
def test_a_worker_killed_in_each_step_changes_nothing(client, tmp_path, make, steps):
    client.wait_for_workers(2)
    backend = Killing(client, [dask.delayed(part, pure=False) for part in PARTS], 2, False)
    backend.folder = str(tmp_path)
    found = train(make(), backend, rounds=2)
    assert {path.name for path in tmp_path.iterdir()} == steps  # each of them a death
    expected = train(make(), SequentialBackend(PARTS), rounds=2)
    np.testing.assert_array_equal(found.estimator.decision_function(X), expected.estimator.decision_function(X))
    np.testing.assert_array_equal(found.bounds, expected.bounds)


class Restarting(DaskBackend):
    """Its scheduler and workers end before step number `last`."""

    last = 0

    def map_reduce(self, task, join, *arguments):
        self.last -= 1
        if self.last == 0:
            self.client.cluster.close()
        return super().map_reduce(task, join, *arguments)


@pytest.mark.slow
def test_after_a_scheduler_that_ended_between_rounds_another_one_continues(client, tmp_path):
    given = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    parts = [dask.delayed(part, pure=False) for part in PARTS]
    with distributed.LocalCluster(**given) as cluster, distributed.Client(cluster, set_as_default=False) as own:
        backend = Restarting(own, parts, 2, False)
        backend.last = 3  # the survey, the first round
        with pytest.raises(ConnectionError, match="with checkpoint= the steps that were done are not repeated"):
            train(plain(), backend, rounds=2, checkpoint=tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["0001-merge_parts.ks", "run.ks"]
    found = train(plain(), DaskBackend(client, parts, 2, False), rounds=2, checkpoint=tmp_path)
    expected = train(plain(), SequentialBackend(PARTS), rounds=2)
    np.testing.assert_array_equal(found.estimator.decision_function(X), expected.estimator.decision_function(X))


def unreadable(index):
    if index == 2:
        raise OSError(5, "Input/output error", "/data/part-2")
    return PARTS[index].X


def test_a_partition_that_cannot_be_read_is_named_with_the_cause(client):
    blocks = [da.from_delayed(dask.delayed(unreadable)(i), (size, 2), np.float64) for i, size in enumerate(SIZES)]
    model = DaskKernelClassifier(classifier(), client=client)
    with pytest.raises(ValueError, match=r"Partition 2 cannot be read: OSError: .*Input/output error: '/data/part-2'"):
        model.fit(da.concatenate(blocks), da.from_array(Y, chunks=(SIZES,)))


class Vanishing:
    """A partition that can be read once."""

    def __init__(self, part):
        self.part, self.reads = part, 0

    def batches(self):
        self.reads += 1
        if self.reads > 1:
            raise FileNotFoundError(2, "No such file or directory", "day-1.csv")
        return self.part.batches()


def test_a_partition_that_vanishes_between_steps_is_named_by_any_backend():
    backend = SequentialBackend([PARTS[0], Vanishing(PARTS[1])])
    with pytest.raises(ValueError, match=r"Partition 1 cannot be read: FileNotFoundError: .*'day-1.csv'"):
        train(classifier(), backend, rounds=1)


def test_a_file_that_is_damaged_is_named_with_its_partition(client, tmp_path):
    lines = [f"{a},{b},{'w' if c > 0 else 'k'}\n" for (a, b), c in zip(X, Y, strict=True)]
    for i in range(3):
        (tmp_path / f"{i}.csv").write_text("a,b,y\n" + "".join(lines[i * 100 : (i + 1) * 100]))
    (tmp_path / "1.csv").write_text("a,b,y\n1,2,w\n1,2\n")
    with pytest.raises(ValueError, match=r"Partition 1 cannot be read: .*1\.csv, line 3: expected 3 columns, found 2"):
        train_files([str(tmp_path / "*.csv")], Settings(first=50, scan=False), rounds=1, client=client)  # 50 rows here


def test_partitions_of_one_class_and_empty_ones():
    """Sorted by class: no partition sees both, and two have no rows. The model must still separate them."""
    cut = [
        InMemoryPartition(X[rows], Y[rows])
        for label in (-1, 1)
        for rows in np.array_split(np.flatnonzero(label == Y), 3)
    ]
    empty = InMemoryPartition(X[:0], Y[:0])
    found = train(classifier(), SequentialBackend([empty, *cut, empty]), rounds=2).estimator
    assert found.classes_.tolist() == [-1, 1]
    assert found.score(X_TEST, Y_TEST) > 0.9


def test_three_classes_of_which_no_partition_has_all():
    """As above, with one score per class."""
    labels = np.where(X[:, 0] < X[:, 1], "low", np.where(Y > 0, "white", "black"))
    order = np.argsort(labels, kind="stable")
    cut = [InMemoryPartition(X[part], labels[part]) for part in np.array_split(order, 4)]
    found = train(KernelClassifier(gamma=4.0, budget=60, random_state=0), SequentialBackend(cut), rounds=2).estimator
    assert found.score(X, labels) > 0.8


def test_no_rows_at_all_is_a_sentence(client):
    rows, labels = da.from_array(X[:0], chunks=(10, 2)), da.from_array(Y[:0], chunks=10)
    with pytest.raises(ValueError, match="no rows to learn from: all partitions are empty"):
        DaskKernelClassifier(client=client).fit(rows, labels)
    with pytest.raises(ValueError, match="no rows to learn from"):
        train(KernelClassifier(), SequentialBackend([]), rounds=1)
