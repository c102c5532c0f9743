"""`kernelstream evaluate`."""

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from . import choices, pictures
from .endings import endings
from .predict import ModelFile
from .reading import COMMON, Data, SkipBad, reads
from .screen import err, learning, out, score

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline
    from ..readers import Rows

Progressive = Annotated[
    bool, typer.Option("--progressive", help="Test, then train on each batch; the file stays as it is.")
]


@reads(COMMON)
def evaluate(
    model: ModelFile,
    data: Data,
    progressive: Progressive = False,
    limit: choices.Limit = None,
    skip_bad: SkipBad = False,
    plot: choices.Plot = None,
    json: choices.Json = False,
    quiet: choices.Quiet = False,
    reading: Any = None,
) -> None:
    """Measure a model on rows whose targets are known.

    **Examples**

    `kernelstream evaluate income.ks test.csv --plot confusion.png`

    `kernelstream evaluate income.ks next-month.csv --progressive --plot curve.png`
    """
    with endings(json):
        pictures.can_draw(plot)
        from ..pipeline import StreamPipeline
        from ..pipeline.prediction import open_rows

        trained = StreamPipeline.load(model)
        rows = open_rows(trained, data, reading, target=True, skip_bad=skip_bad)
        found = (_learning if progressive else _testing)(trained, rows, limit, plot, quiet)
        found |= {"skipped": rows.policy.count, "first_skipped": rows.policy.first}
        rows.close()
        if json:
            print(json_module.dumps({"model": str(model), **found}, ensure_ascii=False))
        else:
            _tell(found)


def _testing(
    trained: "StreamPipeline", rows: "Rows", limit: int | None, plot: str | None, quiet: bool
) -> dict[str, Any]:
    from ..evaluate import ClassificationScores
    from ..pipeline.prediction import PORTION, scores_for

    scores, left = scores_for(trained), limit
    while left != 0 and (block := rows.take(PORTION if left is None else min(left, PORTION))) is not None:
        left = None if left is None else left - len(block)
        block, X, y = trained.intake.usable(block, rows.refuse, learn=False)
        if len(block):
            scores.add(y, trained.estimator.predict(X))
    found = scores.report()
    if found["rows"] == 0:
        raise ValueError("There are no rows to measure the model on.")
    if plot is not None:
        if isinstance(scores, ClassificationScores):
            pictures.confusion(scores.matrix, scores.classes.tolist(), plot)
        else:
            pictures.scatter(scores.kept, plot)
    return found


def _learning(
    trained: "StreamPipeline", rows: "Rows", limit: int | None, plot: str | None, quiet: bool
) -> dict[str, Any]:
    from ..pipeline.curve import Curve
    from ..pipeline.training import TrainingProgress, batch_size

    curve = trained.curve = Curve(trained.curve.metric)
    taken = 0
    with learning(curve.metric, 1, quiet=quiet) as show:
        while limit is None or taken < limit:
            count = batch_size(taken)
            block = rows.take(count if limit is None else min(count, limit - taken))
            if block is None:
                break
            taken += len(block)
            trained.learn(block, rows.refuse, test=True)
            now = curve.now
            sizes = now.support, now.nbytes, rows.policy.count
            show(TrainingProgress(now.examples, 0, rows.share, curve.score, curve.window, *sizes))
    if curve.now.tested == 0:
        raise ValueError("There are no rows to measure the model on.")
    if plot is not None:
        pictures.learning_curve({"": curve.progress()}, plot)
    return {"rows": curve.now.tested, curve.metric: curve.score, "lately": curve.window, "progressive": True}


def _tell(found: dict[str, Any]) -> None:
    console = out()
    table = Table.grid(padding=(0, 2))
    table.add_row("rows", f"{found['rows']:,}")
    words = {"accuracy": "right", "balanced_accuracy": "right, mean of classes", "mae": "mean absolute error"}
    words |= {"rmse": "root mean squared error", "r2": "variance explained", "lately": "lately"}
    metric = "accuracy" if "accuracy" in found else "rmse"
    for key, name in words.items():
        if found.get(key) is not None:
            share = key in ("accuracy", "balanced_accuracy", "r2") or (key == "lately" and metric == "accuracy")
            table.add_row(name, score(found[key], "accuracy" if share else "rmse"))
    console.print(table)
    if "classes" in found:
        console.print(_per_class(found["classes"]))
    if found["skipped"]:
        err().print(f"Skipped {found['skipped']:,} bad lines, for instance\n" + "\n".join(found["first_skipped"]))


def _per_class(classes: list[dict[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("class")
    for column in ("rows", "found", "right when said"):
        table.add_column(column, justify="right")
    for entry in classes:
        shares = [float("nan") if entry[key] is None else entry[key] for key in ("recall", "precision")]
        table.add_row(str(entry["class"]), f"{entry['rows']:,}", *(score(share, "accuracy") for share in shares))
    return table
