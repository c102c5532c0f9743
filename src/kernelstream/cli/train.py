"""`kernelstream train`."""

import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import model_options as options
from .exit_status import BAD_DATA, UsageError, exit_on_error, fail, leave_terminal, message_of
from .input_files import check_inputs
from .input_options import COLUMNS, COMMON, DATA_HELP, Limit, SkipBad, reads
from .model_options import option
from .output_files import check_outputs
from .plots import check_plot, plot_learning_curve
from .printable import printable
from .recipe_table import check_recipe
from .terminal import (
    METRICS,
    aligned,
    deployed_form,
    err,
    out,
    print_json,
    recent_score,
    shortened,
    size,
    training_progress,
)

if TYPE_CHECKING:
    from ..pipeline import StreamPipeline, Training

_TRAINING = "Training"
MODEL = Path("model.ks")
Sources = Annotated[list[str] | None, typer.Argument(metavar="DATA", help=DATA_HELP, show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Model file to write. (default: model.ks)", show_default=False),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing model file.")]
Epochs = Annotated[int | None, option("--epochs", help="Passes over the data. (default: 1)", panel=_TRAINING)]
Every = Annotated[
    int,
    option("--checkpoint-every", metavar="N", help="Save after every N rows; 0: only at the end.", panel=_TRAINING,
           show_default=True),
]  # fmt: skip
Resume = Annotated[
    Path | None, option("--resume", help="Continue this model exactly where its run stopped.", panel=_TRAINING)
]
New = Annotated[bool, option("--new-data", help="With --resume: DATA is new, start at its first row.", panel=_TRAINING)]


@reads(COLUMNS | COMMON)
def train(
    data: Sources = None,
    output: Output = None,
    force: Force = False,
    algorithm: options.Algorithm = None,
    budget: options.Budget = None,
    deploy_size: options.DeploySize = None,
    gamma: options.Gamma = None,
    lam: options.Lam = None,
    half_life: options.HalfLife = None,
    adapt: options.Adapt = None,
    loss: options.Loss = None,
    kernel: options.Kernel = None,
    own: options.Own = None,
    task: options.Task = None,
    class_weight: options.ClassWeight = None,
    seed: options.Seed = None,
    scale: options.Scale = None,
    missing: options.Missing = None,
    hashed: options.Hash = None,
    classes: options.Classes = None,
    scan: options.Scan = None,
    first: options.First = None,
    epochs: Epochs = None,
    checkpoint_every: Every = 1_000_000,
    resume: Resume = None,
    new_data: New = False,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    plot: options.Plot = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    reading: Any = None,
) -> None:
    """Train a model on files or a pipe, in one pass and within a memory budget.

    The first rows determine scaling, categories and classes. All of this is saved with the model, which therefore
    takes raw rows. Every row is predicted before it is learned, so the accuracy shown is that on unseen rows.

    Ctrl-C saves the model; --resume continues exactly where the run stopped, also after a crash. It reads what was
    learned once more, without learning it, and stops if the data has changed since.

    **Examples**

    `kernelstream train adult.csv --target income --budget 500 -o income.ks`

    `kernelstream train 'part-*.parquet' -t price --task regression --missing mean --plot curve.png`

    `cat covtype.bz2 | kernelstream train - -a bsgd -b 500 --lam 1e-5 --set maintenance=project`

    `kernelstream train --resume income.ks`   after an interruption
    """
    with exit_on_error(json):
        check_plot(plot)
        if algorithm is not None:
            check_recipe(algorithm)
        given = options.settings(
            algorithm=algorithm, parameters=options.parameters(budget, gamma, lam, loss, kernel, own, half_life),
            deploy=deploy_size, adapt=adapt, class_weight=class_weight, task=task, scale=scale, missing=missing,
            hashed=hashed, classes=classes, scan=scan, first=first, seed=seed, reading=reading,
        )  # fmt: skip
        passes = {name: value for name, value in (("limit", limit), ("epochs", epochs)) if value is not None}
        path = output or resume or MODEL
        if resume is None:
            training = _start(data, path, plot, given | passes, force, new_data, skip_bad)
        else:
            training = _resume(resume, data, path, plot, given, passes, new_data, skip_bad)
        _run(training, path, checkpoint_every, plot, json, quiet)


def _start(
    data: list[str] | None,
    path: Path,
    plot: str | None,
    given: dict[str, Any],
    force: bool,
    new: bool,
    skip_bad: bool,
) -> "Training":
    if new:
        raise UsageError("--new-data needs --resume MODEL.")
    if not data:
        raise UsageError("No data. Name files, patterns or folders, or - for standard input.")
    if path.exists() and not force:
        raise UsageError(
            f"{path} already exists. Name another file with -o, overwrite it with --force, or continue it with "
            "--resume."
        )
    check_outputs({"-o": path, "--plot": plot})
    check_inputs(None, data)
    settings = options.checked(given)
    from ..pipeline import Training
    from ..readers.source_names import local_files

    check_outputs({"-o": path, "--plot": plot}, local_files(data))
    return Training.start(data, settings, skip_bad=skip_bad)


