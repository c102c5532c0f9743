"""`kernelstream train`."""

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import choices
from .choices import option
from .endings import BAD_DATA, WrongCommand, endings, fail, sentence
from .pictures import can_draw, learning_curve
from .reading import COLUMNS, COMMON, SkipBad, reads
from .screen import err, learning
from .summary import summary, tell

if TYPE_CHECKING:
    from ..pipeline import Training

_RUN = "The run"
MODEL = Path("model.ks")
Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DATA", help="Files, patterns or folders, in order; - is standard input.", show_default=False
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="The model file.  (default: model.ks)", show_default=False),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a model file that is there.")]
Algorithm = Annotated[
    str | None,
    option("--algorithm", "-a", help="A recipe; `kernelstream recipes` lists them.", autocompletion=choices.names),
]
Epochs = Annotated[int | None, option("--epochs", help="Passes over the data.  (default: 1)", panel=_RUN)]
Every = Annotated[
    int,
    option("--checkpoint-every", help="Save after so many rows; 0: at the end only.", panel=_RUN, show_default=True),
]
Resume = Annotated[
    Path | None, option("--resume", help="Go on with this model, exactly where its run was interrupted.", panel=_RUN)
]
New = Annotated[
    bool, option("--new-data", help="With --resume: DATA is new, and learned from its first row.", panel=_RUN)
]


@reads(COLUMNS | COMMON)
def train(
    data: Sources = None,
    output: Output = None,
    force: Force = False,
    algorithm: Algorithm = None,
    budget: choices.Budget = None,
    gamma: choices.Gamma = None,
    lam: choices.Lam = None,
    loss: choices.Loss = None,
    kernel: choices.Kernel = None,
    own: choices.Own = None,
    task: choices.Task = None,
    scale: choices.Scale = None,
    missing: choices.Missing = None,
    hashed: choices.Hash = None,
    classes: choices.Classes = None,
    scan: choices.Scan = None,
    first: choices.First = None,
    seed: choices.Seed = None,
    limit: choices.Limit = None,
    epochs: Epochs = None,
    checkpoint_every: Every = 1_000_000,
    resume: Resume = None,
    new_data: New = False,
    skip_bad: SkipBad = False,
    plot: choices.Plot = None,
    json: choices.Json = False,
    quiet: choices.Quiet = False,
    reading: Any = None,
) -> None:
    """Learn a model from files or a pipe, in one pass and bounded memory.

    The first rows decide the scale of numbers, the columns of words and the classes; all of it is saved with the
    model, which therefore takes raw rows. Every row is predicted before it is learned: the accuracy shown is honest.

    Ctrl-C saves what was learned; --resume goes on as if nothing had happened, also after a crash.

    **Examples**

    `kernelstream train adult.csv --target income --budget 500 -o income.ks`

    `kernelstream train 'part-*.parquet' -t price --task regression --missing mean --plot curve.png`

    `cat covtype.bz2 | kernelstream train - -a bsgd -b 500 --lam 1e-5 --set maintenance=project`

    `kernelstream train --resume income.ks`   after an interruption
    """
    with endings(json):
        can_draw(plot)
        given = choices.settings(
            algorithm=algorithm, parameters=choices.parameters(budget, gamma, lam, loss, kernel, own), task=task,
            scale=scale, missing=missing, hashed=hashed, classes=classes, scan=scan, first=first, seed=seed,
            reading=reading,
        )  # fmt: skip
        passes = {name: value for name, value in (("limit", limit), ("epochs", epochs)) if value is not None}
        path = output or resume or MODEL
        if resume is None:
            training = _start(data, path, given | passes, force, new_data, skip_bad)
        else:
            training = _resume(resume, data, given, passes, new_data, skip_bad)
        _run(training, path, checkpoint_every, plot, json, quiet)


def _start(
    data: list[str] | None, path: Path, given: dict[str, Any], force: bool, new: bool, skip_bad: bool
) -> "Training":
    if new:
        raise WrongCommand("--new-data goes with --resume, which names the model that learns on.")
    if not data:
        raise WrongCommand("Name the data to learn from: files, patterns, folders, or - for standard input.")
    if path.exists() and not force:
        raise WrongCommand(f"{path} is there already. Name another with -o, replace it with --force, or --resume it.")
    if not path.absolute().parent.is_dir():
        raise WrongCommand(f"{path} cannot be written: there is no folder {path.absolute().parent}.")
    settings = choices.checked(given)
    from ..pipeline import Training

    return Training.start(data, settings, skip_bad=skip_bad)


def _resume(
    path: Path, data: list[str] | None, given: dict[str, Any], passes: dict[str, Any], new: bool, skip_bad: bool
) -> "Training":
    if given:
        raise WrongCommand(
            f"{choices.said(given)} cannot be changed now: --resume goes on with the settings of {path}."
        )
    if new and not data:
        raise WrongCommand("--new-data needs the data to go on with.")
    from ..pipeline import StreamPipeline, Training

    trained = StreamPipeline.load(path)
    trained.settings = replace(trained.settings, **passes)
    return Training.resume(trained, data or (), new=new, skip_bad=skip_bad)


def _run(training: "Training", path: Path, every: int, plot: str | None, json: bool, quiet: bool) -> None:
    from ..pipeline import run

    begun, before = time.perf_counter(), training.pipeline.curve.now.examples if training.pipeline else 0
    metric = "rmse" if training.settings.task == "regression" else "accuracy"
    with learning(metric, training.settings.epochs, quiet=quiet) as show:
        outcome = run(training, path, every, show)
    seconds = time.perf_counter() - begun
    if not outcome.saved:
        fail("Stopped before anything was learned, so nothing is saved.", 128 + (outcome.signal or 2), as_json=json)
    assert training.pipeline is not None
    if plot is not None:
        learning_curve({"": training.pipeline.curve.progress()}, plot)
    found = summary(training.pipeline, path, before, seconds)
    tell(found, json)
    if found["examples_this_run"] == 0 and outcome.error is None:
        err().print("There was nothing left to learn: all rows had been taken. --new-data learns from other data.")
    if outcome.error is not None:
        kept = f"What was learned until then, {found['examples']:,} rows, is in {path}; --resume goes on."
        fail(f"{sentence(outcome.error)} {kept}", BAD_DATA, as_json=json)
    if outcome.signal is not None:
        err().print(f"Stopped. What was learned is in {path}; go on with: kernelstream train --resume {path}")
        raise typer.Exit(128 + outcome.signal)
