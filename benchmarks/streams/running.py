"""Measure what is not recorded yet, one result after another or several at a time."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks.streams import registry
from benchmarks.streams.evaluation import Tell, evaluate, silent
from benchmarks.streams.learner import Learner
from benchmarks.streams.records import Key, Record, Records, versions
from benchmarks.streams.stream import Stream, rows_of


class Failure(NamedTuple):
    """A learner that stopped with an error; it is not recorded, and tried again next time."""

    key: Key
    reason: str

    def __str__(self) -> str:
        return f"{self.key.learner} failed on {self.key.stream}: {self.reason}"


def measure(key: Key, tell: Tell = silent) -> Record | Failure:
    """One result: a stream, a learner, and everything that was found."""
    stream, learner = registry.STREAMS[key.stream], registry.learner(key.learner)
    make = learner.maker(stream.regression)
    assert make is not None
    with threadpool_limits(1):
        try:
            data = rows_of(stream, key.rows, key.seed)
            found = evaluate(make, data, key.seed, stream.regression, rehearse=learner.ours, tell=tell)
        # one learner that fails must not end a run of hours
        except Exception as error:
            return Failure(key, f"{type(error).__name__}: {error}")
    return {**key._asdict(), "group": stream.group, **found, "versions": versions()}


def keys(streams: Sequence[Stream], learners: Sequence[Learner], rows: int, seed: int) -> list[Key]:
    """Every learner on every stream that it is made for, stream by stream."""
    return [
        Key(stream.name, learner.name, rows, seed)
        for stream in streams
        for learner in learners
        if learner.maker(stream.regression)
    ]


def run(
    wanted: Sequence[Key], records: Records, again: bool, jobs: int, tell: Callable[[Key, int], None]
) -> Iterator[Record | Failure]:
    """Recorded results first, then new ones as they are finished; those are recorded."""
    todo = []
    for key in wanted:
        kept = None if again else records.of(key, registry.learner(key.learner).versions)
        if kept is None:
            todo.append(key)
        else:
            yield kept
    for found in _one_by_one(todo, tell) if jobs == 1 else _at_once(todo, jobs):
        if not isinstance(found, Failure):
            records.add(found)
        yield found


def _one_by_one(todo: Sequence[Key], tell: Callable[[Key, int], None]) -> Iterator[Record | Failure]:
    for key in todo:
        tell(key, 0)
        yield measure(key, lambda rows, key=key: tell(key, rows))  # type: ignore[misc]


def _at_once(todo: Sequence[Key], jobs: int) -> Iterator[Record | Failure]:
    # spawned on every platform: threads of BLAS or numba do not survive a fork
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        under_way = [pool.submit(measure, key) for key in todo]
        try:
            for future in as_completed(under_way):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