def _resume(
    model: Path,
    data: list[str] | None,
    path: Path,
    plot: str | None,
    given: dict[str, Any],
    passes: dict[str, Any],
    new: bool,
    skip_bad: bool,
) -> "Training":
    query = given["reading"].query if given.get("reading") else None
    if query is not None and given["reading"]._replace(query=None) == type(given["reading"])():
        del given["reading"]  # a model file has no query, so that of the first command is given again
    if given:
        names = options.option_names(given)
        raise UsageError(f"{names} cannot be changed now: --resume continues with the settings of {model}.")
    if new and not data:
        raise UsageError("--new-data needs the data to continue with.")
    check_inputs(model, data or ())
    from ..pipeline import StreamPipeline, Training
    from ..readers.source_names import check_reopened, local_files

    trained = StreamPipeline.load(model)
    check_reopened(() if data else trained.position.sources)
    read = local_files(data or trained.position.sources)
    check_outputs({"-o": path, "--plot": plot}, read)
    check_outputs({"--plot": plot}, [model])  # which its continuation may replace, but no plot
    passes["reading"] = trained.settings.reading._replace(query=query)
    trained.settings = replace(trained.settings, **passes)
    return Training.resume(trained, data or (), new=new, skip_bad=skip_bad)


def _run(training: "Training", path: Path, every: int, plot: str | None, json: bool, quiet: bool) -> None:
    from ..pipeline import run

    begun, before = time.perf_counter(), training.pipeline.curve.now.examples if training.pipeline else 0
    metric = "rmse" if training.settings.task == "regression" else "accuracy"
    with training_progress(metric, training.settings.epochs, quiet=quiet) as show:
        outcome = run(training, path, every, show)
        if outcome.signal == getattr(signal, "SIGHUP", None):
            leave_terminal()
    seconds = time.perf_counter() - begun
    if not outcome.saved:
        fail("Stopped before the first rows were learned; nothing is saved.", 128 + (outcome.signal or 2), as_json=json)
    assert training.pipeline is not None
    if plot is not None:
        plot_learning_curve({"": training.pipeline.curve.progress()}, plot)
    found = summary(training.pipeline, path, before, seconds)
    _print(found, json)
    if found["examples_this_run"] == 0 and outcome.error is None and outcome.signal is None:
        err().print("No rows left to learn: the run had finished. Use --new-data to continue with other data.")
    if outcome.error is not None and outcome.signal is None:
        kept = f"The model of the {found['examples']:,} rows before that is saved in {path}; --resume continues it."
        fail(f"{message_of(outcome.error)} {kept}", BAD_DATA, as_json=json)
    if outcome.signal is not None:
        name = printable(str(path))
        err().print(f"Stopped. The model is saved in {name}; continue with: kernelstream train --resume {name}")
        raise typer.Exit(128 + outcome.signal)


def summary(trained: "StreamPipeline", path: Path, before: int, seconds: float) -> dict[str, Any]:
    """The result of a run, as JSON has it."""
    curve, position, preparation = trained.curve, trained.position, trained.intake.preparation
    learned, deployed = curve.now.examples - before, trained.estimator.deploy_
    return {
        "model": str(path),
        "finished": position.finished,
        "examples": curve.now.examples,
        "examples_this_run": learned,
        "features": preparation.width,
        "sparse": preparation.sparse,
        "classes": trained.intake.target.as_dict().get("classes"),
        "metric": curve.metric,
        "score": None if curve.score != curve.score else curve.score,
        "recent_score": None if curve.window != curve.window else curve.window,
        "recent_rows": curve.window_rows,
        "support_vectors": curve.now.support,
        "bytes": curve.now.nbytes,
        "deploy": None if deployed is None else deployed._asdict(),
        "seconds": seconds,
        "examples_per_second": learned / seconds if seconds > 0 else None,
        "skipped": position.bad,
        "first_skipped": position.first_bad or [],
        "cells_without_category": preparation.categories.unencoded,
    }


def _print(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    lines = {}
    what = "sparse features" if found["sparse"] else "features"
    labels = found["classes"]
    kinds = "" if labels is None else f", {len(labels)} classes ({shortened(labels)})"
    lines["trained on"] = f"{found['examples']:,} rows, {found['features']:,} {what}{kinds}"
    scores = recent_score(found["score"], found["recent_score"], found["recent_rows"], found["metric"])
    lines[METRICS[found["metric"]]] = f"{scores} (predicted before learning)"
    lines["model"] = (
        f"{found['support_vectors']:,} support vectors, {size(found['bytes'])}, saved in {printable(found['model'])}"
    )
    if found["deploy"] is not None:
        lines["deployed"] = deployed_form(found["deploy"])
    lines["time"] = f"{found['seconds']:.1f} s, {found['examples_per_second'] or 0:,.0f} rows/s"
    if found["cells_without_category"]:
        cells = f"{found['cells_without_category']:,} cells"
        lines["rare categories"] = f"{cells} have a category without a column: there are too many"
    if found["skipped"]:
        lines["skipped"] = f"{found['skipped']:,} bad lines, e.g."
    aligned(lines)
    for line in found["first_skipped"]:
        out().print(f"  {printable(line)}")
