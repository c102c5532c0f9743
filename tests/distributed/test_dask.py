"""The same on a cluster: two processes, one of which is killed."""

import os
import signal
import sys

import numpy as np
import pytest

from kernelstream import KernelClassifier
from kernelstream.distributed import (
    DaskKernelClassifier,
    DaskKernelRegressor,
    InMemoryPartition,
    cost_formula,
    dask_backend,
    local_cluster,
    train,
    train_files,
)
from kernelstream.distributed.dask_cluster import QUIET
from kernelstream.pipeline import Settings, StreamPipeline
from tests.distributed import SIZES, X_TEST, Y_TEST, SequentialBackend, X, Y, classifier, plain

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")


def alone(estimator):
    """The result of another backend: this process does everything, one partition after the other."""
    cuts = np.cumsum(SIZES)[:-1]
    partitions = [InMemoryPartition(*pair) for pair in zip(np.split(X, cuts), np.split(Y, cuts), strict=True)]
    return train(estimator, SequentialBackend(partitions), rounds=2)


@pytest.fixture(scope="module")
def sequential():
    return alone(classifier())


def loaded(index, folder, deadly):
    """A partition that kills the worker that loads it, the given time."""
    with open(os.path.join(folder, str(index)), "ab") as file:  # whoever loads it adds a byte
        file.write(b"x")
        times = file.tell()
    if index == 2 and times == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    start = sum(SIZES[:index])
    return X[start : start + SIZES[index]]


def test_processes_of_a_local_cluster_compute_on_one_thread_and_do_little_else(client):
    def settings():
        return [dask.config.get(name) for name in QUIET]

    assert set(map(tuple, client.run(settings).values())) == {tuple(QUIET.values())}
    assert set(client.nthreads().values()) == {1}


@pytest.mark.parametrize(
    ("estimator", "deadly"),
    [(classifier(), 2), (plain(), 3)],
    ids=["while partitions are prepared for the refit", "in the second round"],
)
def test_a_killed_worker_changes_nothing(client, tmp_path, estimator, deadly):
    blocks = [
        da.from_delayed(dask.delayed(loaded)(i, str(tmp_path), deadly), (size, 2), np.float64)
        for i, size in enumerate(SIZES)
    ]
    client.wait_for_workers(2)  # one may have been killed a moment ago
    before = {info["pid"] for info in client.run(lambda: {"pid": os.getpid()}).values()}
    model = DaskKernelClassifier(estimator, rounds=2, fan_in=2, client=client)
    model.fit(da.concatenate(blocks), da.from_array(Y, chunks=(SIZES,)))
    after = {info["pid"] for info in client.run(lambda: {"pid": os.getpid()}).values()}
    assert len(before - after) == 1  # one was killed
    # bit for bit what one process alone finds: neither the number of workers matters, nor their order, nor a death
    expected = alone(estimator)
    np.testing.assert_array_equal(model.estimator_.decision_function(X), expected.estimator.decision_function(X))
    np.testing.assert_array_equal(model.merge_errors_, expected.bounds)
    if estimator.refits:
        # read twice, for the survey and to be prepared, besides what was lost with the worker
        assert all(2 <= (tmp_path / str(i)).stat().st_size <= 4 for i in range(len(SIZES)))


def test_partitions_that_memory_cannot_hold_are_read_in_every_pass(client, monkeypatch, tmp_path, sequential):
    monkeypatch.setattr(dask_backend, "KEPT", 0.0)
    blocks = [
        da.from_delayed(dask.delayed(loaded)(i, str(tmp_path), -1), (size, 2), np.float64)
        for i, size in enumerate(SIZES)
    ]
    model = DaskKernelClassifier(classifier(), fan_in=2, client=client)
    model.fit(da.concatenate(blocks), da.from_array(Y, chunks=(SIZES,)))
    np.testing.assert_array_equal(model.estimator_.decision_function(X), sequential.estimator.decision_function(X))
    assert all((tmp_path / str(i)).stat().st_size > 2 for i in range(len(SIZES)))


def test_predictions_are_lazy_and_those_of_the_estimator(client, sequential):
    model = DaskKernelClassifier()
    model.estimator_ = sequential.estimator
    rows = da.from_array(X_TEST, chunks=(400, 2))
    for name in ("predict", "predict_proba", "decision_function"):
        lazy, expected = getattr(model, name)(rows), getattr(sequential.estimator, name)(X_TEST)
        assert isinstance(lazy, da.Array) and lazy.shape == expected.shape and lazy.dtype == expected.dtype
        np.testing.assert_array_equal(lazy.compute(scheduler="synchronous"), expected)
        np.testing.assert_array_equal(getattr(model, name)(X_TEST), expected)
    assert model.score(rows, da.from_array(Y_TEST, chunks=400)) == sequential.estimator.score(X_TEST, Y_TEST)


