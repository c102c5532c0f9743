"""The Dask backend: tasks on a cluster, collections as partitions, lazy predictions over them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .backend import InMemoryPartition, tree_level, tree_reduce
from .partition_errors import naming_partitions

KEPT = 0.3  # of the memory of the workers, at most, for partitions that are kept


class SharedArguments:
    """The arguments that all tasks of a step share, as one object that Dask does not look into."""

    def __init__(self, *values: Any):
        self.values = values


class DaskBackend:
    """A `Backend` on a Dask cluster. Partitions are delayed, computed when a task needs them and then released.

    A step is one graph. Its results come back to the client before the next step starts, so a worker that dies loses
    only the tasks it was running, which Dask runs again on others.

    Parameters
    ----------
    client : distributed.Client
        The cluster.
    partitions : sequence
        What the tasks are run on: delayed objects, or tuples of them.
    fan_in : int
        Models that are merged at a time.
    progress : bool
        Whether to show Dask's progress bars.
    """

    def __init__(self, client: Any, partitions: Sequence[Any], fan_in: int, progress: bool):
        self.client, self.partitions, self.fan_in, self.progress = client, partitions, fan_in, progress
        self.n_partitions = len(partitions)
        self.latest: list[Any] = []

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        with naming_partitions(self.client, self.partitions):
            return self._computed(self._called(task, arguments))

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        with naming_partitions(self.client, self.partitions):
            results = self._called(task, arguments)
            while len(results) > self.fan_in:
                results = tree_level(results, partial(self._joined, join), self.fan_in)
            found = self._computed(results)
        # the last join needs no worker, which would have to wait for the results of the others
        return tree_reduce(found, join, self.fan_in)

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "KeptPartitions | None":
        limits = [worker["memory_limit"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values()]
        if all(limits) and nbytes > KEPT * sum(limits):  # 0 is no limit
            return None
        # lost ones are computed again from the data
        kept = self.client.compute(self._called(task, arguments))
        return KeptPartitions(self.client, kept, self.fan_in, self.progress)

    def _called(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        """Of every partition, the result, to be computed."""
        from dask import delayed

        shared = delayed(SharedArguments(*arguments), pure=False, traverse=False)
        return [delayed(_Task(task), pure=False)(part, index, shared) for index, part in enumerate(self.partitions)]

    def _joined(self, join: Callable[[Sequence[Any]], Any], group: Sequence[Any]) -> Any:
        from dask import delayed

        return delayed(join, pure=False)(group)

    def _begun(self, results: list[Any]) -> list[Any]:
        """Futures of these results."""
        found: list[Any] = self.client.compute(results)
        return found

    def _computed(self, results: list[Any]) -> list[Any]:
        futures = self._begun(results)
        # results are released once the next step has begun: else its graph would be sent 10 ms after the release
        self.latest = futures
        if self.progress:
            from distributed import progress

            progress(futures)
        found: list[Any] = self.client.gather(futures)
        return found


class KeptPartitions(DaskBackend):
    """Partitions that workers keep, as futures: a step over them needs no graph, which would take 10 ms to make, send
    and read."""

    def _called(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        # one object, which workers pass on, and which can be made again
        shared = self.client.submit(SharedArguments, *arguments, pure=False)
        found: list[Any] = self.client.map(
            _Task(task), self.partitions, range(self.n_partitions), shared=shared, pure=False
        )
        return found

    def _joined(self, join: Callable[[Sequence[Any]], Any], group: Sequence[Any]) -> Any:
        return self.client.submit(join, group, pure=False)

    def _begun(self, results: list[Any]) -> list[Any]:
        return results


class _Task:
    """A task with a name that Dask shows, and its shared arguments unpacked."""

    def __init__(self, task: Callable[..., Any]):
        self.task, self.__name__ = task, f"kernelstream-{task.__name__}"

    def __call__(self, partition: Any, index: int, shared: SharedArguments) -> Any:
        return self.task(partition, index, *shared.values)


def is_dask(X: Any) -> bool:
    """Whether X is a Dask collection, without importing Dask."""
    return hasattr(X, "__dask_graph__")


def partitions_of(X: Any, y: Any) -> list[Any]:
    """Partitions of two Dask collections: delayed rows with their delayed targets."""
    for name, value in (("X", X), ("y", y)):
        if not is_dask(value):
            raise ValueError(
                f"{name} is a {type(value).__name__}, and a Dask collection is needed: for data in memory use "
                "dask.array.from_array(data, chunks=…), or KernelClassifier and KernelRegressor without Dask."
            )
    blocks, targets = _delayed_blocks(X, "X"), _delayed_blocks(y, "y")
    sizes, counts = _chunk_sizes(X), _chunk_sizes(y)
    if len(blocks) != len(targets) or (sizes is not None and counts is not None and sizes != counts):
        raise ValueError(
            f"X has {len(blocks)} partitions and y has {len(targets)}, or they differ in length. Partition both at the "
            "same rows: rechunk arrays, or take both from one data frame."
        )
    return [InMemoryPartition(block, target) for block, target in zip(blocks, targets, strict=True)]


def _delayed_blocks(data: Any, name: str) -> list[Any]:
    """The partitions of a data frame, or of an array that is chunked along rows only."""
    found = data.to_delayed()
    if not isinstance(found, np.ndarray):
        return list(found)
    if data.ndim == 2 and data.numblocks[1] > 1:
        raise ValueError(f"{name} is chunked along its columns. Keep its rows whole: {name}.rechunk({{1: -1}}).")
    return list(found.ravel())


def _chunk_sizes(data: Any) -> tuple[int, ...] | None:
    """Rows of each chunk of an array, if known."""
    if not hasattr(data, "chunks") or np.isnan(data.chunks[0]).any():
        return None
    return tuple(data.chunks[0])


def known_rows(X: Any, y: Any) -> int | None:
    """The rows of two collections, if one of them knows the lengths of its partitions."""
    sizes = _chunk_sizes(X) or _chunk_sizes(y)
    return None if sizes is None else sum(sizes)


def map_method(method: Callable[[Any], np.ndarray], X: Any, example: np.ndarray) -> Any:
    """A method of an estimator applied to every partition, lazily; `example` has the dtype and width of its results."""
    if not is_dask(X):
        return method(X)
    if hasattr(X, "map_partitions"):
        # lengths of partitions are not known: an array whose chunks are of unknown length
        return X.map_partitions(method, meta=example, enforce_metadata=False)
    if example.ndim == 1:
        return X.map_blocks(method, drop_axis=1, dtype=example.dtype, meta=example)
    return X.map_blocks(method, chunks=(X.chunks[0], (example.shape[1],)), dtype=example.dtype, meta=example)
