"""Training on a stream, batch by batch; a run can be stopped after any batch and resumed exactly there."""

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..readers import (
    BadLinePolicy,
    FilePosition,
    FileStream,
    RaiseOnBad,
    RowBlock,
    RowReader,
    Shuffle,
    ShuffledReader,
    SkipBad,
)
from ..readers.shuffle_keys import LOWEST
from ..readers.source_names import check_reopened
from .copied_rows import copied
from .drawn_rows import DrawnRows
from .first_rows import FoundLabels, untrained_pipeline
from .fitting import fit_rows, with_all_labels
from .judging import judged
from .position import Position
from .row_order import HELD, Order, held_out, order_of, shuffle_memory
from .same_input import check_same_input, with_digests
from .settings import Settings
from .stream_pipeline import StreamPipeline
from .task_of_target import with_task

BATCH = 1024
_SMALLEST = 16
_SHOWN_EVERY = 0.2  # seconds, while data is read


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
    reading: float | None = None  #: the fraction of the data that was read, while it is read before rows are learned
    fitting: int = 0  #: rows that are fitted together, while that is done


def batch_size(examples: int) -> int:
    """The next batch's size: small at first, so that the first predictions are made by a model that has learned a bit.

    >>> [batch_size(n) for n in (0, 16, 32, 500, 10**6)]
    [16, 16, 32, 500, 1024]
    """
    return min(max(examples, _SMALLEST), BATCH)


