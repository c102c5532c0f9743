"""`kernelstream predict`."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from .exit_status import UsageError, exit_on_error
from .input_files import check_inputs
from .input_options import COMMON, Data, SkipBad, reads
from .output_files import check_outputs, check_standard_output, text_output
from .printable import json_text, without_formula
from .terminal import print_skipped

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline
    from ..pipeline.prediction import Predicted
    from ..readers import RowReader

ModelFile = Annotated[Path, typer.Argument(help="Model file written by `kernelstream train`.", show_default=False)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write. (default: standard output)", show_default=False)
]
Proba = Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")]
Scores = Annotated[bool, typer.Option("--scores", help="Add the decision scores.")]
Form = Annotated[
    str | None, typer.Option("--to", help="Output format: csv or jsonl. (default: csv)", show_default=False)
]

EscapeFormulas = Annotated[
    bool,
    typer.Option("--escape-formulas", help="In CSV, put ' before text that a spreadsheet would take for a formula."),
]


@reads(COMMON)
def predict(
    model: ModelFile,
    data: Data,
    output: Output = None,
    to: Form = None,
    proba: Proba = False,
    scores: Scores = False,
    escape_formulas: EscapeFormulas = False,
    skip_bad: SkipBad = False,
    reading: Any = None,
) -> None:
    """Predict rows of files or a pipe: one line of output per row, in order.

    Columns are matched by name, and the target may be absent. With --skip-bad the output has the line number of each
    row. A file named by -o is written when all rows are predicted; until then an earlier file of that name stays.

    Labels are written as the model learned them. If they come from people you do not know and a spreadsheet will open
    the file, use --escape-formulas: a label such as =HYPERLINK(…) would be computed there.

    **Examples**

    `kernelstream predict income.ks new.csv -o predictions.csv`

    `tail -f log.jsonl | kernelstream predict clicks.ks - --to jsonl --proba`
    """
    with exit_on_error():
        form = to or ("jsonl" if output is not None and output.suffix in (".jsonl", ".ndjson", ".json") else "csv")
        if form not in ("csv", "jsonl"):
            raise UsageError(f"--to is {form!r}; use csv or jsonl.")
        if proba and scores:
            raise UsageError("Use either --proba or --scores.")
        if escape_formulas and form != "csv":
            raise UsageError("--escape-formulas is for CSV; JSON has no formulas.")
        check_inputs(model, data)
        from ..pipeline import StreamPipeline
        from ..pipeline.prediction import check_method, open_rows, predictions
        from ..readers.source_names import local_files

        trained = StreamPipeline.load(model)
        method = "predict_proba" if proba else "decision_function" if scores else None
        check_method(trained, method)
        read: list[str | Path] = [model, *local_files(data)]
        check_outputs({"-o": output}, read, streams=True)
        if output is None:
            check_standard_output(read)
        rows = open_rows(trained, data, reading, target=False, skip_bad=skip_bad)
        with text_output(output) as file:
            titles = _titles(trained, proba, scores)
            if form == "csv":
                write = _csv(file, titles, skip_bad, rows, without_formula if escape_formulas else None)
            else:
                write = _jsonl(file, titles, skip_bad, rows)
            for found in predictions(trained, rows, method):
                write(found)
                file.flush()
        print_skipped(rows.policy.count, rows.policy.first)


def _titles(trained: "StreamPipeline", proba: bool, scores: bool) -> list[str]:
    """Titles of the columns after the prediction."""
    classes = trained.intake.target.as_dict().get("classes", [])
    if proba:
        return [f"probability_{label}" for label in classes]
    if not scores:
        return []
    return ["score"] if len(classes) == 2 else [f"score_{label}" for label in classes]


def _where(found: "Predicted", rows: "RowReader") -> Iterator[dict[str, Any]]:
    """File and line of every row."""
    # a name need not be text, but what is written must be
    files = [name.encode(errors="backslashreplace").decode() for name in rows.stream.names]
    for file, line in zip(found.block.files.tolist(), found.block.lines.tolist(), strict=True):
        yield ({"file": files[file]} if len(files) > 1 else {}) | {"line": line}


def _csv(
    file: TextIO, titles: list[str], located: bool, rows: "RowReader", escape: Callable[[Any], Any] | None = None
) -> Any:
    writer = csv.writer(file, lineterminator="\n")
    places = (["file"] if len(rows.stream.files) > 1 else []) + ["line"] if located else []
    writer.writerow([*places, "prediction", *titles])

    def write(found: "Predicted") -> None:
        columns = [found.labels.tolist(), *([] if found.scores is None else found.scores.T.tolist())]
        lines: Any = zip(*columns, strict=True)
        if located:
            lines = ((*where.values(), *line) for where, line in zip(_where(found, rows), lines, strict=True))
        writer.writerows(lines if escape is None else (map(escape, line) for line in lines))

    return write


def _jsonl(file: TextIO, titles: list[str], located: bool, rows: "RowReader") -> Any:
    def write(found: "Predicted") -> None:
        scores = [()] * len(found.labels) if found.scores is None else found.scores.tolist()
        places = _where(found, rows) if located else ({} for _ in scores)
        for where, label, values in zip(places, found.labels.tolist(), scores, strict=True):
            line = where | {"prediction": label} | dict(zip(titles, values, strict=True))
            file.write(json_text(line) + "\n")

    return write
