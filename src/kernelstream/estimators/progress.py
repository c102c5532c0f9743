"""A progress bar for `fit`."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..model import Model

Report = Callable[[Model], None]


@contextmanager
def reporting(wanted: bool, total: int) -> Iterator[Report]:
    """A function to call with the model after every chunk; it draws a bar if one is wanted."""
    if not wanted:
        yield lambda model: None
        return
    try:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError as error:
        raise ImportError('progress=True draws its bar with rich: pip install "kernelstream[progress]"') from error
    rate, size, loss = "{task.fields[rate]:,.0f}", "{task.fields[size]:,}", "{task.fields[loss]:.4f}"
    facts = TextColumn(f"{rate} examples/s · {size} SVs · mean loss {loss}")
    start = time.perf_counter()
    with Progress(BarColumn(), MofNCompleteColumn(), facts, TimeRemainingColumn()) as bar:
        task = bar.add_task("fit", total=total, rate=0.0, size=0, loss=float("nan"))

        def report(model: Model) -> None:
            record, seconds = model.record, time.perf_counter() - start
            seen = record.examples
            bar.update(task, completed=seen, rate=seen / seconds, size=model.n_support, loss=record.loss / max(seen, 1))

        yield report
