"""Every entry of the demo learns the same stream: each example is predicted first and learned afterwards."""

import multiprocessing
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from queue import Empty
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from ...datasets import checkerboard
from ...evaluate import as_learner
from ...model import Model
from .demo_entries import ENTRIES, JOBS

CELLS = 4
HELD_OUT = 20_000
CHUNK = 1_000
SEED = 2
GRID = 241
_queue: Any = None  # of a worker process, to the process that shows progress


class DemoProgress(NamedTuple):
    """Progress of an entry."""

    key: str
    done: int
    support: int
    accuracy: float  # of predictions before learning, so far
    rate: float  # examples predicted and learned per second


class DemoResult(NamedTuple):
    """Result of an entry."""

    key: str
    examples: int
    accuracy: float  # on examples never learned
    progressive: float  # on every example before it was learned
    support: int
    nbytes: int
    rate: float
    curve: np.ndarray  # (3, k): examples, support vectors, accuracy
    points: np.ndarray  # support vectors
    signs: np.ndarray  # the class of each
    surface: np.ndarray  # f on a grid over the board


def run_entry(key: str, examples: int, report: Callable[[DemoProgress], None]) -> DemoResult:
    """Train one entry on the stream."""
    entry = ENTRIES[key]
    n = entry.length(examples)
    X_test, y_test = checkerboard(HELD_OUT, cells=CELLS, start=examples, seed=SEED)
    X, y = checkerboard(CHUNK, cells=CELLS, seed=SEED)
    recipe = entry.recipe(n)
    report(DemoProgress(key, 0, 0, 0.0, 0.0))
    Model.from_recipe(recipe, X, y).learn_many(X[:2], y[:2]).scores_many(X[:2])  # compiles
    model = Model.from_recipe(recipe, X, y)
    learner = as_learner(model)
    correct, seconds, curve = 0, 0.0, []
    moments = iter(sorted({int(m) for m in np.geomspace(min(CHUNK, n), n, 40) // CHUNK * CHUNK} | {n}))
    moment = next(moments)
    for start in range(0, n, CHUNK):
        X, y = checkerboard(min(CHUNK, n - start), cells=CELLS, start=start, seed=SEED)
        begun = time.perf_counter()
        correct += int(np.sum(learner.test_then_train(X, y) == y))
        seconds += time.perf_counter() - begun
        done = start + len(y)
        if done >= moment:
            curve.append((done, model.n_support, float(np.mean(_signs(model, X_test) == y_test))))
            moment = next(moments, n + 1)
        report(DemoProgress(key, done, model.n_support, correct / done, done / seconds))
    # without a limit, arrays have room for the whole stream: measure a model with room for its SVs only
    size = (model if entry.limited else Model.from_recipe(entry.recipe(model.n_support), X, y)).nbytes
    points, coefficients = model.function
    return DemoResult(
        key, n, curve[-1][2], correct / n, len(points), size, n / seconds, np.array(curve).T, points,
        np.sign(coefficients[:, 0]), model.scores_many(grid())[:, 0].reshape(GRID, GRID),
    )  # fmt: skip


def grid() -> np.ndarray:
    """Points that cover the board, row by row."""
    axis = np.linspace(0.0, CELLS, GRID)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def _signs(model: Model, X: np.ndarray) -> np.ndarray:
    return np.where(model.scores_many(X)[:, 0] > 0.0, 1, -1)


class DemoStatusColumn(ProgressColumn):
    """The state of an entry beside its progress bar."""

    def render(self, task: Task) -> Text:
        news: DemoProgress | None = task.fields["news"]
        if news is None:
            return Text("waiting", "dim")
        if news.done == 0:
            return Text("compiling", "yellow")
        return Text(f"{news.rate:>9,.0f} examples/s  {news.support:>5,} SVs  accuracy {news.accuracy:6.1%}")


def run_all(keys: Iterable[str], examples: int, workers: int, console: Console) -> dict[str, DemoResult]:
    """Run the entries in `keys`; with one worker, in this process."""
    wanted = set(keys)
    jobs = [job for job in (tuple(key for key in job if key in wanted) for job in JOBS) if job]
    columns = (TextColumn("{task.description:<26}"), BarColumn(bar_width=24), DemoStatusColumn())
    with Progress(*columns, console=console) as progress:
        rows = {
            key: progress.add_task(entry.name, total=entry.length(examples), news=None)
            for key, entry in ENTRIES.items()
            if key in wanted
        }

        def show(news: DemoProgress) -> None:
            progress.update(rows[news.key], completed=news.done, news=news)

        results = _in_turn(jobs, examples, show) if workers == 1 else _in_processes(jobs, examples, workers, show)
    return {result.key: result for result in results}


def _in_turn(jobs: list[tuple[str, ...]], examples: int, show: Callable[[DemoProgress], None]) -> list[DemoResult]:
    return [run_entry(key, examples, show) for job in jobs for key in job]


def _in_processes(
    jobs: list[tuple[str, ...]], examples: int, workers: int, show: Callable[[DemoProgress], None]
) -> list[DemoResult]:
    # spawned on every platform: threads of BLAS or numba do not survive a fork
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    with ProcessPoolExecutor(workers, context, initializer=_listen, initargs=(queue,)) as pool:
        futures = [pool.submit(_work, job, examples) for job in jobs]
        while not all(future.done() for future in futures):
            try:
                show(queue.get(timeout=0.1))
            except Empty:
                continue
        while not queue.empty():
            show(queue.get())
        return [result for future in futures for result in future.result()]


def _listen(queue: Any) -> None:
    global _queue
    _queue = queue


def _work(job: tuple[str, ...], examples: int) -> list[DemoResult]:
    return [run_entry(key, examples, _queue.put) for key in job]
