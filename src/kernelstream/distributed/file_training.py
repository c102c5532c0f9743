"""Distributed training from files, each of them a partition."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..pipeline import Settings, StreamPipeline
from ..pipeline.first_rows import untrained_pipeline
from ..pipeline.stream_pipeline import Intake
from ..readers import FileStream, RowReader
from .dask_backend import DaskBackend
from .dask_cluster import connected
from .training import train

AT_ONCE = 8192  # rows in memory


class FilePartition:
    """The rows of a file, prepared. The worker that reads it must have the file under the same path."""

    def __init__(self, name: str, settings: Settings, intake: Intake):
        self.name, self.settings, self.intake = name, settings, intake

    def batches(self) -> Iterator[tuple[Any, Any]]:
        rows = RowReader(FileStream([self.name], self.settings.reading, self.intake.schema))
        try:
            while (block := rows.take(AT_ONCE)) is not None:
                block, X, y = self.intake.usable(block, rows.refuse, learn=False)
                if len(block):
                    yield X, y
        finally:
            rows.close()


def train_files(
    names: Iterable[str],
    settings: Settings = Settings(),
    *,
    rounds: int = 2,
    fan_in: int = 8,
    client: Any = None,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
) -> StreamPipeline:
    """Train on a Dask cluster from files of any format that `kernelstream train` reads, each of them a partition.

    The first rows of the first file determine columns, scaling, categories and classes. A file is read in batches of
    8192 rows: once to sample its rows, and once to prepare them for the refit, or for every pass of it if they do not
    fit into the memory of the cluster; once per round for recipes without a refit. The result is the same kind of
    pipeline as that of `kernelstream train`: its `save` writes a model file that takes raw rows.

    Parameters
    ----------
    names : iterable of str
        Files, glob patterns or folders, which all workers must be able to read.
    settings : Settings
        How to read, prepare and learn. `epochs` is ignored. `limit` must be None.
    rounds, fan_in, client, progress, checkpoint
        As for `DaskKernelClassifier`.
    """
    if settings.limit is not None:
        raise ValueError(
            f"limit is {settings.limit}, but it is for a single stream: leave it None, and name fewer files."
        )
    stream = FileStream(names, settings.reading)
    if not stream.repeatable:
        raise ValueError("Standard input can be read only once and by one process only: name files.")
    rows = RowReader(stream)
    settings = replace(settings, adapt=False)  # a stream in parts has no order to adapt to
    pipeline = untrained_pipeline(settings, stream, rows)
    rows.close()
    partitions = [FilePartition(name, settings, pipeline.intake) for name in stream.files]
    with connected(client) as own:
        found = train(pipeline.estimator, DaskBackend(own, partitions, fan_in, progress), rounds, checkpoint)
    pipeline.curve.learned(found.rows, found.estimator.model_.n_support, found.estimator.model_.nbytes)
    position = replace(pipeline.position, taken=found.rows, finished=True)
    return replace(pipeline, estimator=found.estimator, position=position)
