"""Time and bytes of distributed training, 1 to 1,024 workers and 10⁶ to 10¹¹ rows, by a formula with measured costs.

The costs are measured on covtype: what a row costs from runs at two sizes, of `fit` and of one Dask worker, joins and
bytes in this process, latency and transfer from steps that do nothing else. The formula (`cost_formula` in
`kernelstream.distributed`) is then compared with runs on 1 process, which it was made from, and on 2 and 4: with the
CPU seconds of the busiest worker and the client together, one core each (OMP_NUM_THREADS=1), which other work on the
machine changes least, and with the wall clock, which counts only on an idle machine with a core for every process.
"""

import os
import pickle
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from benchmarks.clock import seconds
from benchmarks.dask_speed import BUDGET, Cluster, asked, classifier, covtype_or_reason
from benchmarks.data import Dataset
from benchmarks.report import show, write
from kernelstream.distributed import DaskBackend, InMemoryPartition, train, tree_reduce
from kernelstream.distributed.cost_formula import Costs

WORKERS = (1, 4, 16, 64, 256, 1024)
ROWS = tuple(10**power for power in range(6, 12))
NUMBERS = 1_000_000  # float64, to measure the transfer


class Recorder:
    """A `Backend` in this process that adds up what its steps cost."""

    def __init__(self, partitions: Sequence[Any], fan_in: int, totals: dict[str, float] | None = None):
        self.partitions, self.fan_in, self.n_partitions = partitions, fan_in, len(partitions)
        self.totals = dict.fromkeys(("steps", "join", "result", "arguments"), 0.0) if totals is None else totals

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        self.totals["steps"] += 1
        self.totals["arguments"] += len(pickle.dumps(arguments))
        return [task(part, index, *arguments) for index, part in enumerate(self.partitions)]

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        found = self.map(task, *arguments)
        self.totals["result"] += len(pickle.dumps(found[0]))
        start = time.thread_time()
        result = tree_reduce(found, join, self.fan_in)
        self.totals["join"] += time.thread_time() - start
        return result

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "Recorder":
        return Recorder(self.map(task, *arguments), self.fan_in, self.totals)


def nothing(partition: Any, index: int) -> int:
    return index


def numbers(partition: Any, index: int) -> np.ndarray:
    return np.full(NUMBERS, float(index))