def test_data_frames(client, tmp_path):
    pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    table = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": np.where(Y > 0, "white", "black")})
    table = frames.from_pandas(table, npartitions=2)
    model = DaskKernelClassifier(classifier(), rounds=1, client=client, checkpoint=tmp_path)
    expected = model.fit(table[["a", "b"]], table["y"]).decision_function(table[["a", "b"]]).compute()
    model.fit(table[["a", "b"]], table["y"])  # from the checkpoint
    np.testing.assert_array_equal(model.decision_function(table[["a", "b"]]).compute(), expected)
    with pytest.raises(ValueError, match="the digest of a sample of the rows has changed"):
        model.fit(table[["a", "b"]] * 2.0, table["y"])
    assert model.estimator_.feature_names_in_.tolist() == ["a", "b"] and model.classes_.tolist() == ["black", "white"]
    found = model.predict(table[["a", "b"]]).compute()
    assert np.mean(np.asarray(found) == np.where(Y > 0, "white", "black")) > 0.9


def test_files_are_learned_where_they_lie(client, tmp_path):
    for i in range(3):
        part = slice(i * 1000, (i + 1) * 1000)
        lines = [f"{a},{b},{'w' if c > 0 else 'k'}\n" for (a, b), c in zip(X[part], Y[part], strict=True)]
        (tmp_path / f"{i}.csv").write_text("a,b,y\n" + "".join(lines))
    settings = Settings(parameters={"gamma": 4.0, "budget": 40}, scale="none")
    pipeline = train_files([str(tmp_path / "*.csv")], settings, rounds=1, client=client)
    pipeline.save(tmp_path / "board.ks")
    again = StreamPipeline.load(tmp_path / "board.ks")
    assert again.position.finished and again.curve.now.examples == 3000
    right = again.estimator.predict(X_TEST) == np.where(Y_TEST > 0, "w", "k")
    assert right.mean() > 0.93
    with pytest.raises(ValueError, match="limit"):
        train_files([str(tmp_path / "*.csv")], Settings(limit=5), client=client)


def test_the_log_says_when_one_machine_is_faster(client, caplog):
    caplog.set_level("INFO", "kernelstream.distributed")
    client.wait_for_workers(2)  # one may have been killed a moment ago
    rows, labels = da.from_array(X, chunks=(1000, 2)), da.from_array(Y, chunks=1000)
    DaskKernelClassifier(classifier(), client=client).fit(rows, labels)
    (message,) = [record.message for record in caplog.records if "one machine" in record.message]
    assert "For 3,000 rows in 3 partitions on 2 workers" in message
    caplog.clear()
    cost_formula.log_if_one_machine_is_faster(10**8, 64, 64, 1.0)
    assert not caplog.records


def test_what_does_not_fit_is_refused():
    rows, labels = da.from_array(X, chunks=(1000, 2)), da.from_array(Y, chunks=1000)
    model = DaskKernelClassifier()
    for given, words in (
        ((X, Y), "dask.array.from_array"),
        ((rows, Y), "y is a ndarray"),
        ((rows, labels.rechunk(1500)), "3 partitions and y has 2"),
        ((rows, labels.rechunk(((900, 1000, 1100),))), "differ in length"),
        ((rows.rechunk((1000, 1)), labels), "chunked along its columns"),
    ):
        with pytest.raises(ValueError, match=words):
            model.fit(*given)
    for options, words in (
        ({"rounds": 0}, "rounds must be"),
        ({"fan_in": 1}, "fan_in must be"),
        ({"estimator": KernelClassifier}, "must be a KernelClassifier"),
    ):
        with pytest.raises(ValueError, match=words):
            DaskKernelClassifier(**options).fit(rows, labels)
    with pytest.raises(ValueError, match="must be a KernelRegressor"):
        DaskKernelRegressor(KernelClassifier()).fit(rows, labels)


@pytest.mark.parametrize(
    "start",
    [
        lambda: local_cluster(1),
        lambda: DaskKernelClassifier().fit(da.from_array(X, chunks=(1000, 2)), da.from_array(Y, chunks=1000)),
    ],
)
def test_without_dask_the_way_out_is_named(monkeypatch, start):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'kernelstream\[dask\]'"):
        start()


class Counted:
    """How often this process, in which the scheduler is too, has pickled it."""

    pickled = 0

    def __reduce__(self):
        Counted.pickled += 1
        return Counted, ()


def index_of(partition, index, *arguments):
    return index


def test_arguments_of_a_step_over_kept_partitions_are_sent_once(client):
    backend = dask_backend.DaskBackend(client, [None] * 12, 4, False)
    kept = backend.keep(0, index_of)
    Counted.pickled = 0
    assert kept.map(index_of, Counted()) == list(range(12))
    assert 0 < Counted.pickled < 6  # by the client, by the scheduler; not for each of the twelve


def test_a_connection_lost_before_a_step_over_kept_partitions_is_named(client):
    with distributed.Client(client.scheduler.address, set_as_default=False) as own:
        kept = dask_backend.DaskBackend(own, [None] * 3, 4, False).keep(0, index_of)
        kept.map(index_of)
    for step in (lambda: kept.map(index_of), lambda: kept.map_reduce(index_of, sum)):
        with pytest.raises(ConnectionError, match="scheduler"):
            step()
