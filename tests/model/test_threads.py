"""Any number of threads predict while one learns; a second one that learns waits."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import kernelstream
from benchmarks import threads
from kernelstream import KernelClassifier, Model, recipes
from kernelstream.kernels import Gaussian
from kernelstream.model.turns import Turns


def together(*jobs):
    """Run the jobs in threads of their own; their results, or the error of one of them."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


def test_a_reader_never_sees_a_change_half_made():
    turns, pair = Turns(), [0, 0]
    end = time.monotonic() + 0.5

    def write():
        while time.monotonic() < end:
            with turns:
                for _ in range(3):
                    pair[0] += 1
                    time.sleep(0.0005)
                    pair[1] += 1
                    turns.give_way()
        return "written"

    def read():
        seen = set()
        while time.monotonic() < end:
            seen.add(turns.read(lambda: (pair[0], time.sleep(0.0002), pair[1])))
        return seen

    _, *seen = together(write, read, read, read)
    assert all(first == second for states in seen for first, _, second in states)
    assert min(map(len, seen)) > 3 and pair[0] == pair[1] > 3


def test_a_second_writer_waits_for_the_whole_of_the_first():
    turns, order = Turns(), []
    inside = threading.Event()

    def first():
        with turns:
            inside.set()
            turns.give_way()  # to readers, not to writers
            time.sleep(0.05)
            order.append("first")

    def second():
        inside.wait()
        with turns:
            order.append("second")

    together(first, second)
    assert order == ["first", "second"]


def test_the_writer_reads_its_own_changes():
    turns = Turns()
    with turns, turns:
        assert turns.read(lambda: turns.version) == 1
    assert turns.version == 2


@pytest.mark.parametrize("kind", ["growing", "budgeted"])
def test_learning_and_predicting_at_the_same_time(kind):
    found = threads.stress(kind, 1.5, readers=6, writers=2)
    assert found.fine, found


def test_a_long_call_lets_readers_in():
    X, y = threads.rows(50_000, 3)
    model = threads.new_model("budgeted").learn_many(X[:10], y[:10])
    model.scores_many(X[:10])
    writer = threading.Thread(target=model.learn_many, args=(np.tile(X, (3, 1)), np.tile(y, (3, 1))))
    writer.start()
    seen = []
    while writer.is_alive():
        seen.append(model.record.examples)
    writer.join()
    during = [examples for examples in seen if 10 < examples < 150_010]
    assert len(set(during)) > 3 and model.record.examples == 150_010
    again = threads.new_model("budgeted").learn_many(X[:10], y[:10])
    again.learn_many(np.tile(X, (3, 1)), np.tile(y, (3, 1)))
    assert again.scores_many(X[:100]).tobytes() == model.scores_many(X[:100]).tobytes()


def test_estimators_lose_no_rows_of_any_thread(tmp_path):
    X = np.random.default_rng(0).normal(size=(600, 3))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    recipe = recipes.bsgd(Gaussian(1.0), budget=20)
    estimator = KernelClassifier(recipe, random_state=0)
    path = tmp_path / "model.ks"

    def learn():
        for start in range(0, 600, 20):
            estimator.partial_fit(X[start : start + 20], y[start : start + 20], classes=[0, 1])

    def save():
        counts = []
        while not hasattr(estimator, "model_"):
            time.sleep(0.001)
        for _ in range(20):
            kernelstream.save(estimator, path)
            counts.append(kernelstream.load(path).record_.examples)
        return counts

    *_, counts = together(learn, learn, learn, save)
    assert estimator.record_.examples == 1800 and estimator.n_iter_ == 90
    assert all(count % 20 == 0 for count in counts)


def test_a_refused_call_leaves_the_lock_free():
    X, y = threads.rows(40, 4)
    model = Model.from_recipe(recipes.olk(Gaussian(0.1), kernelstream.losses.Squared(), eta=0.1), X, y)
    with pytest.raises(ValueError, match="row 3"):
        model.learn_many(np.where(np.arange(40)[:, None] == 3, np.nan, X), y)
    assert together(lambda: model.learn_many(X, y).record.examples) == [40]


@pytest.mark.parametrize("when", [1, 2])
def test_an_interrupt_while_the_writer_rests_leaves_nothing_behind(monkeypatch, when):
    """Ctrl-C arrives while it waits for readers to begin, or to finish."""
    turns, calls = Turns(), []
    wait_for = turns._readers.wait_for

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == when:
            raise KeyboardInterrupt
        return wait_for(*arguments)

    monkeypatch.setattr(turns._readers, "wait_for", interrupted)
    with pytest.raises(KeyboardInterrupt), turns:
        assert turns.version % 2 == 1
        turns.give_way()
    assert turns.version % 2 == 0 and not turns._resting and turns._reading == 0
    with turns:
        assert turns.version % 2 == 1
        turns.give_way()
        assert turns.version % 2 == 1
    assert together(lambda: turns.read(lambda: "read")) == ["read"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork with threads: that is the test
def test_a_fork_while_another_thread_learns_does_not_hang():
    X, y = threads.rows(2000, 5)
    model = threads.new_model("budgeted").learn_many(X, y)
    expected = model.scores_many(X[:5])
    with model.lock, model._turns:  # as another thread of the parent would hold it
        child = os.fork()
        if child == 0:
            same = threading.Thread(target=lambda: os._exit(0 if (model.scores_many(X[:5]) == expected).all() else 1))
            same.start()
            same.join(30)
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_error_of_a_torn_read_is_not_the_reader_s():
    turns, seen = Turns(), []

    def job():
        seen.append(turns.version)
        if len(seen) == 1:
            turns.end()  # somebody changed it
            raise IndexError("torn")
        return "whole"

    assert turns.read(job) == "whole"
    with pytest.raises(IndexError):
        turns.read(lambda: [][0])


def test_rows_are_as_wide_as_the_model_that_reads_them(monkeypatch):
    """A writer adds a feature after the rows have been converted."""
    X, y = threads.rows(200, 6)
    model = threads.new_model("budgeted").learn_many(X, y)
    read = model._read
    monkeypatch.setattr(model, "_read", lambda job: read(job) if model.add_features(threads.FEATURES + 1) else None)
    with pytest.raises(ValueError, match="X has 8 features, but the model has 9"):
        model.scores_many(X[:5])
