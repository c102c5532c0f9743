"""Predictions shared out over threads."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kernelstream import Model, recipes
from kernelstream.core import parallel
from kernelstream.kernels import Gaussian
from kernelstream.model import scoring

pytestmark = pytest.mark.engine


@pytest.fixture
def three_cores(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setattr(parallel, "WORTH", 0.0)
    monkeypatch.setattr(parallel, "LITTLE", 0.0)


def test_parts_are_whole_multiples_in_order(three_cores):
    assert parallel.in_parts(lambda a, b: (a, b), 1000, 1e9, 64) == [(0, 384), (384, 768), (768, 1000)]
    assert parallel.in_parts(lambda a, b: (a, b), 100, 1e9, 64) == [(0, 64), (64, 100)]
    assert parallel.in_parts(lambda a, b: (a, b), 64, 1e9, 64) == [(0, 64)]


def test_results_come_in_order_from_several_threads(three_cores):
    together = threading.Barrier(3)

    def meet(start):
        if start < 3:
            together.wait(10)  # fails unless three run at the same time
        return start, threading.current_thread() is threading.main_thread()

    assert list(parallel.in_order(meet, range(7), 1e9)) == [(start, False) for start in range(7)]


def test_work_that_is_shared_out_is_not_shared_again(three_cores):
    def inner(start):
        with parallel.jobs(3):
            return parallel.cores(), list(parallel.in_order(lambda x: x, range(4), 1e9))

    assert list(parallel.in_order(inner, range(5), 1e9)) == [(1, [0, 1, 2, 3])] * 5
    assert parallel.cores() == 3


def test_whoever_stops_early_meets_no_thread_that_still_works(three_cores):
    begun, ended = [], []

    def slow(start):
        begun.append(start)
        if start == 1:
            raise ValueError("the second")
        time.sleep(0.05)
        ended.append(start)

    with pytest.raises(ValueError, match="the second"):
        for _ in parallel.in_order(slow, range(50), 1e9):
            pass
    assert set(ended) == set(begun) - {1} and len(begun) < 50


def test_threads_are_kept_while_there_is_work_but_not_shared_with_others(three_cores):
    def worker(_):
        together.wait(10)
        return threading.current_thread()

    together = threading.Barrier(3)
    with parallel.one_blas_thread:
        first, again = (set(parallel.in_order(worker, range(3), 1e9)) for _ in range(2))
        assert first == again and len(first) == 3
    for thread in first:
        thread.join(10)
    assert not any(thread.is_alive() for thread in first)
    together = threading.Barrier(6)  # two at the same time, or neither goes on
    with ThreadPoolExecutor(2) as callers:
        one, other = callers.map(lambda _: set(parallel.in_order(worker, range(3), 1e9)), range(2))
    assert len(one | other) == 6


def test_threads_of_what_has_failed_are_not_kept(three_cores):
    with parallel.one_blas_thread:
        with pytest.raises(ZeroDivisionError):
            list(parallel.in_order(lambda start: 1 // start, range(9), 1e9))
        assert not any(parallel._IDLE.values())
        assert list(parallel.in_order(abs, range(9), 1e9)) == list(range(9))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_has_threads_of_its_own(three_cores):
    with parallel.one_blas_thread:
        assert list(parallel.in_order(abs, range(5), 1e9)) == list(range(5))
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # ends it if it waits for threads that it does not have
            right = False
            try:
                right = list(parallel.in_order(abs, range(5), 1e9)) == list(range(5))
            finally:
                os._exit(0 if right else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_little_work_is_done_at_once(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert parallel.in_parts(lambda a, b: (a, b), 1000, 10.0, 64) == [(0, 1000)]


@pytest.mark.parametrize("text, count", [("1", 1), ("5", 5), ("0", 1)])
def test_threads_are_as_many_as_the_environment_says(monkeypatch, text, count):
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert parallel.cores() == count


@pytest.mark.parametrize("text", ["", "4,2"])
def test_or_as_many_as_there_are_cores(monkeypatch, text):
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert parallel.cores() >= 1


def test_blas_gets_its_threads_back(three_cores):
    """Two who overlap: the first to leave must not restore, nor the last what the first had limited."""
    from threadpoolctl import threadpool_info, threadpool_limits

    def blas():
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    with threadpool_limits(2, "blas"):
        before, first, second = blas(), parallel.one_blas_thread, parallel.one_blas_thread
        first.__enter__()
        second.__enter__()
        assert blas() <= {1}
        first.__exit__()
        assert blas() <= {1}
        second.__exit__()
        assert blas() == before


@pytest.mark.parametrize("rows, features", [(9000, 3), (1000, 40), (130, 40)])
def test_threads_do_not_matter(three_cores, monkeypatch, rows, features):
    """Row by row and through matrix products, which take whole blocks of rows."""
    X = np.random.default_rng(0).normal(size=(rows, features))
    y = np.sign(X[:, 0])
    parts, in_parts = [], parallel.in_parts

    def counted(*arguments):
        parts.append(in_parts(*arguments))
        return parts[-1]

    monkeypatch.setattr(scoring, "in_parts", counted)
    model = Model.from_recipe(recipes.perceptron(Gaussian(0.05)), X, y).learn_many(X[:60], y[:60])
    shared = model.scores_many(X)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert np.array_equal(model.scores_many(X), shared)
    assert [len(found) for found in parts] == [3, 1]


def test_a_bad_row_is_named_whichever_thread_has_met_it(three_cores, monkeypatch):
    X = np.random.default_rng(0).normal(size=(9000, 3))
    y = np.sign(X[:, 0])
    model = Model.from_recipe(recipes.perceptron(Gaussian(0.5)), X, y).learn_many(X[:20], y[:20])
    X[8500, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 8500, column 1"):
        model.scores_many(X)
