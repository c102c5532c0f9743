"""Where the time of a fit on Dask goes: the same fit as in `benchmarks.dask_speed`, with one worker and with two.

Steps are timed as the client waits for them; what is left is the client alone. The CPU seconds of the worker processes
besides those of their tasks' threads, and of the client's process, which runs the scheduler too, say what competes with
the tasks for the cores. It needs two idle cores.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from benchmarks.dask_speed import Cluster, asked, classifier, covtype_or_reason
from benchmarks.report import show, write
from kernelstream.distributed import DaskBackend, train
from kernelstream.distributed.backend import Backend
from kernelstream.distributed.dask_backend import partitions_of

PHASES = {"survey": "survey", "kept_sums": "passes"}
COLUMNS = ("", "one worker (s)", "two (s)", "ratio")


class Clocked:
    """A backend that adds up the seconds of its steps by task."""

    def __init__(self, backend: Backend, spent: dict[str, float]):
        self.backend, self.n_partitions, self.spent = backend, backend.n_partitions, spent

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        return self.backend.map(task, *arguments)

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        start = time.perf_counter()
        found = self.backend.map_reduce(task, join, *arguments)
        self.spent[PHASES[task.__name__]] += time.perf_counter() - start
        return found

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "Clocked | None":
        kept = self.backend.keep(nbytes, task, *arguments)
        return None if kept is None else Clocked(kept, self.spent)


def main_threads() -> float:
    """CPU seconds of this process's main thread: in a worker of Dask it runs everything but the tasks."""
    with open(f"/proc/self/task/{os.getpid()}/schedstat") as file:
        return float(file.read().split()[0]) / 1e9


def phases(cluster: Cluster, estimator: Any, rows: int) -> dict[str, float]:
    """The seconds of one fit."""

    def used() -> tuple[float, float, float]:
        housekeeping = sum(cluster.client.run(main_threads).values())
        return sum(cluster.client.run(time.process_time).values()), housekeeping, time.process_time()

    spent = defaultdict[str, float](float)
    before, start = used(), time.perf_counter()
    backend = DaskBackend(cluster.client, partitions_of(cluster.X, cluster.y), 8, False)
    train(estimator, Clocked(backend, spent), rows=rows)
    wall = time.perf_counter() - start
    workers, housekeeping, client = (now - then for now, then in zip(used(), before, strict=True))
    return {
        "survey": spent["survey"],
        "client alone: the sample, and what surrounds the steps": wall - sum(spent.values()),
        "passes over all rows": spent["passes"],
        "wall clock": wall,
        "CPU: tasks": workers - housekeeping,
        "CPU: housekeeping of workers": housekeeping,
        "CPU: client and scheduler": client,
    }


def main() -> int:
    options = asked(__doc__, rows=500_000, partitions=4, turns=5)
    data = covtype_or_reason(options.rows)
    if data is None:
        return 0
    found = list[dict[str, float]]()
    for workers in (1, 2):
        with Cluster(data, workers, options.partitions) as cluster:
            cluster.fit()  # compiles
            runs = [phases(cluster, classifier(data), options.rows) for _ in range(options.turns)]
        found.append({name: median(run[name] for run in runs) for name in runs[0]})
    one, two = found
    lines = [(name, f"{one[name]:.2f}", f"{two[name]:.2f}", f"{one[name] / two[name]:.2f}") for name in one]
    show(f"Dask on {options.rows:,} rows of covtype: medians of {options.turns} fits", COLUMNS, lines)
    write(options.json, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
