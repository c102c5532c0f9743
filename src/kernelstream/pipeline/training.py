"""Training on a stream, batch by batch; a run can be stopped after any batch and resumed exactly there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..readers import BadLine, BadLinePolicy, FilePosition, FileStream, RaiseOnBad, RowBlock, RowReader, SkipBad
from ..readers.source_names import check_reopened
from .first_rows import untrained_pipeline
from .same_input import check_same_input, with_digests
from .settings import Settings
from .stream_pipeline import Position, StreamPipeline

BATCH = 1024
_SMALLEST = 16


class TrainingProgress(NamedTuple):
    """The state of a run after a batch."""

    examples: int  #: learned so far, in all epochs
    epoch: int
    fraction: float  #: of this epoch, from 0 to 1; 0 if unknown
    score: float  #: accuracy or root mean squared error of predictions made before learning
    window: float  #: the same over the last `window_rows` rows
    window_rows: int
    support: int
    nbytes: int
    skipped: int


class _SkipUncounted(SkipBad):
    """Skips bad lines that the first epoch has counted."""

    def handle(self, bad: BadLine) -> None:
        pass


def batch_size(examples: int) -> int:
    """The next batch's size: small at first, so that the first predictions are made by a model that has learned a bit.

    >>> [batch_size(n) for n in (0, 16, 32, 500, 10**6)]
    [16, 16, 32, 500, 1024]
    """
    return min(max(examples, _SMALLEST), BATCH)


class Training:
    """A run over a stream; `pipeline` is None until the first rows have been read."""

    def __init__(
        self, stream: FileStream, settings: Settings, pipeline: StreamPipeline | None = None, *, skip_bad: bool = False
    ):
        self.stream, self.settings, self.pipeline, self.skip_bad = stream, settings, pipeline, skip_bad
        self.waiting = False  #: for rows, so a signal may interrupt at once: no batch is half learned
        if settings.epochs > 1 and not stream.repeatable:
            stream.close()
            raise ValueError(f"Standard input can be read only once, but epochs is {settings.epochs}. Use a file.")

    @classmethod
    def start(cls, sources: Sequence[str], settings: Settings, *, skip_bad: bool = False) -> "Training":
        """A new run."""
        return cls(FileStream(sources, settings.reading, digests=True), settings, skip_bad=skip_bad)

    @classmethod
    def resume(
        cls, pipeline: StreamPipeline, sources: Sequence[str] = (), *, new: bool = False, skip_bad: bool = False
    ) -> "Training":
        """Continue a run where it was interrupted. `sources` gives the new paths of its data if that has moved; with
        `new`, it is other data, which is learned from its first row. Otherwise what was read before must be the same: a
        ValueError says where it is not."""
        position, settings = pipeline.position, pipeline.settings
        check_reopened(() if sources else position.sources)
        stream = FileStream(sources or position.sources, settings.reading, pipeline.intake.schema, digests=True)
        if new:
            position = Position(stream.names, bad=position.bad, first_bad=position.first_bad)
        elif len(stream.files) != len(position.sources):
            raise ValueError(
                f"The number of files is {len(stream.files)}, but the run to resume has {len(position.sources)}. To "
                "learn other data from its first row, use --new-data."
            )
        check_same_input(position, stream)
        pipeline.position = replace(position, finished=False, sizes=list(stream.sizes))
        return cls(stream, settings, pipeline, skip_bad=skip_bad)

    def steps(self) -> Iterator[TrainingProgress]:
        """Train; yields when the model is initialized and after every batch. The run may be left at each yield."""
        while True:
            rows = self._rows()
            try:
                if self.pipeline is None:
                    self.waiting = True
                    self.pipeline = untrained_pipeline(self.settings, self.stream, rows)
                    self.waiting = False
                    yield self._progress(self.pipeline, rows)
                yield from self._epoch(self.pipeline, rows)
            finally:
                rows.close()
            position = self.pipeline.position
            if position.epoch + 1 >= self.settings.epochs:
                self.pipeline.position = replace(position, finished=True)
                return
            digests = with_digests(position, self.stream, len(self.stream.files))
            self.pipeline.position = replace(
                position, place=FilePosition(), epoch=position.epoch + 1, taken=0, digests=digests, digest=None
            )

    def _epoch(self, pipeline: StreamPipeline, rows: RowReader) -> Iterator[TrainingProgress]:
        first = pipeline.position.epoch == 0
        while (block := self._next_block(pipeline, rows)) is not None:
            pipeline.learn(block, rows.refuse, test=first)
            pipeline.mark(rows, len(block))
            yield self._progress(pipeline, rows)
        pipeline.mark(rows, 0)  # bad lines at the end

    def _next_block(self, pipeline: StreamPipeline, rows: RowReader) -> RowBlock | None:
        count, limit = batch_size(pipeline.curve.now.examples), self.settings.limit
        if limit is not None:
            count = min(count, limit - pipeline.position.taken)
        self.waiting = True
        block = rows.take(count)
        self.waiting = False
        return block

    def _rows(self) -> RowReader:
        if self.pipeline is None:
            return RowReader(self.stream, policy=SkipBad() if self.skip_bad else RaiseOnBad())
        position = self.pipeline.position
        policy: BadLinePolicy = RaiseOnBad()
        if self.skip_bad:
            policy = (SkipBad if position.epoch == 0 else _SkipUncounted)(position.bad, position.first_bad)
        return RowReader(self.stream, position.place, policy)

    def _progress(self, pipeline: StreamPipeline, rows: RowReader) -> TrainingProgress:
        curve, position, limit = pipeline.curve, pipeline.position, self.settings.limit
        fraction = max(rows.fraction, position.taken / limit if limit else 0.0)
        return TrainingProgress(
            curve.now.examples, position.epoch, fraction, curve.score, curve.window, curve.window_rows,
            curve.now.support, curve.now.nbytes, position.bad,
        )  # fmt: skip
