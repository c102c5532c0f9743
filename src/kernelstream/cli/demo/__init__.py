"""The demonstration: one stream, seven ways to stay small. `kernelstream demo` runs it."""

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .stream import Result

INTRODUCTION = """
A checkerboard of 4 × 4 squares arrives one example at a time, {examples:,} in all. No straight line parts its colours.
A kernel model does, but plain kernel SGD keeps every example near its margin as a support vector (SV). The recipes
below do with about {budget} SVs, however long the stream. Each is compiled first: some ten seconds, once.
"""
LOOK = """
Look at the accuracies of recipes that keep the same {budget} SVs: those that remove or discard forget what they
learned, those that project, merge or prune do not. Then open {path}
to see what each has learned and which points it kept. ({seconds:.0f} s in all.)
"""


def run_demo(keys: Sequence[str], examples: int, workers: int, output: Path) -> None:
    """Race the entrants named, print the table, draw the picture."""
    if any(importlib.util.find_spec(name) is None for name in ("rich", "matplotlib")):
        raise ImportError('The demo prints with rich and draws with matplotlib: pip install "kernelstream[demo]"')
    from rich.console import Console

    from .entrants import BUDGET, ENTRANTS
    from .figure import draw
    from .race import race

    console = Console(width=max(Console().width, 120), highlight=False)
    start = time.perf_counter()
    console.print(INTRODUCTION.format(examples=examples, budget=BUDGET))
    found = race(keys, examples, workers, console)
    results = {key: found[key] for key in ENTRANTS if key in found}
    console.print(_table(results))
    if "unlimited" in results:
        console.print(_curse(results["unlimited"]))
    path = draw(results, output)
    console.print(LOOK.format(budget=BUDGET, path=path, seconds=time.perf_counter() - start))


def _table(results: "dict[str, Result]") -> Any:
    from rich.table import Table

    from .entrants import ENTRANTS

    table = Table()
    for column in ("recipe", "paper"):
        table.add_column(column)
    for column in ("accuracy", "while learning", "SVs", "memory", "examples/s"):
        table.add_column(column, justify="right")
    for key, result in results.items():
        entrant = ENTRANTS[key]
        name = entrant.name if entrant.limited else f"{entrant.name}, first {result.examples:,}"
        table.add_row(
            name, entrant.paper, f"{result.accuracy:.1%}", f"{result.progressive:.1%}", f"{result.support:,}",
            f"{result.nbytes / 1024:,.0f} KiB", f"{result.rate:,.0f}", style=None if entrant.limited else "dim",
        )  # fmt: skip
    return table


def _curse(result: "Result") -> str:
    return (
        f"[bold]The curse of kernelization:[/] without a budget, kernel SGD has {result.support:,} SVs after its first "
        f"{result.examples:,} examples. Each slows every prediction to come, and their number never stops growing."
    )
