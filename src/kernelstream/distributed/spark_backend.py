"""The Spark backend: tasks on the partitions of a data frame, and a tree of joins between executors.

Only the DataFrame interface is used, not RDDs, which Spark Connect does not have. Executors need kernelstream. What is
unpickled here was pickled by this driver or its own workers just before; nothing is unpickled from disk or from users.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from .partition_errors import PartitionError

RESULTS = "index long, result binary, error string"
MOST = 1 << 30  # bytes of a partition that is kept: Spark's binary values end at 2 GB


class Reader(Protocol):
    """What makes a partition of the record batches that Spark hands to a task."""

    def partition(self, batches: Iterator[Any]) -> Any:
        """The partition; a ValueError if something is wrong with its rows."""


class SparkBackend:
    """A `Backend` on the partitions of a Spark data frame, which has the columns that `reader` reads and no others.

    A step is one Spark job, and Spark runs the tasks of a lost executor again. Persist the frame: it is read several
    times, and must have the same partitions each time. `close` releases what `keep` has kept.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The rows; persist it.
    reader : Reader
        Makes rows and targets of the columns of the frame.
    fan_in : int
        Models that are merged at a time.
    """

    def __init__(self, frame: Any, reader: Reader, fan_in: int):
        self.frame, self.reader, self.fan_in = frame, reader, fan_in
        self.kept: list[Any] = []
        self.n_partitions = len(_collected(self._mapped(_nothing, ())))

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        return self._checked(_collected(self._mapped(task, arguments)), self.n_partitions)

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        from pyspark.sql.functions import col, floor

        results, count = self._mapped(task, arguments), self.n_partitions
        group = floor(col("index") / self.fan_in)
        while count > 1:
            count = -(-count // self.fan_in)
            results = results.repartition(count, group).mapInArrow(_Join(join, self.fan_in).run, RESULTS)
        return self._checked(_collected(results), 1)[0]

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "SparkBackend | None":
        """The results of `map` as partitions, persisted in memory and, where that is full, on disk."""
        if nbytes > MOST * self.n_partitions:
            return None
        self.kept.append(self._mapped(task, arguments).persist())
        return SparkBackend(self.kept[-1], _Kept(), self.fan_in)

    def close(self) -> None:
        while self.kept:
            self.kept.pop().unpersist()

    def _mapped(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return self.frame.mapInArrow(_Task(task, arguments, self.reader).run, RESULTS)

    def _checked(self, results: list[Any], expected: int) -> list[Any]:
        if len(results) != expected:
            raise ValueError(
                f"The data frame had {self.n_partitions} partitions at first, but a step returned {len(results)} "
                f"results instead of {expected}: call frame.persist() first, so that Spark keeps its partitions."
            )
        return results


class _Task:
    """A task in the process of a Spark worker."""

    def __init__(self, task: Callable[..., Any], arguments: tuple[Any, ...], reader: Reader):
        self.task, self.arguments, self.reader = task, arguments, reader

    def run(self, batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        index = TaskContext.get().partitionId()
        try:
            partition = self.reader.partition(batches)
        except PartitionError as error:  # that of a task whose results were to be kept
            yield _batch(index, error=str(error))
        except ValueError as error:
            yield _batch(index, error=f"In partition {index}: {error}")
        else:
            yield _result(index, self.task, partition, index, *self.arguments)


class _Kept:
    """Reads the results of a task that were kept: one row in each partition."""

    def partition(self, batches: Iterator[Any]) -> Any:
        (row,) = [row for batch in batches for row in batch.to_pylist()]
        if row["error"] is not None:
            raise PartitionError(row["error"])
        return pickle.loads(row["result"])


class _Join:
    """One level of the tree, as `tree_reduce` has it: `fan_in` neighbours become one."""

    def __init__(self, join: Callable[[Sequence[Any]], Any], fan_in: int):
        self.join, self.fan_in = join, fan_in

    def run(self, batches: Iterator[Any]) -> Iterator[Any]:
        groups: dict[int, list[dict[str, Any]]] = {}
        for batch in batches:
            for row in batch.to_pylist():
                groups.setdefault(row["index"] // self.fan_in, []).append(row)
        for index, group in groups.items():
            group.sort(key=lambda row: row["index"])
            errors = [row["error"] for row in group if row["error"] is not None]
            if errors:
                yield _batch(index, error=errors[0])
            elif len(group) == 1:
                yield _batch(index, group[0]["result"])
            else:
                yield _result(index, self.join, [pickle.loads(row["result"]) for row in group])


def _result(index: int, call: Callable[..., Any], *arguments: Any) -> Any:
    """A result, or the sentence of a ValueError, which Spark would try again and bury in a traceback."""
    try:
        return _batch(index, pickle.dumps(call(*arguments), pickle.HIGHEST_PROTOCOL))
    except ValueError as error:
        return _batch(index, error=str(error))


def _batch(index: int, result: bytes | None = None, error: str | None = None) -> Any:
    import pyarrow

    kinds = {"index": pyarrow.int64(), "result": pyarrow.binary(), "error": pyarrow.string()}
    arrays = [pyarrow.array([value], kind) for value, kind in zip((index, result, error), kinds.values(), strict=True)]
    return pyarrow.RecordBatch.from_arrays(arrays, list(kinds))


def _collected(results: Any) -> list[Any]:
    rows = sorted(results.collect(), key=lambda row: row["index"])
    for row in rows:
        if row["error"] is not None:
            raise ValueError(row["error"])
    return [pickle.loads(row["result"]) for row in rows]


def _nothing(partition: Any, index: int) -> None:
    """Counts partitions, and lets Spark persist them."""
