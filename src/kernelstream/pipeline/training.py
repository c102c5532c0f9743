"""Learning from a stream, batch by batch, so that it can be stopped after any batch and go on exactly there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..readers import BadLine, BadLinePolicy, FilePosition, FileStream, RaiseOnBad, RowBlock, RowReader, SkipBad
from .beginning import begin
from .settings import Settings
from .stream_pipeline import StreamPipeline

BATCH = 1024
_SMALLEST = 16


class News(NamedTuple):
    """How things stand after a batch."""

    examples: int  #: learned so far, all passes together
    epoch: int
    share: float  #: of this pass, from 0 to 1; 0 where it cannot be known
    score: float  #: of predictions before learning: accuracy, or root mean squared error
    window: float  #: the same over the last `window_rows`
    window_rows: int
    support: int
    nbytes: int
    skipped: int


class _Again(SkipBad):
    """Bad lines that the first pass has counted."""

    def handle(self, bad: BadLine) -> None:
        pass


def batch_size(examples: int) -> int:
    """Small at first, so that predictions are soon those of a model that has learned something.

    >>> [batch_size(n) for n in (0, 16, 32, 500, 10**6)]
    [16, 16, 32, 500, 1024]
    """
    return min(max(examples, _SMALLEST), BATCH)


class Training:
    """A run of a stream through a model; `trained` is None until the first rows have come."""

    def __init__(
        self, stream: FileStream, settings: Settings, trained: StreamPipeline | None = None, *, skip_bad: bool = False
    ):
        self.stream, self.settings, self.trained, self.skip_bad = stream, settings, trained, skip_bad
        self.waiting = False  #: for rows, so that what has been learned can be saved at once
        if settings.epochs > 1 and not stream.repeatable:
            stream.close()
            raise ValueError(f"Standard input can be read once, so there cannot be {settings.epochs} epochs of it.")

    @classmethod
    def start(cls, sources: Sequence[str], settings: Settings, *, skip_bad: bool = False) -> "Training":
        """From nothing."""
        return cls(FileStream(sources, settings.reading), settings, skip_bad=skip_bad)

    @classmethod
    def resume(
        cls, trained: StreamPipeline, sources: Sequence[str] = (), *, new: bool = False, skip_bad: bool = False
    ) -> "Training":
        """Go on where a run was interrupted. `sources` is where its data is now, if that has moved; or, with `new`,
        other data, which is learned from its first row."""
        position, settings = trained.position, trained.settings
        stream = FileStream(sources or position.sources, settings.reading, trained.intake.schema)
        if new:
            position = replace(position, sources=list(stream.files), place=FilePosition(), epoch=0, taken=0)
        elif len(stream.files) != len(position.sources):
            raise ValueError(
                f"The run had {len(position.sources)} files and goes on with as many, but {len(stream.files)} are "
                "named. If this is other data, to be learned from its first row, say so with --new-data."
            )
        trained.position = replace(position, finished=False)
        return cls(stream, settings, trained, skip_bad=skip_bad)

    def steps(self) -> Iterator[News]:
        """Learn; news when the model begins, and after every batch. After each the run may be left."""
        while True:
            rows = self._rows()
            try:
                if self.trained is None:
                    self.waiting = True
                    self.trained = begin(self.settings, self.stream, rows)
                    self.waiting = False
                    yield self._news(self.trained, rows)
                yield from self._pass(self.trained, rows)
            finally:
                rows.close()
            position = self.trained.position
            if position.epoch + 1 >= self.settings.epochs:
                self.trained.position = replace(position, finished=True)
                return
            self.trained.position = replace(position, place=FilePosition(), epoch=position.epoch + 1, taken=0)

    def _pass(self, trained: StreamPipeline, rows: RowReader) -> Iterator[News]:
        first = trained.position.epoch == 0
        while (block := self._taken(trained, rows)) is not None:
            trained.learn(block, rows.refuse, test=first)
            trained.mark(rows, len(block))
            yield self._news(trained, rows)
        trained.mark(rows, 0)  # bad lines at the end

    def _taken(self, trained: StreamPipeline, rows: RowReader) -> RowBlock | None:
        count, limit = batch_size(trained.curve.now.examples), self.settings.limit
        if limit is not None:
            count = min(count, limit - trained.position.taken)
        self.waiting = True
        block = rows.take(count)
        self.waiting = False
        return block

    def _rows(self) -> RowReader:
        if self.trained is None:
            return RowReader(self.stream, policy=SkipBad() if self.skip_bad else RaiseOnBad())
        position = self.trained.position
        policy: BadLinePolicy = RaiseOnBad()
        if self.skip_bad:
            policy = (SkipBad if position.epoch == 0 else _Again)(position.bad, position.first_bad)
        return RowReader(self.stream, position.place, policy)

    def _news(self, trained: StreamPipeline, rows: RowReader) -> News:
        curve, position, limit = trained.curve, trained.position, self.settings.limit
        share = max(rows.fraction, position.taken / limit if limit else 0.0)
        return News(
            curve.now.examples, position.epoch, share, curve.score, curve.window, curve.window_rows, curve.now.support,
            curve.now.nbytes, position.bad,
        )  # fmt: skip
