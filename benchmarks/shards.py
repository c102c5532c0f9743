"""How accuracy, messages and time change with the number of shards, simulated on one machine.

The tasks of `kernelstream.distributed` run one after the other, each timed by its own CPU seconds. With as many
machines as shards, the time is the critical path: in every step the slowest shard, in every level of the tree the
slowest merge. Messages are counted as they are pickled. 64 shards must stay within 1.5 points of one machine.
"""

import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.data import Dataset, load
from benchmarks.report import arguments, console, failed, progress, show, verdict, write
from kernelstream import KernelClassifier
from kernelstream.distributed import InMemoryPartition, train

BUDGETS = {"covtype": 500, "checkerboard": 100}
SHARDS = (1, 4, 16, 64, 256)
BAR, JUDGED = 1.5, 64  # points, shards
COLUMNS = ("data", "shards", "accuracy (%)", "bar", "", "steps", "MB sent", "critical path", "merges", "all work")


class Simulated:
    """A `kernelstream.distributed.Backend` that runs tasks one after the other in this process, and times them."""

    def __init__(self, partitions: Sequence[InMemoryPartition], fan_in: int):
        self.partitions, self.fan_in, self.n_partitions = partitions, fan_in, len(partitions)
        self.path = self.merging = self.work = self.counting = 0.0
        self.bytes = self.steps = 0

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        self.steps += 1
        self._count(arguments, self.n_partitions)
        return self._level([(task, (part, index, *arguments)) for index, part in enumerate(self.partitions)])

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        level = self.map(task, *arguments)
        while len(level) > 1:
            before = self.path
            groups = [level[i : i + self.fan_in] for i in range(0, len(level), self.fan_in)]
            level = self._level([(join, (group,)) for group in groups])
            self.merging += self.path - before
        return level[0]

    def _level(self, calls: list[tuple[Callable[..., Any], tuple[Any, ...]]]) -> list[Any]:
        """Tasks that would run at the same time."""
        results, times = [], []
        for call, given in calls:
            start = time.process_time()
            results.append(call(*given))
            times.append(time.process_time() - start)
        self.path += max(times)
        self.work += sum(times)
        for result in results:
            self._count(result, 1)
        return results

    def _count(self, message: Any, times: int) -> None:
        start = time.process_time()
        self.bytes += times * len(pickle.dumps(message))
        self.counting += time.process_time() - start  # a cost of the simulation, not of what it simulates


def classifier(data: Dataset, budget: int, epochs: int) -> KernelClassifier:
    return KernelClassifier(gamma=data.gamma, lam=data.lam, budget=budget, epochs=epochs, random_state=0)


def sharded(data: Dataset, budget: int, shards: int, rounds: int, fan_in: int) -> tuple[Simulated, KernelClassifier]:
    cut = zip(np.array_split(data.X_train, shards), np.array_split(data.y_train, shards), strict=True)
    workers, start = Simulated([InMemoryPartition(X, y) for X, y in cut], fan_in), time.process_time()
    found = train(classifier(data, budget, 1), workers, rounds).estimator
    assert isinstance(found, KernelClassifier)
    # work between the tasks is done by one machine while all others wait
    alone = time.process_time() - start - workers.work - workers.counting
    workers.path, workers.work = workers.path + alone, workers.work + alone
    return workers, found


def score(model: KernelClassifier, data: Dataset) -> float:
    return 100.0 * float(model.score(data.X_test, data.y_test))


def lines(
    name: str, shards: Sequence[int], rounds: int, fan_in: int, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    data, budget = load(name), BUDGETS[name]
    tell(f"{name}: one machine")
    classifier(data, budget, 1).fit(data.X_train[:2000], data.y_train[:2000])  # compiles
    start = time.process_time()
    one = classifier(data, budget, 1).fit(data.X_train, data.y_train)
    seconds, alone = time.process_time() - start, score(one, data)
    found = [{"data": name, "budget": budget, "shards": 0, "accuracy": alone, "passed": None, "work": seconds}]
    for count in shards:
        tell(f"{name}: {count} shards")
        workers, model = sharded(data, budget, count, rounds, fan_in)
        accuracy = score(model, data)
        bar = alone - BAR if count == JUDGED else None
        found.append({
            "data": name, "budget": budget, "shards": count, "rounds": rounds, "fan_in": fan_in, "accuracy": accuracy,
            "bar": bar, "passed": None if bar is None else accuracy >= bar, "steps": workers.steps,
            "megabytes": workers.bytes / 1e6, "path": workers.path, "merging": workers.merging, "work": workers.work,
        })  # fmt: skip
    return found


def cells(line: dict[str, Any]) -> tuple[Any, ...]:
    accuracy, work = f"{line['accuracy']:.2f}", f"{line['work']:.1f}"
    if not line["shards"]:
        return line["data"], "none", accuracy, "", "", "", "", work, "", work
    bar = "" if line["bar"] is None else f"≥ {line['bar']:.2f}"
    return (
        line["data"], line["shards"], accuracy, bar, verdict(line["passed"]), line["steps"],
        f"{line['megabytes']:.1f}", f"{line['path']:.1f}", f"{line['merging']:.1f}", work,
    )  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--data", choices=tuple(BUDGETS), help="only this data set")
    parser.add_argument("--shards", type=int, nargs="+", default=list(SHARDS), help="how many (default 1 4 16 64 256)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fan-in", type=int, default=8)
    options = parser.parse_args()
    results: list[dict[str, Any]] = []
    with progress() as shown:
        names = [options.data] if options.data else list(BUDGETS)
        count = shown.add_task("", total=len(names) * (1 + len(options.shards)))

        def tell(what: str) -> None:
            shown.update(count, description=what)
            shown.advance(count)

        for name in names:
            try:
                results += lines(name, options.shards, options.rounds, options.fan_in, tell)
            except FileNotFoundError as missing:
                console.print(f"{name} is left out: {missing}")
    title = f"{options.rounds} rounds in shards, merged {options.fan_in} at a time, then the refit; CPU seconds"
    show(title, COLUMNS, map(cells, results))
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
