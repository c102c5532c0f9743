"""How a benchmark tells what it found: progress while it runs, a table at the end, JSON on request."""

import argparse
import json
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import kernelstream

# A table squeezed into 80 columns cannot be read: rather let the terminal wrap.
console = Console(width=max(Console().width, 120))


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with the option that all benchmarks share."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="PATH", help="also write the results to this file")
    return parser


def progress() -> Progress:
    """A bar that counts the measurements and names the one that runs."""
    return Progress(
        TextColumn("{task.description:<44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, transient=True,
    )  # fmt: skip


def verdict(passed: bool | None) -> Text:
    """Pass or miss in words and colour; nothing where there is no bar.

    >>> verdict(True).plain, verdict(None).plain
    ('pass', '')
    """
    if passed is None:
        return Text("")
    return Text("pass", "bold green") if passed else Text("miss", "bold red")


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], words: int = 1) -> None:
    """Print a table whose first columns, `words` of them, are text and whose others are numbers."""
    table = Table(title=title, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i < words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else str(cell) for cell in row))
    console.print(table)


def write(path: Path | None, results: Sequence[dict[str, Any]]) -> None:
    """Write the results as JSON, with what they were measured on."""
    if path is None:
        return
    setting = {
        "kernelstream": kernelstream.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "machine": platform.machine(),
    }
    text = json.dumps({"setting": setting, "results": list(results)}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def failed(results: Iterable[dict[str, Any]]) -> int:
    """The exit status: 1 if a bar was missed.

    >>> failed([{"passed": True}, {"passed": None}]), failed([{"passed": False}])
    (0, 1)
    """
    return int(any(result["passed"] is False for result in results))
