"""A driver that dies after any step, and is started again, ends with the same model, bit for bit."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import KernelRegressor, recipes
from kernelstream.distributed import InMemoryPartition, train
from kernelstream.distributed.step_files import from_bytes, to_bytes
from kernelstream.kernels import Gaussian
from tests.distributed import SIZES, SequentialBackend, X, Y, classifier, plain


def partitions(y=Y, rows=X):
    cuts = np.cumsum(SIZES)[:-1]
    return [InMemoryPartition(*pair) for pair in zip(np.split(rows, cuts), np.split(y, cuts), strict=True)]


class Died(BaseException):
    """The process ends; nothing catches it."""


class Dying(SequentialBackend):
    """Dies instead of step number `last`."""

    def __init__(self, parts, last=10**9, steps=None):
        super().__init__(parts)
        self.last, self.steps = last, [] if steps is None else steps

    def map(self, task, *arguments):
        if len(self.steps) == self.last:
            raise Died
        self.steps.append(task.__name__)
        return super().map(task, *arguments)

    def keep(self, nbytes, task, *arguments):
        return Dying(self.map(task, *arguments), self.last, self.steps)


@pytest.mark.parametrize("make", [classifier, plain], ids=["a sample and sums", "rounds"])
def test_a_driver_that_dies_after_any_step_continues_and_ends_bit_equal(tmp_path, make):
    whole = Dying(partitions())
    expected = train(make(), whole, rounds=2)
    repeated = ("survey", "prepare")  # the data is looked at, and rows are prepared where they are
    assert len(whole.steps) > len(repeated)
    for last in range(1, len(whole.steps)):
        folder = tmp_path / str(last)
        with pytest.raises(Died):
            train(make(), Dying(partitions(), last), rounds=2, checkpoint=folder)
        again = Dying(partitions())
        found = train(make(), again, rounds=2, checkpoint=folder)
        assert again.steps == [step for i, step in enumerate(whole.steps) if i >= last or step in repeated]
        np.testing.assert_array_equal(found.estimator.decision_function(X), expected.estimator.decision_function(X))
        np.testing.assert_array_equal(found.estimator.predict_proba(X), expected.estimator.predict_proba(X))
        assert found.bounds == expected.bounds and found.rows == expected.rows
        assert not [path for path in folder.iterdir() if path.suffix != ".ks"]  # no temporary files
    finished = Dying(partitions())
    train(make(), finished, rounds=2, checkpoint=folder)
    assert set(finished.steps) <= set(repeated)


def test_sparse_rows_regression_and_a_seed_that_is_drawn_once(tmp_path):
    """Without a seed the folder has one, so that the second run is the first one's."""
    rows, target = csr_matrix(np.where(np.abs(X) < 0.3, 0.0, X)), np.column_stack([X[:, 0], X[:, 1] ** 2])
    cut = [InMemoryPartition(rows[:1500], target[:1500]), InMemoryPartition(rows[1500:], target[1500:])]
    results = []
    for _ in range(2):
        with pytest.raises(Died):
            train(KernelRegressor(gamma=2.0, budget=40), Dying(cut, 3), rounds=1, checkpoint=tmp_path / "steps")
        found = train(KernelRegressor(gamma=2.0, budget=40), Dying(cut), rounds=1, checkpoint=tmp_path / "steps")
        results.append(found.estimator.predict(rows))
        if len(results) == 1:
            for path in (tmp_path / "steps").glob("0*.ks"):
                path.unlink()  # only the description of the run is left: all is computed again
    np.testing.assert_array_equal(*results)


def test_a_folder_of_another_run_is_refused_and_says_what_differs(tmp_path):
    train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=tmp_path)
    changed = X.copy()
    changed[0, 0] += 1e-12
    other = classifier()
    other.set_params(algorithm=recipes.default(Gaussian(3.0), budget=40))
    for estimator, parts, rounds, words in (
        (classifier(), partitions(), 2, "rounds is 2, and was 1 there"),
        (classifier().set_params(random_state=1), partitions(), 1, "random_state is 1, and was 0 there"),
        (other, partitions(), 1, "algorithm has changed"),
        (
            KernelRegressor(random_state=0),
            partitions(),
            1,
            "estimator is 'KernelRegressor', and was 'KernelClassifier'",
        ),
        (classifier(), partitions()[:3], 1, "the number of partitions is 3, and was 4"),
        (
            classifier(),
            [*partitions()[:3], InMemoryPartition(X[:8], Y[:8])],
            1,
            "the number of rows is 2108, and was 3000 there",
        ),
        (classifier(), partitions(rows=changed), 1, "the digest of a sample of the rows has changed"),
        (classifier(), partitions(y=-Y), 1, "the digest of a sample of the rows has changed"),
    ):
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        with pytest.raises(ValueError, match=f"is of another run: {words}"):
            train(estimator, SequentialBackend(parts), rounds, checkpoint=tmp_path)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_damaged_files_are_refused(tmp_path):
    expected = train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=tmp_path)
    step = sorted(tmp_path.glob("0*.ks"))[1]
    whole = step.read_bytes()
    for data in (
        whole[:-1],
        b"",
        whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
        sorted(tmp_path.iterdir())[0].read_bytes(),
    ):
        step.write_bytes(data)
        with pytest.raises(ValueError, match=f"{step.name} is damaged or is not one .* Delete it"):
            train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=tmp_path)
    step.unlink()  # as the error says
    found = train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=tmp_path)
    np.testing.assert_array_equal(found.estimator.decision_function(X), expected.estimator.decision_function(X))
    (tmp_path / "run.ks").unlink()
    with pytest.raises(ValueError, match=r"run\.ks, which says of what, is missing"):
        train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=tmp_path)
    with pytest.raises(ValueError, match="is not a folder"):
        train(classifier(), SequentialBackend(partitions()), rounds=1, checkpoint=sorted(tmp_path.iterdir())[0])


def test_results_return_as_they_were():
    labels = np.array(["a", "ü"], dtype=object)
    value = [
        None,
        3,
        float("inf"),
        (np.arange(6.0).reshape(2, 3).T, np.zeros(0, np.float32)),
        labels,
        csr_matrix(np.eye(3)),
    ]
    found = from_bytes(to_bytes("step", value), "step", "file")
    assert found[:3] == value[:3] and found[4].tolist() == ["a", "ü"] and isinstance(found[3], tuple)
    np.testing.assert_array_equal(found[3][0], value[3][0])
    assert found[3][0].flags.f_contiguous and found[3][1].dtype == np.float32
    np.testing.assert_array_equal(found[5].toarray(), np.eye(3))


SCRIPT = """
import os, signal, sys
from tests.distributed import X, plain
from tests.distributed.test_checkpoint import Dying, Died, partitions
from kernelstream.distributed import train
import numpy as np
folder, last, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
try:
    found = train(plain(), Dying(partitions(), last), rounds=2, checkpoint=folder)
except Died:
    os.kill(os.getpid(), signal.SIGKILL)
np.save(out, found.estimator.decision_function(X))
"""


@pytest.mark.slow
def test_another_process_continues(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def run(last):
        command = [sys.executable, "-c", SCRIPT, str(tmp_path / "steps"), str(last), str(tmp_path / "scores.npy")]
        return subprocess.run(command, env=environment, capture_output=True, timeout=300).returncode

    assert run(2) == -signal.SIGKILL  # after the first round
    assert run(10**9) == 0
    expected = train(plain(), SequentialBackend(partitions()), rounds=2).estimator.decision_function(X)
    np.testing.assert_array_equal(np.load(tmp_path / "scores.npy"), expected)
