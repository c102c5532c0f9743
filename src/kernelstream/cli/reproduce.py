"""`kernelstream reproduce`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .exit_status import UsageError, exit_on_error
from .input_options import commas
from .terminal import OccasionalLog, err, out

if TYPE_CHECKING:
    from ..reproduce import Cell, Experiment, ReproduceProgress

_WIDTH = 120  # of a whole table
_WIDE_ONLY = ("runs", "seconds", "seconds, paper")

Papers = Annotated[
    list[str] | None,
    typer.Argument(help="bpegasos, nbsgd, olrd, oskl, polk, beyond. (default: all)", show_default=False),
]
Only = Annotated[
    str | None, typer.Option(help="Only these tables and figures, e.g. table1,figures.", show_default=False)
]
Sets = Annotated[str | None, typer.Option("--data", help="Only these data sets, e.g. usps,letter.", show_default=False)]
Full = Annotated[
    bool, typer.Option("--full/--quick", help="The papers' sizes (takes hours), or a tenth of the data and one repeat.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for records, pages and plots.")]
Workers = Annotated[
    int | None, typer.Option(help="Number of processes. (default: one per core)", min=1, show_default=False)
]
Report = Annotated[bool, typer.Option("--report", help="Only write the pages, from existing records.")]


def reproduce(
    papers: Papers = None,
    only: Only = None,
    data: Sets = None,
    full: Full = False,
    output: Output = Path("results"),
    workers: Workers = None,
    report: Report = False,
) -> None:
    """Repeat the experiments of the papers, and compare with the published results.

    Finished runs are recorded in the output folder: after an interruption, the same command continues. Data is read
    from the folder KERNELSTREAM_DATA, or downloaded; experiments whose data is not available are left out, and listed.

    **Examples**

    `kernelstream reproduce polk`

    `kernelstream reproduce bpegasos --only table1 --full`
    """
    with exit_on_error():
        from ..reproduce import experiments, write_report

        scale = "full" if full else "quick"
        try:
            chosen = experiments(tuple(papers or ()), commas(only), scale)
        except ValueError as error:
            raise UsageError(str(error)) from None
        if not chosen:
            raise UsageError("These papers have no such table or figure.")
        if not report:
            _run(chosen, commas(data), output, scale, workers or os.cpu_count() or 1)
        pages = write_report(output, scale)
        _print(chosen, output, scale)
        out().print(f"\nReport: {pages[0]}. Records of all runs: {output / 'records'}.")


def _run(chosen: "list[Experiment]", data: tuple[str, ...], folder: Path, scale: str, workers: int) -> None:
    from ..reproduce import records_of, run

    kept = {experiment.key: records_of(experiment, folder, scale) for experiment in chosen}
    cells = [cell for experiment in chosen for cell in experiment.cells]
    unknown = sorted({*data} - {cell.data for cell in cells})
    if unknown:
        known = ", ".join(sorted({cell.data for cell in cells}))
        raise UsageError(f"unknown data set {unknown[0]!r}. Available in these experiments: {known}.")
    cells = _available([cell for cell in cells if not data or cell.data in data])
    with _progress() as show:
        for news in run(cells, lambda cell: kept[cell.experiment], workers):
            show(news)


@contextmanager
def _progress() -> "Iterator[Callable[[ReproduceProgress], None]]":
    """A function that shows progress: a bar in a terminal, elsewhere a line every few seconds."""
    from rich import progress as bars

    console = err()
    if not console.is_terminal:
        log = OccasionalLog(console)
        yield lambda news: log.print(lambda: f"{news.done:,} of {news.total:,} runs · {_what(news)}")
        return
    columns: list[Any] = [
        bars.TextColumn("{task.description}"), bars.BarColumn(bar_width=8), bars.MofNCompleteColumn(),
        bars.TextColumn("runs"), bars.TimeElapsedColumn(), bars.TextColumn("remaining"), bars.TimeRemainingColumn(),
    ]  # fmt: skip
    with bars.Progress(*columns, console=console) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda news: progress.update(
            task, total=news.total, completed=news.done, description=f"{_what(news):<30.30}"
        )


def _what(news: "ReproduceProgress") -> str:
    return f"{news.cell.data}, {news.cell.method}"


def _available(cells: "list[Cell]") -> "list[Cell]":
    """Cells whose data is available; a message for each data set that is not."""
    from ..datasets import load

    lacking: set[tuple[str, str | None]] = set()
    for name, paper in dict.fromkeys((cell.trial.data, cell.trial.paper) for cell in cells if cell.lacking is None):
        try:
            load(name, paper=paper, rows=200)
        except OSError as error:
            lacking.add((name, paper))
            err().print(f"Left out {name}: {error}")
    return [cell for cell in cells if cell.lacking is None and (cell.trial.data, cell.trial.paper) not in lacking]


def _print(chosen: "list[Experiment]", folder: Path, scale: str) -> None:
    from ..reproduce.judging import cell_result, count_reproduced
    from ..reproduce.report import records_of, summary
    from ..reproduce.report_tables import comparison_table

    console = out()
    console.width = max(console.width, _WIDTH) if not console.is_terminal else console.width
    for experiment in chosen:
        records = records_of(experiment, folder, scale)
        cells = [cell_result(cell, records) for cell in experiment.cells if cell.published]
        if not cells:
            continue
        found = comparison_table(experiment, cells)
        title = f"{experiment.key}: {experiment.title}"
        wide = console.width >= _WIDTH
        table = Table(title=title, box=None, padding=(0, 2 if wide else 1, 0, 0), title_justify="left")
        # a narrow terminal has no room for runs and times; the report has them
        shown = [i for i, name in enumerate(found.header) if wide or name not in _WIDE_ONLY]
        for i in shown:
            column = found.header[i]
            table.add_column(
                column,
                justify="left" if i < found.words or not column else "right",
                no_wrap=i < found.words or column == "ours",
            )
        for row in found.rows:
            table.add_row(*(row[i] for i in shown))
        console.print(table)
        for i, note in enumerate(found.notes, 1):
            console.print(f"[{i}] {note}", style="dim", soft_wrap=not console.is_terminal)
        console.print(f"{summary(count_reproduced(cells))}\n")
