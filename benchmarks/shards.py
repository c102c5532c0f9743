"""How accuracy, messages and time change with the number of shards, simulated on one machine.

The tasks of `kernelstream.distributed` run one after the other, each timed by its own CPU seconds. With as many
machines as shards, the time is the critical path: in every step the slowest shard, in every level of the tree the
slowest join. Messages are counted as they are pickled. 64 shards must stay within 0.5 points of one machine, 256
within 1.
"""

import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.data import Dataset, load
from benchmarks.report import arguments, console, failed, progress, show, verdict, write
from kernelstream import KernelClassifier
from kernelstream.distributed import InMemoryPartition, train

BUDGETS = {"covtype": 500, "checkerboard": 100}
SHARDS = (1, 4, 16, 64, 256)
BARS = {64: 0.5, 256: 1.0}  # shards, and points that they may lose
COLUMNS = ("data", "shards", "accuracy (%)", "bar", "", "steps", "MB sent", "critical path", "joins", "all work")


@dataclass
class Account:
    """What a run costs."""

    path: float = 0.0  #: seconds with as many machines as shards
    joins: float = 0.0  #: of them, for merges and sums
    work: float = 0.0  #: seconds of all tasks
    counting: float = 0.0  #: a cost of the simulation, not of what it simulates
    bytes: int = 0
    steps: int = 0


class Simulated:
    """A `kernelstream.distributed.Backend` that runs tasks one after the other in this process, and times them."""

    def __init__(self, partitions: Sequence[Any], fan_in: int, account: Account):
        self.partitions, self.fan_in, self.n_partitions = partitions, fan_in, len(partitions)
        self.account = account

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        found = self._mapped(task, arguments)
        self._count(found, 1)
        return found

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        level = self.map(task, *arguments)
        while len(level) > 1:
            before = self.account.path
            groups = [level[i : i + self.fan_in] for i in range(0, len(level), self.fan_in)]
            level = self._level([(join, (group,)) for group in groups])
            self._count(level, 1)
            self.account.joins += self.account.path - before
        return level[0]

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "Simulated":
        return Simulated(self._mapped(task, arguments), self.fan_in, self.account)

    def _mapped(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
        self.account.steps += 1
        self._count(arguments, self.n_partitions)
        return self._level([(task, (part, index, *arguments)) for index, part in enumerate(self.partitions)])

    def _level(self, calls: list[tuple[Callable[..., Any], tuple[Any, ...]]]) -> list[Any]:
        """Tasks that would run at the same time."""
        results, times = [], []
        for call, given in calls:
            start = time.thread_time()  # the process may do what it does between the steps at the same time
            results.append(call(*given))
            times.append(time.thread_time() - start)
        self.account.path += max(times)
        self.account.work += sum(times)
        return results

    def _count(self, message: Any, times: int) -> None:
        start = time.thread_time()
        self.account.bytes += times * len(pickle.dumps(message))
        self.account.counting += time.thread_time() - start


def classifier(data: Dataset, budget: int, epochs: int | str) -> KernelClassifier:
    return KernelClassifier(gamma=data.gamma, lam=data.lam, budget=budget, epochs=epochs, random_state=0)


def sharded(data: Dataset, budget: int, shards: int, fan_in: int) -> tuple[Account, KernelClassifier]:
    cut = zip(np.array_split(data.X_train, shards), np.array_split(data.y_train, shards), strict=True)
    account, start = Account(), time.process_time()
    workers = Simulated([InMemoryPartition(X, y) for X, y in cut], fan_in, account)
    found = train(classifier(data, budget, "auto"), workers, rows=len(data.y_train)).estimator
    assert isinstance(found, KernelClassifier)
    # work between the tasks is done by one machine while all others wait
    alone = time.process_time() - start - account.work - account.counting
    account.path, account.work = account.path + alone, account.work + alone
    return account, found


def score(model: KernelClassifier, data: Dataset) -> float:
    return 100.0 * float(model.score(data.X_test, data.y_test))


def lines(name: str, shards: Sequence[int], fan_in: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    data, budget = load(name), BUDGETS[name]
    tell(f"{name}: one machine")
    classifier(data, budget, 1).fit(data.X_train[:2000], data.y_train[:2000])  # compiles
    start = time.process_time()
    one = classifier(data, budget, 1).fit(data.X_train, data.y_train)
    seconds, alone = time.process_time() - start, score(one, data)
    found = [{"data": name, "budget": budget, "shards": 0, "accuracy": alone, "passed": None, "work": seconds}]
    for count in shards:
        tell(f"{name}: {count} shards")
        account, model = sharded(data, budget, count, fan_in)
        accuracy = score(model, data)
        bar = alone - BARS[count] if count in BARS else None
        found.append({
            "data": name, "budget": budget, "shards": count, "fan_in": fan_in, "accuracy": accuracy,
            "bar": bar, "passed": None if bar is None else accuracy >= bar, "steps": account.steps,
            "megabytes": account.bytes / 1e6, "path": account.path, "joins": account.joins, "work": account.work,
        })  # fmt: skip
    return found


def cells(line: dict[str, Any]) -> tuple[Any, ...]:
    accuracy, work = f"{line['accuracy']:.2f}", f"{line['work']:.1f}"
    if not line["shards"]:
        return line["data"], "none", accuracy, "", "", "", "", work, "", work
    bar = "" if line["bar"] is None else f"≥ {line['bar']:.2f}"
    return (
        line["data"], line["shards"], accuracy, bar, verdict(line["passed"]), line["steps"],
        f"{line['megabytes']:.1f}", f"{line['path']:.2f}", f"{line['joins']:.2f}", work,
    )  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--data", choices=tuple(BUDGETS), help="only this data set")
    parser.add_argument("--shards", type=int, nargs="+", default=list(SHARDS), help="how many (default 1 4 16 64 256)")
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
                results += lines(name, options.shards, options.fan_in, tell)
            except FileNotFoundError as missing:
                console.print(f"{name} is left out: {missing}")
    show("A sample of all shards, then sums over them; CPU seconds", COLUMNS, map(cells, results))
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
