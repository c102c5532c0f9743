"""Tasks as Dask runs them, on a cluster that is there or on one of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

MISSING = "Learning on a cluster needs Dask: pip install 'kernelstream[dask]'"


class Told:
    """What all tasks of a kind are told, as one thing that Dask does not look into."""

    def __init__(self, *values: Any):
        self.values = values


class DaskWorkers:
    """Parts are delayed objects, computed when a task needs them and forgotten after it.

    A step is one graph. Its results come back to the client before the next one begins, so a worker that dies takes
    nothing with it but the tasks it was at, which Dask gives to others.
    """

    def __init__(self, client: Any, parts: Sequence[Any], fan_in: int, progress: bool):
        self.client, self.parts, self.fan_in, self.progress = client, parts, fan_in, progress
        self.count = len(parts)

    def each(self, task: Callable[..., Any], *told: Any) -> list[Any]:
        return self._computed(self._delayed(task, told))

    def joined(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *told: Any) -> Any:
        from dask import delayed

        level = self._delayed(task, told)
        while len(level) > 1:
            groups = [level[i : i + self.fan_in] for i in range(0, len(level), self.fan_in)]
            level = [delayed(join, pure=False)(group) if len(group) > 1 else group[0] for group in groups]
        return self._computed(level)[0]

    def _delayed(self, task: Callable[..., Any], told: tuple[Any, ...]) -> list[Any]:
        from dask import delayed

        common = delayed(Told(*told), pure=False, traverse=False)
        return [delayed(_Task(task), pure=False)(part, index, common) for index, part in enumerate(self.parts)]

    def _computed(self, delayed: list[Any]) -> list[Any]:
        futures = self.client.compute(delayed)
        if self.progress:
            from distributed import progress

            progress(futures)
        found: list[Any] = self.client.gather(futures)
        return found


class _Task:
    """A task under its own name, which Dask shows, with what it is told taken out of its wrapping."""

    def __init__(self, task: Callable[..., Any]):
        self.task, self.__name__ = task, f"kernelstream-{task.__name__}"

    def __call__(self, part: Any, index: int, told: Told) -> Any:
        return self.task(part, index, *told.values)


@contextmanager
def connected(client: Any) -> Iterator[Any]:
    """The client given, or that of this process, or one of a cluster on this machine for as long as it is needed."""
    try:
        import distributed
        from dask.system import CPU_COUNT
    except ImportError as error:
        raise ImportError(MISSING) from error
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:  # there is none
            local = distributed.LocalCluster(n_workers=CPU_COUNT, threads_per_worker=1, dashboard_address=None)
            with local as cluster, distributed.Client(cluster) as own:
                yield own
            return
    yield client
