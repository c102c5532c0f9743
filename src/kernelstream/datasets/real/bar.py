"""A progress bar for downloads, in the form that pooch can use."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Bar:
    """pooch sets `total` and calls the rest."""

    total = 0

    def __init__(self, progress: Any, text: str):
        self.progress, self.task = progress, progress.add_task(text, total=None)

    def update(self, count: int) -> None:
        self.progress.update(self.task, total=self.total or None, advance=count)

    def reset(self) -> None:
        self.progress.reset(self.task)

    def close(self) -> None:
        self.progress.refresh()


@contextmanager
def bar(text: str) -> Iterator[Bar | bool]:
    """A bar on the terminal, or False if there is no terminal, or no rich to draw it."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
    except ImportError:
        yield False
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield False
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console) as progress:
        yield Bar(progress, text)
