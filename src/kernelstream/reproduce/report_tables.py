"""Tables in Markdown: the paper's figures, ours, and the difference."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .experiment import Experiment, concerns
from .judging import CellResult, ComparedFigure

DIGITS = {"accuracy": 1, "error": 2, "rmse": 2}


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table whose first `words` columns are text, the others numbers.

    >>> print(markdown(["data", "SVs"], [["usps", "100"]]))
    | data | SVs |
    |---|---:|
    | usps | 100 |
    """
    ruler = "|" + "---|" * words + "---:|" * (len(header) - words)
    first, *others = ("| " + " | ".join(row) + " |" for row in (header, *rows))
    return "\n".join([first, ruler, *others])


class ComparisonTable(NamedTuple):
    """Header, rows and footnotes of a table whose first `words` columns are text."""

    words: int
    header: list[str]
    rows: list[list[str]]
    notes: list[str]

    def markdown(self) -> str:
        notes = "\n".join(f"[{i}] {text}  " for i, text in enumerate(self.notes, 1))
        return "\n\n".join(part for part in (markdown(self.header, self.rows, self.words), notes) if part)


def comparison_table(experiment: Experiment, cells: Sequence[CellResult]) -> ComparisonTable:
    """A row for each cell of an experiment, and footnotes that explain differences."""
    notes = Footnotes(experiment.notes)
    budgets = any(cell.cell.budget is not None for cell in cells)
    sizes = any("svs" in cell.cell.published for cell in cells)
    times = any("seconds" in cell.cell.published for cell in cells)
    words = ["data", *(["B"] if budgets else []), "method"]
    header = [*words, "paper", "ours", "diff"]
    header += (
        (["SVs, paper", "SVs, ours"] if sizes else []) + (["seconds, paper"] if times else []) + ["runs", "seconds", ""]
    )
    rows = []
    for cell in cells:
        spec = cell.cell
        main, size, seconds = (cell.figures.get(name) for name in (experiment.measure, "svs", "seconds"))
        digits = DIGITS[experiment.measure]
        budget = ["" if spec.budget is None else f"{spec.budget:,}"] if budgets else []
        row = [spec.data, *budget, spec.method]
        row += [number(spec.published.get(experiment.measure), digits), *_ours(cell, main, digits)]
        row += [number(spec.published.get("svs"), 0), number(size.ours if size else None, 0)] if sizes else []
        row += [number(spec.published.get("seconds"), 1)] if times else []
        row += [str(cell.repeats or ""), _time(seconds), _mark(cell, notes)]
        rows.append(row)
    return ComparisonTable(len(words), header, rows, notes.used)


def number(value: float | None, digits: int) -> str:
    """A number as text, empty for None.

    >>> number(1234.5, 0), number(None, 1), number(0.954, 2)
    ('1,234', '', '0.95')
    """
    return "" if value is None else f"{value:,.{digits}f}"


def _time(figure: ComparedFigure | None) -> str:
    """Seconds in three digits.

    >>> [_time(ComparedFigure("seconds", value, None, None, False)) for value in (0.0123, 12.345, 583.0)]
    ['0.012', '12.3', '583']
    """
    return "" if figure is None else number(figure.ours, 3 if figure.ours < 1.0 else 1 if figure.ours < 100.0 else 0)


def _ours(cell: CellResult, figure: ComparedFigure | None, digits: int) -> list[str]:
    if figure is None:
        return ["no data" if cell.cell.lacking else "failed" if cell.failure else "not run", ""]
    ours = number(figure.ours, digits) + ("" if figure.sd is None else f" ± {figure.sd:.{digits}f}")
    return [ours, "" if figure.difference is None else f"{figure.difference:+z.{digits}f}"]


def _mark(cell: CellResult, notes: "Footnotes") -> str:
    mark = notes.mark(cell) if cell.noteworthy or cell.cell.unjudged or cell.cell.lacking or cell.failure else ""
    verdicts = [figure.reproduced for figure in cell.figures.values() if figure.reproduced is not None]
    return ("" if not verdicts else "✓" if all(verdicts) else "✗") + mark


class Footnotes:
    """Notes about cells, numbered in order of first use."""

    def __init__(self, notes: Sequence[Mapping[str, Any]]):
        self._notes = notes
        self.used: list[str] = []

    def mark(self, cell: CellResult) -> str:
        spec = cell.cell
        texts = [text for text in (spec.lacking, spec.unjudged, cell.failure) if text]
        if not texts:
            texts = [note["text"] for note in self._notes if concerns(note, spec.data, spec.method, spec.budget)]
        texts = [" ".join(text.split()) for text in texts or ["Cause unknown."]]
        self.used += [text for text in texts if text not in self.used]
        return " " + ", ".join(f"[{self.used.index(text) + 1}]" for text in texts)
