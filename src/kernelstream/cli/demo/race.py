"""All entrants at once: two processes, and news from both on one screen."""

import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from queue import Empty
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from .entrants import ENTRANTS, JOBS
from .stream import News, Result, run

_queue: Any = None


class State(ProgressColumn):
    """What a recipe is doing."""

    def render(self, task: Task) -> Text:
        news: News | None = task.fields["news"]
        if news is None:
            return Text("waiting", "dim")
        if news.done == 0:
            return Text("compiling", "yellow")
        return Text(f"{news.rate:>9,.0f} examples/s  {news.support:>5,} SVs  {news.accuracy:6.1%} right so far")


def race(keys: Iterable[str], examples: int, workers: int, console: Console) -> dict[str, Result]:
    """Run the entrants in `keys`; with one worker, in this process."""
    wanted = set(keys)
    jobs = [job for job in (tuple(key for key in job if key in wanted) for job in JOBS) if job]
    columns = (TextColumn("{task.description:<26}"), BarColumn(bar_width=24), State())
    with Progress(*columns, console=console) as progress:
        rows = {
            key: progress.add_task(entrant.name, total=entrant.length(examples), news=None)
            for key, entrant in ENTRANTS.items()
            if key in wanted
        }

        def show(news: News) -> None:
            progress.update(rows[news.key], completed=news.done, news=news)

        results = _here(jobs, examples, show) if workers == 1 else _apart(jobs, examples, workers, show)
    return {result.key: result for result in results}


def _here(jobs: list[tuple[str, ...]], examples: int, show: Callable[[News], None]) -> list[Result]:
    return [run(key, examples, show) for job in jobs for key in job]


def _apart(jobs: list[tuple[str, ...]], examples: int, workers: int, show: Callable[[News], None]) -> list[Result]:
    # a fresh interpreter each, on every platform: threads of BLAS or numba do not survive a fork
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


def _work(job: tuple[str, ...], examples: int) -> list[Result]:
    return [run(key, examples, _queue.put) for key in job]
