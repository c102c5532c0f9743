"""Tables in Markdown: print, ours, difference."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .judging import Figure, Filled
from .plan import Experiment, concerns

DIGITS = {"accuracy": 1, "error": 2, "rmse": 2}


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table whose first `words` columns are words, the others numbers.

    >>> print(markdown(["data", "SVs"], [["usps", "100"]]))
    | data | SVs |
    |---|---:|
    | usps | 100 |
    """
    ruler = "|" + "---|" * words + "---:|" * (len(header) - words)
    first, *others = ("| " + " | ".join(row) + " |" for row in (header, *rows))
    return "\n".join([first, ruler, *others])


class Sheet(NamedTuple):
    """A table before it is written: its first columns are words."""

    words: int
    header: list[str]
    rows: list[list[str]]
    notes: list[str]

    def markdown(self) -> str:
        notes = "\n".join(f"[{i}] {text}  " for i, text in enumerate(self.notes, 1))
        return "\n\n".join(part for part in (markdown(self.header, self.rows, self.words), notes) if part)


def sheet(experiment: Experiment, cells: Sequence[Filled]) -> Sheet:
    """One line for each cell of an experiment, and footnotes that say why some differ."""
    notes = Footnotes(experiment.notes)
    budgets = any(cell.cell.budget is not None for cell in cells)
    sizes = any("svs" in cell.cell.printed for cell in cells)
    times = any("seconds" in cell.cell.printed for cell in cells)
    words = ["data", *(["B"] if budgets else []), "method"]
    header = [*words, "print", "ours", "difference"]
    header += (
        (["SVs, print", "SVs, ours"] if sizes else []) + (["seconds, print"] if times else []) + ["runs", "seconds", ""]
    )
    rows = []
    for cell in cells:
        spec = cell.cell
        main, size, seconds = (cell.figures.get(name) for name in (experiment.measure, "svs", "seconds"))
        digits = DIGITS[experiment.measure]
        budget = ["" if spec.budget is None else f"{spec.budget:,}"] if budgets else []
        row = [spec.data, *budget, spec.method]
        row += [number(spec.printed.get(experiment.measure), digits), *_ours(cell, main, digits)]
        row += [number(spec.printed.get("svs"), 0), number(size.ours if size else None, 0)] if sizes else []
        row += [number(spec.printed.get("seconds"), 1)] if times else []
        row += [str(cell.repeats or ""), _time(seconds), _mark(cell, notes)]
        rows.append(row)
    return Sheet(len(words), header, rows, notes.used)


def number(value: float | None, digits: int) -> str:
    """A number in print, or nothing.

    >>> number(1234.5, 0), number(None, 1), number(0.954, 2)
    ('1,234', '', '0.95')
    """
    return "" if value is None else f"{value:,.{digits}f}"


def _time(figure: Figure | None) -> str:
    """Seconds in three digits.

    >>> [_time(Figure("seconds", value, None, None, False)) for value in (0.0123, 12.345, 583.0)]
    ['0.012', '12.3', '583']
    """
    return "" if figure is None else number(figure.ours, 3 if figure.ours < 1.0 else 1 if figure.ours < 100.0 else 0)


def _ours(cell: Filled, figure: Figure | None, digits: int) -> list[str]:
    if figure is None:
        return ["no data" if cell.cell.lacking else "failed" if cell.failure else "not run", ""]
    ours = number(figure.ours, digits) + ("" if figure.sd is None else f" ± {figure.sd:.{digits}f}")
    return [ours, "" if figure.difference is None else f"{figure.difference:+z.{digits}f}"]


def _mark(cell: Filled, notes: "Footnotes") -> str:
    mark = notes.mark(cell) if cell.noteworthy or cell.cell.unjudged or cell.cell.lacking or cell.failure else ""
    verdicts = [figure.reproduced for figure in cell.figures.values() if figure.reproduced is not None]
    return ("" if not verdicts else "✓" if all(verdicts) else "✗") + mark


class Footnotes:
    """Sentences about cells, numbered in the order in which they are first needed."""

    def __init__(self, notes: Sequence[Mapping[str, Any]]):
        self._notes = notes
        self.used: list[str] = []

    def mark(self, cell: Filled) -> str:
        spec = cell.cell
        texts = [text for text in (spec.lacking, spec.unjudged, cell.failure) if text]
        if not texts:
            texts = [note["text"] for note in self._notes if concerns(note, spec.data, spec.method, spec.budget)]
        texts = [" ".join(text.split()) for text in texts or ["Not explained."]]
        self.used += [text for text in texts if text not in self.used]
        return " " + ", ".join(f"[{self.used.index(text) + 1}]" for text in texts)
