"""Learning from many files, each a part."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..pipeline import Settings, StreamPipeline
from ..pipeline.beginning import begin
from ..pipeline.intake import Intake
from ..readers import FileStream, RowReader
from .rounds import train
from .workers import DaskWorkers, connected

AT_ONCE = 8192  # rows in memory


class File:
    """The rows of a file, as a model takes them. Whoever reads it must see the file under its name."""

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
) -> StreamPipeline:
    """Learn from files of any format that `kernelstream train` reads, each of them a part, on a cluster.

    Columns, scaling, words and labels are decided by the first rows of the first file. A file is read in batches of
    8192 rows, once to count its rows, once for each round and once for each pass of the refit. What comes back is what
    `kernelstream train` gives: `save` it to a model file that takes raw rows.

    Parameters
    ----------
    names : files, patterns or folders, which all workers must see
    settings : Settings
        How to read, prepare and learn; `epochs` counts as 1, and `limit` is not for this.
    rounds, fan_in, client, progress
        As for `DaskKernelClassifier`.
    """
    if settings.limit is not None:
        raise ValueError("limit counts the rows of one stream; leave it None, and name fewer files.")
    stream = FileStream(names, settings.reading)
    if not stream.repeatable:
        raise ValueError("Standard input can be read once and by one process only: name files.")
    rows = RowReader(stream)
    trained = begin(settings, stream, rows)
    rows.close()
    parts = [File(name, settings, trained.intake) for name in stream.files]
    with connected(client) as own:
        found = train(trained.estimator, DaskWorkers(own, parts, fan_in, progress), rounds)
    trained.curve.learned(found.rows, found.estimator.model_.n_support, found.estimator.model_.nbytes)
    position = replace(trained.position, taken=found.rows, finished=True)
    return replace(trained, estimator=found.estimator, position=position)
