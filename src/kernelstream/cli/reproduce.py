"""`kernelstream reproduce`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .endings import WrongCommand, endings
from .reading import commas
from .screen import Seldom, err, out

if TYPE_CHECKING:
    from ..reproduce import Cell, Experiment, News

_WIDTH = 120  # of a whole table

Papers = Annotated[
    list[str] | None, typer.Argument(help="bpegasos, nbsgd, olrd, oskl, polk, beyond; else all.", show_default=False)
]
Only = Annotated[str | None, typer.Option(help="Tables and figures, e.g. table1,figures.", show_default=False)]
Sets = Annotated[
    str | None, typer.Option("--data", help="Run these data sets only, e.g. usps,letter.", show_default=False)
]
Full = Annotated[bool, typer.Option("--full/--quick", help="The papers' sizes (hours), or a tenth and one repeat.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for records, pages and pictures.")]
Workers = Annotated[int | None, typer.Option(help="Processes; else one for each core.", min=1, show_default=False)]
Report = Annotated[bool, typer.Option("--report", help="Run nothing, write the pages from the records.")]


def reproduce(
    papers: Papers = None,
    only: Only = None,
    data: Sets = None,
    full: Full = False,
    output: Output = Path("results"),
    workers: Workers = None,
    report: Report = False,
) -> None:
    """Run the experiments of the papers again, and show ours beside the print.

    What is done is kept in the output folder: a run that was stopped goes on where it was. Data come from the folder
    that KERNELSTREAM_DATA names, or are downloaded; experiments whose data cannot be had are left out, and named.

    **Examples**

    `kernelstream reproduce polk`

    `kernelstream reproduce bpegasos --only table1 --full`
    """
    with endings():
        from ..reproduce import experiments, write_report

        scale = "full" if full else "quick"
        try:
            chosen = experiments(tuple(papers or ()), commas(only), scale)
        except ValueError as error:
            raise WrongCommand(str(error)) from None
        if not chosen:
            raise WrongCommand("None of these papers has such a table or figure.")
        if not report:
            _run(chosen, commas(data), output, scale, workers or os.cpu_count() or 1)
        pages = write_report(output, scale)
        _tell(chosen, output, scale)
        out().print(f"\n{pages[0]} has the report, {output / 'records'} every run.")


def _run(chosen: "list[Experiment]", data: tuple[str, ...], folder: Path, scale: str, workers: int) -> None:
    from ..reproduce import records_of, run

    kept = {experiment.key: records_of(experiment, folder, scale) for experiment in chosen}
    cells = [cell for experiment in chosen for cell in experiment.cells]
    unknown = sorted({*data} - {cell.data for cell in cells})
    if unknown:
        raise WrongCommand(f"There is no {unknown[0]!r} in these experiments.")
    cells = _at_hand([cell for cell in cells if not data or cell.data in data])
    with _progress() as show:
        for news in run(cells, lambda cell: kept[cell.experiment], workers):
            show(news)


@contextmanager
def _progress() -> "Iterator[Callable[[News], None]]":
    """A function to call with news: it draws a bar, or, where that cannot be seen, prints a line now and then."""
    from rich import progress as bars

    console = err()
    if not console.is_terminal:
        seldom = Seldom(console)
        yield lambda news: seldom.print(lambda: f"{news.done:,} of {news.total:,} runs · {_what(news)}")
        return
    columns: list[Any] = [
        bars.TextColumn("{task.description}"), bars.BarColumn(bar_width=8), bars.MofNCompleteColumn(),
        bars.TextColumn("runs"), bars.TimeElapsedColumn(), bars.TextColumn("left"), bars.TimeRemainingColumn(),
    ]  # fmt: skip
    with bars.Progress(*columns, console=console) as progress:
        task = progress.add_task("beginning", total=None)
        yield lambda news: progress.update(
            task, total=news.total, completed=news.done, description=f"{_what(news):<30.30}"
        )


def _what(news: "News") -> str:
    return f"{news.cell.data}, {news.cell.method}"


def _at_hand(cells: "list[Cell]") -> "list[Cell]":
    """Those whose data can be had, after a sentence about each set that cannot."""
    from ..datasets import load

    lacking: set[tuple[str, str | None]] = set()
    for name, paper in dict.fromkeys((cell.trial.data, cell.trial.paper) for cell in cells if cell.lacking is None):
        try:
            load(name, paper=paper, rows=200)
        except OSError as error:
            lacking.add((name, paper))
            err().print(f"Without {name}: {error}")
    return [cell for cell in cells if cell.lacking is None and (cell.trial.data, cell.trial.paper) not in lacking]


def _tell(chosen: "list[Experiment]", folder: Path, scale: str) -> None:
    from ..reproduce.judging import filled, tally
    from ..reproduce.report import records_of, summary
    from ..reproduce.tables import sheet

    console = out()
    console.width = max(console.width, _WIDTH) if not console.is_terminal else console.width
    for experiment in chosen:
        records = records_of(experiment, folder, scale)
        cells = [filled(cell, records) for cell in experiment.cells if cell.printed]
        if not cells:
            continue
        found = sheet(experiment, cells)
        title = f"{experiment.key}: {experiment.title}"
        table = Table(title=title, box=None, padding=(0, 2, 0, 0), title_justify="left")
        # a narrow terminal gets the figures; runs and seconds are in the report
        shown = [i for i, name in enumerate(found.header) if console.width >= _WIDTH or name not in ("runs", "seconds")]
        for i in shown:
            column = found.header[i]
            table.add_column(
                column, justify="left" if i < found.words or not column else "right", no_wrap=i < found.words
            )
        for row in found.rows:
            table.add_row(*(row[i] for i in shown))
        console.print(table)
        for i, note in enumerate(found.notes, 1):
            console.print(f"\\[{i}] {note}", style="dim")
        console.print(f"{summary(tally(cells))}\n")
