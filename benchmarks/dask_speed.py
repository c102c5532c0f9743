"""Two workers of Dask against one, on 500,000 rows of covtype that lie in the cluster.

The same partitions, so the same model, on clusters of one process and of two. Two must be at least 1.7 times as fast as
one, and one, on one core, take no more than 1.25 times as long as `fit` in this process on one core. The model must be
within 0.5 points of that of `fit`. It needs two idle cores.
"""

from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.clock import in_turn, ratio, seconds
from benchmarks.data import Dataset, dataset, settings
from benchmarks.figure import Bar, Result, cells
from benchmarks.report import arguments, console, failed, show, verdict, write
from kernelstream import KernelClassifier
from kernelstream.distributed import DaskKernelClassifier, local_cluster

BUDGET, NEAR, FITS = 500, 0.5, 3  # fits of a cluster, of which the median counts
COLUMNS = ("figure", "here", "against", "ratio", "bar", "verdict")


def covtype(rows: int) -> Dataset:
    """Rows beyond the 500,000 are copies."""
    chosen, data = settings("covtype"), dataset("covtype-500k", rows)
    copies = np.arange(rows) % len(data.y_train)
    return data._replace(X_train=data.X_train[copies], y_train=data.y_train[copies], gamma=chosen.gamma, lam=chosen.lam)


def asked(about: str | None, rows: int, partitions: int, turns: int) -> Namespace:
    """The options of the command; these are their defaults."""
    parser = arguments(about)
    for name, default in (("rows", rows), ("partitions", partitions), ("turns", turns)):
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def covtype_or_reason(rows: int) -> Dataset | None:
    """The rows; if there is no file, it says so."""
    try:
        return covtype(rows)
    except FileNotFoundError as missing:
        console.print(f"covtype is left out: {missing}")
        return None


def classifier(data: Dataset) -> KernelClassifier:
    return KernelClassifier(gamma=data.gamma, lam=data.lam, budget=BUDGET, epochs=1, n_jobs=1, random_state=0)


class Cluster:
    """So many worker processes, with the data spread over them."""

    def __init__(self, data: Dataset, workers: int, partitions: int):
        import dask.array as da
        from distributed import Client

        self.cluster = local_cluster(workers, dashboard_address=None, silence_logs=50)
        self.client = Client(self.cluster, set_as_default=False)
        X, y = (
            np.split(part, np.linspace(0, len(part), partitions + 1, dtype=int)[1:-1])
            for part in (data.X_train, data.y_train)
        )
        self.X, self.y = (da.concatenate(self._sent(part)) for part in (X, y))
        self.model = DaskKernelClassifier(classifier(data), client=self.client)

    def _sent(self, pieces: list[np.ndarray]) -> list[Any]:
        import dask.array as da

        names = list(self.client.scheduler_info()["workers"])
        sent = [self.client.scatter(piece, workers=[names[i % len(names)]]) for i, piece in enumerate(pieces)]
        return [da.from_delayed(each, piece.shape, piece.dtype) for each, piece in zip(sent, pieces, strict=True)]

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self.client.close()
        self.cluster.close()

    def fit(self) -> float:
        return seconds(self.model.fit, self.X, self.y)


def on_cluster(data: Dataset, workers: int, partitions: int) -> tuple[float, float]:
    """Seconds of a fit on a cluster that is there for it alone, and its accuracy in percent: an idle cluster has
    processes, too, which take from the cores."""
    with Cluster(data, workers, partitions) as cluster:
        cluster.fit()  # loads what is compiled
        taken = [cluster.fit() for _ in range(FITS)]
        return float(np.median(taken)), 100.0 * float(cluster.model.estimator_.score(data.X_test, data.y_test))


def main() -> int:
    options = asked(__doc__, rows=500_000, partitions=4, turns=3)
    data = covtype_or_reason(options.rows)
    if data is None:
        return 0
    fitted, accuracies = classifier(data), list[float]()

    def with_workers(workers: int) -> float:
        taken, accuracy = on_cluster(data, workers, options.partitions)
        accuracies.append(accuracy)
        return taken

    sides = {str(workers): partial(with_workers, workers) for workers in (1, 2)}
    times = in_turn(sides | {"fit": lambda: seconds(fitted.fit, data.X_train, data.y_train)}, options.turns)
    found = accuracies[-1]
    one, two, here = (float(np.median(times[name])) for name in ("1", "2", "fit"))
    alone = 100.0 * float(fitted.score(data.X_test, data.y_test))
    results = [
        Result("two workers, against one", two, one, "s", ratio(times["1"], times["2"]), Bar(low=1.7)),
        Result("one worker, against fit on one core", one, here, "s", ratio(times["1"], times["fit"]), Bar(high=1.25)),
        Result("accuracy, against fit: points", found, alone, "%", found - alone, Bar(low=-NEAR)),
    ]
    title = f"Dask on {options.rows:,} rows of covtype"
    show(title, COLUMNS, [(*cells(result), verdict(result.passed)) for result in results])
    lines = [result.as_dict() | {"times": times} for result in results]
    write(options.json, lines)
    return failed(lines)


if __name__ == "__main__":
    raise SystemExit(main())
