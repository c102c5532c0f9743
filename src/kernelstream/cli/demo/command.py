"""`kernelstream demo`: one stream, seven ways to stay within a budget."""

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..exit_status import UsageError, exit_on_error
from ..input_options import commas

if TYPE_CHECKING:
    from .demo_run import DemoResult

PLOT = Path("demo") / "decision_surfaces.png"
INTRODUCTION = """
A checkerboard of 4 × 4 squares arrives one example at a time, {examples:,} in all. No straight line separates its
colours. A kernel model does, but plain kernel SGD keeps every example near its margin as a support vector (SV). The
recipes below keep about {budget} SVs, however long the stream. Each is compiled first: about ten seconds, only once.
"""
CONCLUSION = """
Compare the accuracies of recipes with the same {budget} SVs: those that remove or discard SVs forget what they
learned, those that project, merge or prune do not. {path} shows what each has learned
and which points it kept. ({seconds:.0f} s in all.)
"""
Examples = Annotated[int, typer.Option(help="Length of the stream.", min=100)]
Recipes = Annotated[str | None, typer.Option(help="E.g. merge,remove. (default: all eight)", show_default=False)]
Workers = Annotated[int, typer.Option(help="Number of processes.", min=1)]
Output = Annotated[Path, typer.Option("--output", "-o", help="Plot to write.")]


def demo(examples: Examples = 300_000, recipes: Recipes = None, workers: Workers = 2, output: Output = PLOT) -> None:
    """Train seven recipes on a checkerboard: a table, and a plot of what each has learned.

    **Example**

    `kernelstream demo --recipes merge,remove --examples 50000`
    """
    with exit_on_error():
        from .demo_entries import ENTRIES

        keys = list(commas(recipes)) or list(ENTRIES)
        unknown = [key for key in keys if key not in ENTRIES]
        if unknown:
            raise UsageError(f"unknown recipe {unknown[0]!r} of the demo. Available: {', '.join(ENTRIES)}.")
        run_demo(keys, examples, workers, output)


def run_demo(keys: Sequence[str], examples: int, workers: int, output: Path) -> None:
    """Run these entries, print the table, write the plot."""
    if any(importlib.util.find_spec(name) is None for name in ("rich", "matplotlib")):
        raise ImportError('The demo needs rich and matplotlib: pip install "kernelstream[demo]"')
    from rich.console import Console

    from .demo_entries import BUDGET, ENTRIES
    from .demo_figure import draw
    from .demo_run import run_all

    console = Console(width=max(Console().width, 120), highlight=False)
    start = time.perf_counter()
    console.print(INTRODUCTION.format(examples=examples, budget=BUDGET))
    found = run_all(keys, examples, workers, console)
    results = {key: found[key] for key in ENTRIES if key in found}
    console.print(_table(results))
    if "unlimited" in results:
        console.print(_growth(results["unlimited"]))
    path = draw(results, output)
    console.print(CONCLUSION.format(budget=BUDGET, path=path, seconds=time.perf_counter() - start))


def _table(results: "dict[str, DemoResult]") -> Any:
    from rich.table import Table

    from .demo_entries import ENTRIES

    table = Table()
    for column in ("recipe", "paper"):
        table.add_column(column)
    for column in ("accuracy", "progressive", "SVs", "memory", "examples/s"):
        table.add_column(column, justify="right")
    for key, result in results.items():
        entry = ENTRIES[key]
        name = entry.name if entry.limited else f"{entry.name}, first {result.examples:,}"
        table.add_row(
            name, entry.paper, f"{result.accuracy:.1%}", f"{result.progressive:.1%}", f"{result.support:,}",
            f"{result.nbytes / 1024:,.0f} KiB", f"{result.rate:,.0f}", style=None if entry.limited else "dim",
        )  # fmt: skip
    return table


def _growth(result: "DemoResult") -> str:
    return (
        f"[bold]The curse of kernelization:[/] without a budget, kernel SGD has {result.support:,} SVs after its first "
        f"{result.examples:,} examples. Each slows every later prediction, and their number keeps growing."
    )
