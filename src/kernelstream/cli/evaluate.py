"""`kernelstream evaluate`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from . import model_options as options
from .exit_status import exit_on_error
from .input_files import check_inputs
from .input_options import COMMON, Data, Limit, SkipBad, reads
from .output_files import check_outputs
from .plots import check_plot, plot_confusion, plot_learning_curve, plot_predictions
from .predict import ModelFile
from .printable import printable
from .terminal import METRICS, out, print_json, print_notes, print_skipped, score, training_progress

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline
    from ..pipeline.unseen_categories import UnseenCategories
    from ..readers import RowReader

Progressive = Annotated[
    bool, typer.Option("--progressive", help="Test, then train on each batch. The model file is not changed.")
]


@reads(COMMON)
def evaluate(
    model: ModelFile,
    data: Data,
    progressive: Progressive = False,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    plot: options.Plot = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    reading: Any = None,
) -> None:
    """Evaluate a model on labelled rows: accuracy, recall and precision, or regression errors.

    **Examples**

    `kernelstream evaluate income.ks test.csv --plot confusion.png`

    `kernelstream evaluate income.ks next-month.csv --progressive --plot curve.png`
    """
    with exit_on_error(json):
        check_plot(plot)
        check_inputs(model, data)
        from ..pipeline import StreamPipeline
        from ..pipeline.prediction import open_rows
        from ..readers.source_names import local_files

        trained = StreamPipeline.load(model)
        check_outputs({"--plot": plot}, [model, *local_files(data)])
        rows = open_rows(trained, data, reading, target=True, skip_bad=skip_bad)
        found = (_test_then_train if progressive else _test)(trained, rows, limit, plot, quiet)
        unseen: UnseenCategories | None = found.pop("unseen", None)
        found |= {"skipped": rows.policy.count, "first_skipped": rows.policy.first}
        rows.close()
        if json:
            print_json({"model": str(model), **found} | ({} if unseen is None else {"unseen": unseen.as_dict()}))
        else:
            _print(found)
            print_notes(unseen.sentences() if unseen is not None else [], [])


def _test(
    trained: "StreamPipeline", rows: "RowReader", limit: int | None, plot: str | None, quiet: bool
) -> dict[str, Any]:
    from ..evaluate import ClassificationScores
    from ..pipeline.prediction import evaluated
    from ..pipeline.unseen_categories import UnseenCategories

    unseen = UnseenCategories(trained.intake.preparation)
    scores = evaluated(trained, rows, limit, unseen)
    found = scores.report()
    if found["rows"] == 0:
        raise ValueError("There are no rows to evaluate the model on.")
    if plot is not None:
        if isinstance(scores, ClassificationScores):
            plot_confusion(scores.matrix, scores.classes.tolist(), plot)
        else:
            plot_predictions(scores.kept, scores.targets, plot)
    return found | {"unseen": unseen}


def _test_then_train(
    trained: "StreamPipeline", rows: "RowReader", limit: int | None, plot: str | None, quiet: bool
) -> dict[str, Any]:
    from ..pipeline.curve import Curve
    from ..pipeline.training import TrainingProgress, batch_size

    curve = trained.curve = Curve(trained.curve.metric)
    taken = 0
    with training_progress(curve.metric, 1, quiet=quiet) as show:
        while limit is None or taken < limit:
            count = batch_size(taken)
            block = rows.take(count if limit is None else min(count, limit - taken))
            if block is None:
                break
            taken += len(block)
            trained.learn_block(block, rows.refuse, test=True)
            now = curve.now
            scores, sizes = (curve.score, curve.window, curve.window_rows), (now.support, now.nbytes)
            show(TrainingProgress(now.examples, 0, rows.fraction, *scores, *sizes, rows.policy.count))
    if curve.now.tested == 0:
        raise ValueError("There are no rows to evaluate the model on.")
    if plot is not None:
        plot_learning_curve({"": curve.progress()}, plot)
    return {
        "rows": curve.now.tested,
        curve.metric: curve.score,
        f"recent_{curve.metric}": curve.window,
        "recent_rows": curve.window_rows,
        "progressive": True,
    }


def _print(found: dict[str, Any]) -> None:
    console = out()
    table = Table.grid(padding=(0, 2))
    table.add_row("rows", f"{found['rows']:,}")
    names = METRICS | {"balanced_accuracy": "balanced accuracy", "mae": "MAE", "r2": "R²"}
    if found.get("progressive"):
        names |= {f"recent_{key}": f"{name}, last {found['recent_rows']:,} rows" for key, name in METRICS.items()}
    for key, name in names.items():
        if found.get(key) is not None:
            table.add_row(name, score(found[key], "accuracy" if key.endswith("accuracy") else "rmse"))
    console.print(table)
    if "classes" in found:
        console.print()
        console.print(_per_class(found["classes"]))
    if "targets" in found:
        console.print()
        console.print(_per_target(found["targets"]))
    print_skipped(found["skipped"], found["first_skipped"])


def _per_target(targets: list[dict[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("target")
    for column in ("RMSE", "MAE", "R²"):
        table.add_column(column, justify="right")
    for entry in targets:
        errors = ["" if entry[key] is None else score(entry[key], "rmse") for key in ("rmse", "mae", "r2")]
        table.add_row(printable(entry["target"]), *errors)
    return table


def _per_class(classes: list[dict[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("class")
    for column in ("rows", "recall", "precision"):
        table.add_column(column, justify="right")
    for entry in classes:
        shares = [score(entry[key], "accuracy") for key in ("recall", "precision")]
        table.add_row(printable(str(entry["class"])), f"{entry['rows']:,}", *shares)
    return table
