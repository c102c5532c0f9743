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
from .terminal import ShowProgress, err, print_notes, print_warning, training_progress
from .train_summary import print_summary, summary

if TYPE_CHECKING:
    from ..pipeline import Training, TrainingProgress

_TRAINING = "Training"
_LOOK = 50_000  # rows of a pipe between two looks at the order of its labels
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
Seconds = Annotated[
    float,
    option("--checkpoint-seconds", metavar="S", help="Save every S seconds; 0: only by rows.", panel=_TRAINING,
           show_default=True),
]  # fmt: skip
Shuffle = Annotated[
    bool | None,
    option("--shuffle/--in-order", panel=_TRAINING,
           help="Learn rows in random order, or as they come. (default: files are shuffled, pipes "
           "are not)"),
]  # fmt: skip
ShuffleMemory = Annotated[
    str | None,
    option("--shuffle-memory", metavar="SIZE", panel=_TRAINING,
           help="Memory for rows that are shuffled; larger files are read several times. The model is the same. "
           "(default: a quarter of the machine's, at most 2 GiB)"),
]  # fmt: skip
Fit = Annotated[
    bool | None,
    option("--fit/--stream", panel=_TRAINING,
           help="Fit all rows together, which is more accurate, or learn them one after the other, as from a pipe. "
           "(default: --fit for shuffled rows in memory, if no option describes the model and there is no --plot)"),
]  # fmt: skip
Holdout = Annotated[
    float | None,
    option("--holdout", metavar="SHARE", panel=_TRAINING,
           help="Share of the rows, at most 10,000, that the model is judged by at the end; they are learned "
           "after that. (default: 0.1 if rows are shuffled)"),
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
    shuffle: Shuffle = None,
    shuffle_memory: ShuffleMemory = None,
    fit: Fit = None,
    holdout: Holdout = None,
    checkpoint_every: Every = 1_000_000,
    checkpoint_seconds: Seconds = 10.0,
    resume: Resume = None,
    new_data: New = False,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    plot: options.Plot = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    reading: Any = None,
) -> None:
    """Train a model on files or a pipe, within a memory budget.

    The first rows determine scaling and categories. All of this is saved with the model, which therefore takes raw
    rows. Rows that fit in memory are fitted together (--fit); more of them, and those of a pipe, are learned one after
    the other, each predicted before it is learned, so that the accuracy shown is that on unseen rows (--stream).

    Files are shuffled, so that sorted ones are learned too, and a tenth of the rows is held out until the end to judge
    the model. Pipes are learned in order, and so are files with --in-order, which suits data that drifts.

    Ctrl-C saves the model; --resume continues a stream exactly where the run stopped, also after a crash. It reads what
    was learned once more, without learning it, and stops if the data has changed since. A fit begins again.

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
            hashed=hashed, classes=classes, scan=scan, first=first, seed=seed, reading=reading, shuffle=shuffle,
            holdout=holdout, fit=False if plot is not None and fit is None and resume is None else fit,
        )  # fmt: skip
        memory = _memory(shuffle_memory)
        passes = {name: value for name, value in (("limit", limit), ("epochs", epochs)) if value is not None}
        path = output or resume or MODEL
        if resume is None:
            training = _start(data, path, plot, given | passes, force, new_data, skip_bad, memory)
        else:
            training = _resume(resume, data, path, plot, given, passes, new_data, skip_bad, memory)
        _run(training, path, (checkpoint_every, checkpoint_seconds), plot, json, quiet)


def _memory(text: str | None) -> int | None:
    if text is None:
        return None
    from ..budgets.memory import bytes_in

    found = bytes_in(text)
    if not found:
        raise UsageError(f"--shuffle-memory {text}: it must be a size such as '512 MiB'.")
    return found


def _start(
    data: list[str] | None,
    path: Path,
    plot: str | None,
    given: dict[str, Any],
    force: bool,
    new: bool,
    skip_bad: bool,
    memory: int | None,
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
    return Training.start(data, settings, skip_bad=skip_bad, memory=memory, guess_task="task" not in given)


def _resume(
    model: Path,
    data: list[str] | None,
    path: Path,
    plot: str | None,
    given: dict[str, Any],
    passes: dict[str, Any],
    new: bool,
    skip_bad: bool,
    memory: int | None,
) -> "Training":
    query = given["reading"].query if given.get("reading") else None
    if query is not None and given["reading"]._replace(query=None) == type(given["reading"])():
        del given["reading"]  # a model file has no query, so that of the first command is given again
    if new:  # other data may have another order
        passes = passes | {name: given.pop(name) for name in ("shuffle", "holdout") if name in given}
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
    return Training.resume(trained, data or (), new=new, skip_bad=skip_bad, memory=memory)


def _run(
    training: "Training", path: Path, checkpoints: tuple[int, float], plot: str | None, json: bool, quiet: bool
) -> None:
    from ..pipeline import run

    begun, before = time.perf_counter(), training.pipeline.curve.now.examples if training.pipeline else 0
    metric = "rmse" if training.settings.task == "regression" else "accuracy"
    with training_progress(metric, training.settings.epochs, quiet=quiet) as show:
        watch = _warning_once(training, _noted(training, show, quiet))
        outcome = run(training, path, checkpoints[0], watch, checkpoints[1])
        if outcome.signal == getattr(signal, "SIGHUP", None):
            leave_terminal()
    seconds = time.perf_counter() - begun
    if not outcome.saved:
        fail("Stopped before the first rows were learned; nothing is saved.", 128 + (outcome.signal or 2), as_json=json)
    assert training.pipeline is not None
    if plot is not None:
        plot_learning_curve({"": training.pipeline.curve.progress()}, plot)
    found = summary(training, path, before, seconds)
    print_summary(found, json)
    for text in found["warnings"]:
        print_warning(text)
    if found["examples_this_run"] == 0 and outcome.error is None and outcome.signal is None:
        err().print("No rows left to learn: the run had finished. Use --new-data to continue with other data.")
    if outcome.error is not None and outcome.signal is None:
        kept = f"The model of the {found['examples']:,} rows before that is saved in {path}; --resume continues it."
        fail(f"{message_of(outcome.error)} {kept}", BAD_DATA, as_json=json)
    if outcome.signal is not None:
        name = printable(str(path))
        err().print(f"Stopped. The model is saved in {name}; continue with: kernelstream train --resume {name}")
        raise typer.Exit(128 + outcome.signal)


def _noted(training: "Training", show: ShowProgress, quiet: bool) -> ShowProgress:
    """Shows what is done with the columns, as soon as it is decided, and then the progress."""
    told = training.pipeline is not None

    def noted(news: "TrainingProgress") -> None:
        nonlocal told
        if not told and training.pipeline is not None:
            told = True
            intake = training.pipeline.intake
            print_notes([] if quiet else intake.notes, intake.warnings)
        show(news)

    return noted


def _warning_once(training: "Training", show: ShowProgress) -> ShowProgress:
    """Show progress and, when a pipe turns out to be sorted, warn at once: it may go on for long."""
    from ..pipeline.order_warning import shift_warning

    due = 0 if training.stream.repeatable else _LOOK

    def watch(news: "TrainingProgress") -> None:
        nonlocal due
        show(news)
        if due and news.examples >= due and training.pipeline is not None:
            text, due = shift_warning(training.pipeline), news.examples + _LOOK
            if text is not None:
                print_warning(text)
                due = 0

    return watch