class Training:
    """A run over a stream; `pipeline` is None until the first rows have been read.

    Parameters
    ----------
    stream : FileStream
        The data.
    settings : Settings
        How to prepare and learn it.
    pipeline : StreamPipeline or None, default None
        A pipeline to continue with.
    skip_bad : bool, default False
        Whether bad rows are skipped and counted.
    memory : int or None, default None
        Bytes for rows that are shuffled together; None is a quarter of the machine's memory, at most 2 GiB.
    """

    def __init__(
        self,
        stream: FileStream,
        settings: Settings,
        pipeline: StreamPipeline | None = None,
        *,
        skip_bad: bool = False,
        memory: int | None = None,
    ):
        self.stream, self.settings, self.pipeline, self.skip_bad = stream, settings, pipeline, skip_bad
        self.memory = shuffle_memory() if memory is None else memory  #: bytes for rows that are shuffled together
        self.waiting = False  #: for rows, so a signal may interrupt at once: no batch is half learned
        self.stopped = False  #: by a signal
        self.drawn = DrawnRows(settings.seed)  #: some of the rows learned in this run
        self.copied = 0.0  #: share of the rows held out that are copies of rows learned
        self._labels = FoundLabels(settings)
        try:
            self._begin()
        except (ValueError, OSError):
            stream.close()
            raise

    def _begin(self) -> None:
        settings = self.settings
        if settings.epochs > 1 and not self.stream.repeatable:
            raise ValueError(f"Standard input can be read only once, but epochs is {settings.epochs}. Use a file.")
        if self.pipeline is None or not self.pipeline.position.order:
            self.order = order_of(settings, self.stream)
        else:
            self.order = Order(self.pipeline.position.shuffled, self.pipeline.position.order)
        if self.order.shuffled and not self.stream.repeatable:
            raise ValueError("The rows of the run to resume are shuffled, which needs a file instead of a pipe.")
        if settings.holdout and not self.order.shuffled:
            raise ValueError(
                f"Rows are learned {self.order.why.partition(';')[0]}: the accuracy of predictions before learning is "
                "that on later rows, and none are held out. Leave --holdout out, or use --shuffle."
            )

    @classmethod
    def start(
        cls, sources: Sequence[str], settings: Settings, *, skip_bad: bool = False, memory: int | None = None,
        guess_task: bool = False,
    ) -> "Training":  # fmt: skip
        """A new run. `memory` is for rows that are shuffled together, in bytes; the result does not depend on it. With
        `guess_task`, the task is the one that the targets of the first rows show."""
        stream = FileStream(sources, settings.reading, digests=True)
        if guess_task:
            settings = with_task(settings, stream)
        return cls(stream, settings, skip_bad=skip_bad, memory=memory)

    @classmethod
    def resume(
        cls, pipeline: StreamPipeline, sources: Sequence[str] = (), *, new: bool = False, skip_bad: bool = False,
        memory: int | None = None,
    ) -> "Training":  # fmt: skip
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
        return cls(stream, settings, pipeline, skip_bad=skip_bad, memory=memory)

    def steps(self) -> Iterator[TrainingProgress]:
        """Train; yields while data is read first, when the model is initialized and after every batch. The run may be
        left at each yield."""
        while True:
            rows = self._rows()
            try:
                yield from self._read(rows)
                if self.pipeline is None or not self.pipeline.position.order:
                    self._start_run(rows)
                    yield self._progress(rows)
                yield from self._fit(rows) if self._fits else self._epoch(rows)
                if self._position.epoch + 1 >= self.settings.epochs:
                    yield from self._learn_held_out(rows)
                    self._change(finished=True)
                    return
            finally:
                rows.close()
            position = self._position
            self._change(
                place=FilePosition(), epoch=position.epoch + 1, taken=0, digest=None, after=LOWEST,
                digests=position.digests if position.shuffled else self._all_digests(),
                last=position.last if position.epoch else position.after,
                held_taken=position.held_rows if position.held_taken else 0,
            )  # fmt: skip

    @property
    def _position(self) -> Position:
        assert self.pipeline is not None
        return self.pipeline.position

    def _change(self, **changes: Any) -> None:
        assert self.pipeline is not None
        self.pipeline.position = replace(self.pipeline.position, **changes)

    def _all_digests(self) -> list[list[object]]:
        return with_digests(self._position, self.stream, len(self.stream.files))

    def _start_run(self, rows: "RowReader | ShuffledReader") -> None:
        """Hold out rows, and let the first others determine the model if there is none yet."""
        found: dict[str, Any] = {}
        if isinstance(rows, ShuffledReader):
            count = held_out(self.settings, min(rows.total, self.settings.limit or rows.total))
            digests = [[size, digest] for size, digest in zip(self.stream.sizes, rows.digests or (), strict=False)]
            found = {"total": rows.total, "digests": digests, "held_rows": count}
            found |= {"held_key": rows.hold(count)} if count else {}
        if self.pipeline is None:
            self.waiting = True
            self.pipeline = untrained_pipeline(self.settings, self.stream, rows, self._labels)
            self.waiting = False
        bad = {"bad": rows.policy.count, "first_bad": list(rows.policy.first)}
        self._change(shuffled=self.order.shuffled, order=self.order.why, **bad, **found, **rows.where())

    def _read(self, rows: "RowReader | ShuffledReader") -> Iterator[TrainingProgress]:
        """Read what the next rows need, if that is to be read first."""
        self.waiting, shown = True, time.monotonic()
        for fraction in rows.read():
            if time.monotonic() - shown >= _SHOWN_EVERY:
                self.waiting = False
                yield self._progress(rows)._replace(reading=fraction)
                self.waiting, shown = True, time.monotonic()
        self.waiting = False

    def _epoch(self, rows: "RowReader | ShuffledReader") -> Iterator[TrainingProgress]:
        pipeline = self.pipeline
        assert pipeline is not None
        first = pipeline.position.epoch == 0
        while True:
            yield from self._read(rows)
            block = self._next_block(rows)
            if block is None:
                break
            self.drawn.add(block)
            pipeline.learn_block(block, rows.refuse, test=first)
            pipeline.mark(rows, len(block))
            if pipeline.position.held_taken:
                self._change(held_score=None)  # it was that of an earlier model
            yield self._progress(rows)
        pipeline.mark(rows, 0)  # bad lines at the end

    @property
    def _fits(self) -> bool:
        """Whether rows are still to be fitted together; more data is then learned as a stream."""
        return self._position.fit and not self._position.fitted

    def _fit(self, rows: "RowReader | ShuffledReader") -> Iterator[TrainingProgress]:
        """Fit all rows together. If that is interrupted, the model is that of the rows so far, and a run that is
        resumed begins again."""
        pipeline = self.pipeline
        assert pipeline is not None
        limit = self.settings.limit
        block = rows.take(sys.maxsize if limit is None else limit - pipeline.position.held_rows)
        if block is None:
            return
        block, rows.held = with_all_labels(block, rows.held, pipeline)
        self.copied = 0.0 if rows.held is None else copied(pipeline, block, rows.held)
        yield self._progress(rows)._replace(fitting=len(block))
        self.waiting = True
        fit_rows(pipeline, block, rows.refuse)
        self.waiting = False
        pipeline.mark(rows, len(block))
        self._change(fitted=not self.stopped)
        yield self._progress(rows)

    def _learn_held_out(self, rows: "RowReader | ShuffledReader") -> Iterator[TrainingProgress]:
        """Judge the model on the rows that were held out, once, and then learn them too."""
        pipeline, held = self.pipeline, rows.held
        assert pipeline is not None
        if held is None or pipeline.position.held_taken >= len(held):
            return
        if pipeline.position.held_taken == 0:
            self._change(held_score=judged(pipeline, held, self.stream), held_rows=len(held))
        if pipeline.position.fit:
            return  # the score is that of the model that is saved
        while (done := pipeline.position.held_taken) < len(held):
            block = held.take(slice(done, done + BATCH))
            self.drawn.add(block)
            pipeline.learn_block(block, rows.refuse, test=False)
            pipeline.mark(rows, 0)
            self._change(held_taken=done + len(block))
            yield self._progress(rows)

    def _next_block(self, rows: "RowReader | ShuffledReader") -> RowBlock | None:
        assert self.pipeline is not None
        count, limit, position = batch_size(self.pipeline.curve.now.examples), self.settings.limit, self._position
        if limit is not None:
            together = position.held_taken and position.epoch  # those held out are learned with the others
            count = min(count, limit - position.taken - (0 if together else position.held_rows))
        self.waiting = True
        block = rows.take(count)
        self.waiting = False
        return block

    def _rows(self) -> "RowReader | ShuffledReader":
        position = None if self.pipeline is None else self.pipeline.position
        begun = position is not None and bool(position.order)
        kind: type[SkipBad] = SkipBad if self.skip_bad else RaiseOnBad
        policy: BadLinePolicy = kind()
        if position is not None:
            policy = kind(position.bad, position.first_bad, counting=position.epoch == 0)
        if not self.order.shuffled:
            return RowReader(self.stream, FilePosition() if position is None else position.place, policy)
        shuffle = Shuffle(self.settings.seed) if position is None else Shuffle(self.settings.seed, **position.shuffle)
        return ShuffledReader(
            self.stream, shuffle, policy, first=None if begun else self._labels.add, memory=self.memory, least=HELD,
            digests=[digest for _, digest in position.digests] if begun and position is not None else None,
        )  # fmt: skip

    def _progress(self, rows: "RowReader | ShuffledReader") -> TrainingProgress:
        if self.pipeline is None:
            return TrainingProgress(0, 0, 0.0, math.nan, math.nan, 0, 0, 0, rows.policy.count)
        curve, position, limit = self.pipeline.curve, self.pipeline.position, self.settings.limit
        learned, fraction = position.taken + position.held_taken, 0.0 if position.shuffled else rows.fraction
        whole = min(limit or position.total, position.total) if position.total else limit
        fraction = 1.0 if position.fitted else max(fraction, learned / whole if whole else 0.0)
        return TrainingProgress(
            curve.now.examples, position.epoch, fraction, curve.score, curve.window, curve.window_rows,
            curve.now.support, curve.now.nbytes, position.bad,
        )  # fmt: skip