def cpu(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def least(work: Callable[[], Any], times: int = 20) -> float:
    """The least wall-clock time of several: what the work takes when nothing else runs."""
    return min(seconds(work) for _ in range(times))


def run(cluster: Cluster) -> dict[str, float]:
    """A fit on a cluster: wall-clock seconds, and CPU seconds of the busiest worker and of the client."""

    def used() -> dict[str, float]:
        found: dict[str, float] = cluster.client.run(time.process_time)
        return found

    before, start = used(), time.process_time()
    wall = cluster.fit()
    client, after = time.process_time() - start, used()
    return {"wall": wall, "cpu": client + max(after[name] - before[name] for name in after)}


def cluster_costs(client: Any) -> dict[str, float]:
    """Of steps that do nothing: the latency, and what every task adds; and of one that sends arrays."""
    few, many = (DaskBackend(client, [None] * count, 8, False) for count in (2, 66))
    shortest, longest = least(lambda: few.map(nothing)), least(lambda: many.map(nothing))
    task = max(longest - shortest, 0.0) / 64
    sent = least(lambda: few.map(numbers)) - shortest
    return {"latency": shortest - 2 * task, "task": task, "transfer": max(sent, 0.0) / (2 * 8 * NUMBERS)}


def measure(data: Dataset, partitions: int, turns: int) -> Costs:
    """All costs: of a row and of the client from runs at two sizes with one worker, the others as above."""
    cut = zip(np.array_split(data.X_train, partitions), np.array_split(data.y_train, partitions), strict=True)
    recorder = Recorder([InMemoryPartition(X, y) for X, y in cut], partitions)
    train(classifier(data), recorder, rows=len(data.y_train))
    found = recorder.totals
    alone, alone_row = _line(data, turns, _alone)
    fixed, row = _line(data, turns, partial(on_cluster, 1, partitions))
    with Cluster(_first(data, 1000), 1, 2) as cluster:
        dask = cluster_costs(cluster.client)
    costs = Costs(
        client=0.0, steps=int(found["steps"]), row=row, join=found["join"], result=found["result"],
        arguments=found["arguments"], **dask, alone=alone, alone_row=alone_row,
    )  # fmt: skip
    return costs._replace(client=max(fixed - costs.seconds(0, 1, partitions), 0.0))


def _line(data: Dataset, turns: int, time_of: Callable[[Dataset, int], dict[str, float]]) -> tuple[float, float]:
    """CPU seconds of no rows, and of each row: the line through those of all rows and of a quarter."""
    rows = len(data.y_train)
    few, many = (time_of(_first(data, size), turns)["cpu"] for size in (rows // 4, rows))
    slope = (many - few) / (rows - rows // 4)
    return max(few - slope * (rows // 4), 0.0), slope


def _first(data: Dataset, rows: int) -> Dataset:
    return data._replace(X_train=data.X_train[:rows], y_train=data.y_train[:rows])


def _alone(data: Dataset, turns: int) -> dict[str, float]:
    def fit() -> None:
        classifier(data).fit(data.X_train, data.y_train)

    fit()  # compiles
    return {"cpu": median(cpu(fit) for _ in range(turns))}


def on_cluster(workers: int, partitions: int, data: Dataset, turns: int) -> dict[str, float]:
    """Medians of runs on so many processes."""
    with Cluster(data, workers, partitions) as cluster:
        cluster.fit()  # compiles
        found = [run(cluster) for _ in range(turns)]
    return {name: median(each[name] for each in found) for name in found[0]}


def table(costs: Costs) -> list[tuple[str, ...]]:
    """Hours, minutes or seconds by workers and rows, one machine, bytes and the rows from which on workers pay off."""
    lines = [("one machine, fit", *(_time(costs.seconds_alone(rows)) for rows in ROWS), "", "")]
    for workers in WORKERS:
        times = (_time(costs.seconds(rows, workers)) for rows in ROWS)
        worth = costs.worth(workers)
        lines.append((
            f"{workers:,} workers", *times, f"{costs.nbytes(workers) / 1e6:,.0f} MB",
            "never" if worth == float("inf") else f"{worth:,.0f}",
        ))  # fmt: skip
    return lines


def _time(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s"


def main() -> int:
    options = asked(__doc__, rows=400_000, partitions=8, turns=3)
    data = covtype_or_reason(options.rows)
    if data is None:
        return 0
    costs, checks = measure(data, options.partitions, options.turns), list[dict[str, float]]()
    for workers in (1, 2, 4):
        predicted = costs.seconds(options.rows, workers, options.partitions)
        found = on_cluster(workers, options.partitions, data, options.turns)
        checks.append({"workers": workers, "predicted": predicted, **found})
    load = f"load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores"
    show(f"Costs, covtype, B = {BUDGET}", ("cost", "measured"), [(k, f"{v:.3g}") for k, v in costs._asdict().items()])
    show(
        f"{options.rows:,} rows in {options.partitions} partitions, {load}",
        ("processes", "predicted", "CPU seconds", "ratio", "wall clock"),
        [(c["workers"], f"{c['predicted']:.1f} s", f"{c['cpu']:.1f} s", f"{c['cpu'] / c['predicted']:.2f}",
          f"{c['wall']:.1f} s") for c in checks],
    )  # fmt: skip
    columns = ("", *(f"10^{round(np.log10(rows))}" for rows in ROWS), "sent", "faster from (rows)")
    show("Predicted times by rows", columns, table(costs))
    write(options.json, [*checks, costs._asdict()])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
