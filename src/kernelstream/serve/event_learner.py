"""What an event of the log does to a model: rows are learned, first rows initialise it, a file replaces it.

Every event is learned by itself, in chunks of a fixed size. So the model depends on the log only: not on how events
were committed together, on when the process was killed, or on where the snapshots are.
"""

import json
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..pipeline import StreamPipeline
from ..readers import RowBlock
from ..readers.blocks import Column
from .block_bytes import block_from_bytes
from .event_log import BLOCK, LoggedEvent
from .file_bytes import pipeline_from_bytes
from .first_rows import ModelPlan
from .limits import Limits
from .row_checks import RowChecker
from .turn_lock import TurnLock

if TYPE_CHECKING:
    from .event_bus import EventBus

log = logging.getLogger(__name__)
CHUNK = 32  # rows learned before others may predict; another number is another model, so it never changes
ROWS, FILE = "rows", "file"  # kinds of events, besides blocks


class EventLearner:
    """A model and the number of the last event that it has learned."""

    def __init__(self, name: str, plan: ModelPlan | None, limits: Limits, bus: "EventBus"):
        self.name, self.plan, self.limits, self.bus = name, plan, limits, bus
        self.after_labels: Callable[[Column], None] = lambda target: None  #: of rows that were learned
        self.turns, self._checking = TurnLock(), threading.Lock()
        self.pipeline: StreamPipeline | None = None
        self.reader: RowChecker | None = None  #: of rows to predict: changes together with `pipeline`
        #: of rows to learn; None before the model is initialised. When the model is replaced it changes first: what is
        #: in the log after the new file has the columns of the new file
        self.checker: RowChecker | None = None
        self.seq = 0  #: last event learned
        self.collected = list[dict[str, Any]]()  #: first rows
        self.needed = 0 if plan is None else plan.rows  #: of them, to initialise the model
        self.why: str | None = None  #: the model could not be initialised the last time
        self.failure: str | None = None  #: learning has ended
        self.unlearned = 0  #: events that the model has refused
        self.caught_up = threading.Event()

    def set_checker(self, checker: RowChecker | None, *, replace: bool = False) -> None:
        """From now on rows are checked by the columns of the model; those of a file that has been committed prevail."""
        with self._checking:
            if replace or self.checker is None:
                self.checker = checker

    def learn_event(self, event: LoggedEvent) -> int:
        """Learn an event; the number of its rows, 0 if the model refuses them."""
        try:
            return self._learn(event)
        except ValueError as error:  # the model is unchanged, and will be in every replay
            self.unlearned += 1
            log.error("event %d of %s cannot be learned: %s", event.seq, self.name, error)
            return 0

    def _learn(self, event: LoggedEvent) -> int:
        if event.kind == BLOCK:
            block = block_from_bytes(event.payload) if event.content is None else event.content
            return self._learn_block(block)
        if event.kind == FILE:
            pipeline = pipeline_from_bytes(event.payload) if event.content is None else event.content
            reader = RowChecker.of(pipeline, self.limits)
            with self.turns.learning():
                self.pipeline, self.reader = pipeline, reader
                self.collected, self.why, self.failure = [], None, None
            self.bus.tell("replaced", self.name, seq=event.seq)
            return 0
        rows = json.loads(event.payload)
        self.collected += rows
        if len(self.collected) >= self.needed:
            self._initialise(event.seq)
        return len(rows)

    def _learn_block(self, block: RowBlock) -> int:
        assert self.pipeline is not None
        for at in range(0, len(block), CHUNK):
            some = block.take(slice(at, at + CHUNK))
            with self.turns.learning():
                self.pipeline.learn_block(some, _refuse, test=True)
            if some.target is not None and self.pipeline.curve.metric == "accuracy":
                self.after_labels(some.target)
        return len(block)

    def _initialise(self, seq: int) -> None:
        assert self.plan is not None
        try:
            pipeline = self.plan.initialise(self.collected)
            checker = RowChecker.of(pipeline, self.limits)
        except ValueError as error:
            # more rows may help; the next attempt depends on their number only, so that every replay makes it too
            self.why, self.needed = str(error), 2 * self.needed
            log.warning("%s cannot be initialised by %d rows: %s", self.name, len(self.collected), error)
            return
        first = [row.get(self.plan.target) for row in self.collected]
        self.pipeline, self.reader, self.collected, self.why, self.seq = pipeline, checker, [], None, seq
        if pipeline.curve.metric == "accuracy":
            for at in range(0, len(first), self.limits.rows):
                block = checker.targets(first[at : at + self.limits.rows]).block
                if block is not None and block.target is not None:
                    self.after_labels(block.target)
        if self.caught_up.is_set():
            self.set_checker(checker)
        self.bus.tell("ready", self.name, seq=seq)


def _refuse(block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]]) -> RowBlock:
    raise ValueError(f"{reasons[0][0]}: {reasons[0][1]}")
