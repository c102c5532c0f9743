"""`kernelstream predict`."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from .exit_status import UsageError, exit_on_error
from .input_files import check_inputs
from .input_options import COMMON, DATA_HELP, SkipBad, commas, reads
from .output_files import check_outputs, check_standard_output, text_output
from .printable import json_text, without_formula
from .server_predictions import predict_by_server
from .server_url import Url
from .terminal import print_notes, print_skipped

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline
    from ..pipeline.prediction import Predicted
    from ..readers import RowReader

ModelFile = Annotated[
    Path,
    typer.Argument(help="Model file written by `kernelstream train`; none with --url.", show_default=False),
]
Data = Annotated[list[str] | None, typer.Argument(help=DATA_HELP, show_default=False)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write. (default: standard output)", show_default=False)
]
Proba = Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")]
Scores = Annotated[bool, typer.Option("--scores", help="Add the decision scores.")]
Interval = Annotated[
    float | None,
    typer.Option(metavar="COVERAGE", show_default=False,
                 help="Add the ends of an interval that contains the target with this probability, e.g. 0.9; for "
                 "regression."),
]  # fmt: skip
Keep = Annotated[
    str | None,
    typer.Option(show_default=False,
                 help="Columns of the data to copy to the output, as they are, before the prediction, e.g. id,date."),
]  # fmt: skip
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
    data: Data = None,
    output: Output = None,
    to: Form = None,
    proba: Proba = False,
    scores: Scores = False,
    interval: Interval = None,
    keep: Keep = None,
    escape_formulas: EscapeFormulas = False,
    url: Url = None,
    skip_bad: SkipBad = False,
    reading: Any = None,
) -> None:
    """Predict rows of files or a pipe: one line of output per row, in order, as soon as the row is there.

    Columns are matched by name, and the target may be absent. --keep copies any columns of the data, also those that
    the model does not use. With --skip-bad the output has the line number of each row. A file named by -o is written
    when all rows are predicted; until then an earlier file of that name stays.

    Labels are written as the model learned them. If they come from people you do not know and a spreadsheet will open
    the file, use --escape-formulas: a label such as =HYPERLINK(…) would be computed there.

    **Examples**

    `kernelstream predict income.ks new.csv -o predictions.csv --keep id,date`

    `tail -f log.jsonl | kernelstream predict clicks.ks - --to jsonl --proba`

    `kernelstream predict --url http://127.0.0.1:8080/models/clicks new.csv`
    """
    with exit_on_error():
        form = to or ("jsonl" if output is not None and output.suffix in (".jsonl", ".ndjson", ".json") else "csv")
        if form not in ("csv", "jsonl"):
            raise UsageError(f"--to is {form!r}; use csv or jsonl.")
        if proba + scores + (interval is not None) > 1:
            raise UsageError("Use only one of --proba, --scores and --interval.")
        if interval is not None and not 0.0 < interval < 1.0:
            raise UsageError(f"--interval is {interval:g}; it must be between 0 and 1, e.g. 0.9.")
        if escape_formulas and form != "csv":
            raise UsageError("--escape-formulas is for CSV; JSON has no formulas.")
        if url is not None:
            if scores or interval is not None:
                raise UsageError("A server gives predictions and probabilities; --scores and --interval need a file.")
            predict_by_server(
                url, [str(model), *(data or [])], output, form, proba=proba, keep=commas(keep), escape=escape_formulas,
                skip_bad=skip_bad, reading=reading,
            )  # fmt: skip
            return
        if not data:
            raise UsageError("Name the data to predict: files, patterns, folders, or - for standard input.")
        check_inputs(model, data)
        from ..pipeline import StreamPipeline
        from ..pipeline.prediction import check_method, open_rows, predictions
        from ..pipeline.unseen_categories import UnseenCategories
        from ..readers.source_names import local_files

        trained = StreamPipeline.load(model)
        method = "predict_proba" if proba else "decision_function" if scores else None
        method = method if interval is None else "predict_interval"
        check_method(trained, method)
        read: list[str | Path] = [model, *local_files(data)]
        check_outputs({"-o": output}, read, streams=True)
        if output is None:
            check_standard_output(read)
        kept, unseen = commas(keep), UnseenCategories(trained.intake.preparation)
        predicted, titles = _predicted(trained), _titles(trained, method)
        rows = open_rows(trained, data, reading | {"keep": kept}, target=False, skip_bad=skip_bad)
        places = (["file"] if len(rows.stream.names) > 1 else []) + ["line"] if skip_bad else []
        _check_titles(kept, [*places, *predicted, *titles])
        try:
            with text_output(output) as file:
                if form == "csv":
                    columns = [*places, *kept, *predicted, *titles]
                    write = _csv(file, columns, skip_bad, rows, without_formula if escape_formulas else None)
                else:
                    write = _jsonl(file, kept, predicted, titles, skip_bad, rows)
                arguments = () if interval is None else (interval,)
                for found in predictions(trained, rows, method, *arguments, unseen=unseen):
                    _check_kept(found, kept)
                    write(found)
                    file.flush()
                write(None)
        finally:  # a pipe is often ended by Ctrl-C
            print_skipped(rows.policy.count, rows.policy.first)
            print_notes(unseen.sentences(), [])


def _check_titles(kept: tuple[str, ...], others: list[str]) -> None:
    for i, name in enumerate(kept):
        if name in others:
            raise UsageError(f"--keep {name}: the output has a column of that name already. Rename it in the data.")
        if name in kept[:i]:
            raise UsageError(f"--keep names {name!r} twice.")


def _check_kept(found: "Predicted", kept: tuple[str, ...]) -> None:
    if len(found.block.kept) != len(kept):
        raise ValueError("--keep needs columns with names or positions, and the format of this data has none.")


def _predicted(trained: "StreamPipeline") -> list[str]:
    """Titles of the columns of predictions: one for each target."""
    targets = trained.targets
    return ["prediction"] if len(targets) == 1 else [f"prediction_{name}" for name in targets]


def _titles(trained: "StreamPipeline", method: str | None) -> list[str]:
    """Titles of the columns after the predictions."""
    classes = trained.intake.target.as_dict().get("classes", [])
    if method == "predict_proba":
        return [f"probability_{label}" for label in classes]
    if method == "predict_interval":
        targets = trained.targets
        ends = ["lower", "upper"]
        return ends if len(targets) == 1 else [f"{end}_{name}" for name in targets for end in ends]
    if method is None:
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
    writer, missing = csv.writer(file, lineterminator="\n"), [titles]

    def write(found: "Predicted | None") -> None:
        while missing:  # after the first rows are read, so that nothing is written if they cannot be
            writer.writerow(missing.pop())
        if found is None:
            return
        kept = [column.tolist() for column in found.block.kept]
        columns = [*kept, *_columns(found), *([] if found.scores is None else found.scores.T.tolist())]
        lines: Any = zip(*columns, strict=True)
        if located:
            lines = ((*where.values(), *line) for where, line in zip(_where(found, rows), lines, strict=True))
        writer.writerows(lines if escape is None else (map(escape, line) for line in lines))

    return write


def _columns(found: "Predicted") -> list[list[Any]]:
    """The predictions of each target."""
    labels = found.labels
    return [labels.tolist()] if labels.ndim == 1 else labels.T.tolist()


def _jsonl(
    file: TextIO, kept: tuple[str, ...], predicted: list[str], titles: list[str], located: bool, rows: "RowReader"
) -> Any:
    from ..readers.kept_columns import JsonText

    def text(value: Any) -> str:
        return value if isinstance(value, JsonText) else json_text(value)

    def write(found: "Predicted | None") -> None:
        if found is None:
            return
        scores = [()] * len(found.labels) if found.scores is None else found.scores.tolist()
        places = _where(found, rows) if located else ({} for _ in scores)
        copies = zip(*(column.tolist() for column in found.block.kept), strict=True) if kept else (() for _ in scores)
        labels = zip(*_columns(found), strict=True)
        for where, copied, label, values in zip(places, copies, labels, scores, strict=True):
            line = where | dict(zip(kept, copied, strict=True)) | dict(zip(predicted, label, strict=True))
            line |= dict(zip(titles, values, strict=True))
            file.write("{" + ", ".join(f"{json_text(name)}: {text(value)}" for name, value in line.items()) + "}\n")

    return write
