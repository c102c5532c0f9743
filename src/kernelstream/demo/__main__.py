"""`python -m kernelstream.demo`: a stream of 300,000 examples through seven recipes, a table and a figure."""

import argparse
import importlib.util
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .entrants import BUDGET, ENTRANTS
from .stream import Result

PICTURE = Path("demo") / "decision_surfaces.png"
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


def main(arguments: Sequence[str] | None = None) -> int:
    if any(importlib.util.find_spec(name) is None for name in ("rich", "matplotlib")):
        print('The demo prints with rich and draws with matplotlib. To have both:\npip install "kernelstream[demo]"')
        return 1
    from rich.console import Console

    from .figure import draw
    from .race import race

    options = _parse(arguments)
    console = Console(width=max(Console().width, 120), highlight=False)
    start = time.perf_counter()
    console.print(INTRODUCTION.format(examples=options.examples, budget=BUDGET))
    found = race(options.recipes, options.examples, options.workers, console)
    results = {key: found[key] for key in ENTRANTS if key in found}
    console.print(_table(results))
    if "unlimited" in results:
        console.print(_curse(results["unlimited"]))
    path = draw(results, options.output)
    console.print(LOOK.format(budget=BUDGET, path=path, seconds=time.perf_counter() - start))
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m kernelstream.demo", description=__doc__)
    parser.add_argument("--examples", type=int, default=300_000, help="length of the stream (default 300,000)")
    parser.add_argument("--recipes", nargs="+", choices=list(ENTRANTS), default=list(ENTRANTS), help="default: all")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--output", type=Path, default=PICTURE, help=f"the picture (default {PICTURE})")
    return parser.parse_args(arguments)


def _table(results: dict[str, Result]) -> Any:
    from rich.table import Table

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


def _curse(result: Result) -> str:
    return (
        f"[bold]The curse of kernelization:[/] without a budget, kernel SGD has {result.support:,} SVs after its first "
        f"{result.examples:,} examples. Each slows every prediction to come, and their number never stops growing."
    )


if __name__ == "__main__":
    sys.exit(main())
