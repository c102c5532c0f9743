"""`StreamPipeline.train`: from data and keywords to a trained pipeline, by the code of `kernelstream train`."""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ..readers import Options
from .checkpointing import run
from .raw_tables import as_table
from .raw_text import table_text
from .settings import Settings
from .stream_pipeline import StreamPipeline
from .training import Training, TrainingProgress

CHECKPOINT = 1_000_000  # rows, as for the command line
IN_MEMORY = "rows in memory"


def train_pipeline(
    data: Any, target: str | Sequence[str] | None, path: str | os.PathLike[str] | None, skip_bad: bool,
    watch: Callable[[TrainingProgress], None] | None, given: dict[str, Any],
) -> StreamPipeline:  # fmt: skip
    """See `StreamPipeline.train`."""
    if target is not None:
        given = given | {"target": tuple(target) if isinstance(target, (list, tuple)) else str(target)}
    settings, guess = settings_of(given), "task" not in given
    sources = as_sources(data)
    if sources is not None:
        return _trained(Training.start(sources, settings, skip_bad=skip_bad, guess_task=guess), path, watch)
    with tempfile.TemporaryDirectory(prefix="kernelstream-") as folder:
        file = Path(folder) / "rows.csv"
        with file.open("wb") as raw:
            raw.writelines(table_text(as_table(data)))
        plain = settings.reading._replace(format="csv", delimiter=",", header=True, quotes=True, encoding="utf-8")
        try:
            training = Training.start(
                [str(file)], replace(settings, reading=plain), skip_bad=skip_bad, guess_task=guess
            )
            pipeline = _trained(training, None, watch)
        except ValueError as error:
            raise ValueError(str(error).replace(str(file), IN_MEMORY)) from None
    pipeline.settings = replace(settings, task=training.settings.task)
    pipeline.position = replace(pipeline.position, sources=[IN_MEMORY], sizes=[0], digest=None)
    if path is not None:
        pipeline.save(path)
    return pipeline


def _trained(
    training: Training, path: str | os.PathLike[str] | None, watch: Callable[[TrainingProgress], None] | None
) -> StreamPipeline:
    result = run(training, path, CHECKPOINT, (lambda progress: None) if watch is None else watch)
    if result.error is not None:
        raise result.error
    if result.signal is not None:
        raise KeyboardInterrupt
    assert training.pipeline is not None
    return training.pipeline


def as_sources(data: Any) -> list[str] | None:
    """The names of files, or None if the data is no name and no list of names.

    >>> as_sources("a.csv"), as_sources(["a.csv", Path("b.csv")]), as_sources([{"x": 1}])
    (['a.csv'], ['a.csv', 'b.csv'], None)
    """
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, Sequence) and data and all(isinstance(name, (str, os.PathLike)) for name in data):
        return [os.fspath(name) for name in data]
    return None


def settings_of(given: dict[str, Any]) -> Settings:
    """Settings from keywords: fields of `Settings`, fields of `Options`, and parameters of the recipe.

    >>> found = settings_of({"target": "y", "budget": 50, "task": "regression", "ignore": ["id"]})
    >>> found.parameters, found.task, found.reading.target, found.reading.ignore
    ({'budget': 50}, 'regression', 'y', ('id',))
    """
    own = {field.name for field in fields(Settings)} - {"parameters", "reading"}
    reading = {name: value for name, value in given.items() if name in Options._fields}
    for name, value in reading.items():
        if isinstance(Options._field_defaults[name], tuple):  # of columns
            reading[name] = (value,) if isinstance(value, str) else tuple(map(str, value))
    rest = {name: value for name, value in given.items() if name not in own and name not in Options._fields}
    direct = {name: value for name, value in given.items() if name in own}
    options = rest.pop("reading", Options())._replace(**reading)
    parameters = rest.pop("parameters", {}) | rest
    if isinstance(direct.get("classes"), (list, tuple)):
        direct["classes"] = [str(label) for label in direct["classes"]]
    return Settings(**direct, parameters=parameters, reading=options)
