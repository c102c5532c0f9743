"""The log of a model and the thread that learns it: what is taken, what is refused, and what is forgotten."""

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from .event_bus import EventBus
from .event_learner import FILE, ROWS
from .event_log import EventLog, LoggedEvent, LogUnavailable, Transaction
from .event_tables import forget_events, forget_ids
from .first_rows import ModelPlan
from .learning_thread import LearningThread
from .limits import Limits
from .model_tally import ModelTally
from .pending_labels import PendingLabels, count_pending
from .refused_request import RefusedRequest
from .row_checks import RowChecker
from .snapshots import Snapshots

PAUSE, FEW = 0.0005, 64  # seconds that rows wait for others, if there are fewer than this


class ColumnsChanged(Exception):
    """The model was initialised or replaced after the rows had been checked: check them again."""


class LoggedModel:
    """The base of `HostedModel`."""

    def __init__(self, name: str, folder: Path, limits: Limits, bus: EventBus):
        self.name, self.folder, self.limits, self.bus = name, folder, limits, bus
        asked = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.created: float = asked["created"]
        self.plan = None if asked["plan"] is None else ModelPlan(asked["plan"])
        self.learner = LearningThread(name, self.plan, Snapshots(folder / "snapshots", limits.snapshots), limits, bus)
        try:
            self.log = EventLog(folder / "log.sqlite", self._committed)
            count = self.log.submit(count_pending).result()
        except (sqlite3.Error, LogUnavailable) as error:
            raise OSError(f"The event log of the model {name!r} cannot be opened: {error}.") from None
        self.pending = PendingLabels(limits.label_deadline, limits.pending, count)
        self._raw, self._in_commit, self._counting = 0, 0, threading.Lock()
        self.tally = ModelTally(asked.get("metrics", True))
        self.learner.after_save, self.learner.after_labels = self._forget, self.tally.learned
        self.log.pause = self._pause
        self.learner.start(self.log)

    @property
    def phase(self) -> str:
        """collecting, initialising, replaying, ready or failed."""
        if self.learner.failure is not None:
            return "failed"
        if not self.learner.caught_up.is_set():
            return "replaying"
        if self.learner.checker is not None and self.learner.pipeline is not None:
            return "ready"
        return "initialising" if self._collected >= self.learner.needed else "collecting"

    @property
    def waiting_rows(self) -> int:
        """Rows that are accepted, but not learned yet."""
        return self.learner.waiting_rows + self._in_commit

    def close(self) -> None:
        """Stop; what is not learned yet stays in the log."""
        self.learner.stop(self.limits.stop_seconds)
        self.log.close()

    def submit(self, work: Callable[[Transaction], Any], rows: int) -> "Future[Any]":
        waiting = self.waiting_rows
        full = waiting + rows > self.limits.waiting or self.learner.waiting_bytes > self.limits.waiting_bytes
        if rows and waiting and full:
            raise RefusedRequest(
                429,
                f"{waiting:,} rows of the model {self.name!r} are waiting to be learned; the maximum is "
                f"{self.limits.waiting:,}, or {self.limits.waiting_bytes:,} bytes. Send these rows again later.",
                retry_after=1.0,
            )
        start = time.perf_counter()
        with self._counting:
            self._in_commit += rows
        try:
            future = self.log.submit(work)
        except LogUnavailable as error:
            with self._counting:
                self._in_commit -= rows
            raise RefusedRequest(503, f"{error} Nothing was learned.", retry_after=5.0) from None

        def done(written: "Future[Any]") -> None:
            with self._counting:
                self._in_commit -= rows
            if not written.cancelled() and written.exception() is None:
                self.tally.committed(time.perf_counter() - start)

        future.add_done_callback(done)
        return future

    def _pause(self) -> float:
        """While the learning thread is busy, single rows wait for others to be committed and learned with."""
        return PAUSE if self.learner.busy and self._in_commit < FEW else 0.0

    def _committed(self, events: list[LoggedEvent]) -> None:
        """Called by the committing thread, before anybody is told."""
        plain = list[LoggedEvent]()
        for event in events:
            if event.kind == FILE:
                pipeline, checker = event.content
                self.learner.set_checker(checker, replace=True)
                event = event._replace(content=pipeline)
                self.pending.count = 0
            elif event.kind == ROWS:
                self._raw += len(event.content)
            plain.append(event)
        self.learner.take(plain)

    def check_columns(self, transaction: Transaction, checker: RowChecker | None) -> None:
        """In the committing thread: whether rows that were checked before are still rows of this model."""
        if self.learner.checker is not checker or any(event.kind == FILE for event in transaction.events):
            raise ColumnsChanged
        if checker is None:
            here = sum(len(event.content) for event in transaction.events if event.kind == ROWS)
            if self._collected + here >= self.learner.needed:
                raise self._initialising()

    @property
    def _collected(self) -> int:
        return self.learner.replayed + self._raw

    def collecting(self) -> ModelPlan:
        """The plan of a model that collects first rows; a refusal if it takes none at the moment."""
        if not self.learner.caught_up.is_set():
            raise RefusedRequest(
                503,
                f"The model {self.name!r} is learning again what was in its log when the server started. Try again.",
                retry_after=1.0,
            )
        if self.plan is None:
            raise self.not_yet()
        count = self._collected
        if count >= self.learner.needed:
            raise self._initialising()
        if count >= self.limits.collected:
            raise RefusedRequest(
                422,
                f"The model {self.name!r} cannot be initialised by its first {count:,} rows: {self.learner.why} "
                "Delete it, and create it anew with other settings.",
            )
        return self.plan

    def _initialising(self) -> RefusedRequest:
        return RefusedRequest(
            429,
            f"The model {self.name!r} is being initialised from its first rows. Send these rows again later.",
            retry_after=1.0,
        )

    def current_reader(self) -> RowChecker:
        if self.learner.reader is None:
            raise self.not_yet()
        return self.learner.reader

    def not_yet(self) -> RefusedRequest:
        learner = self.learner
        if learner.failure is not None:
            return RefusedRequest(503, learner.failure)
        if not learner.caught_up.is_set():
            return RefusedRequest(
                503, f"The model {self.name!r} is being restored from its log. Try again.", retry_after=1.0
            )
        if self.plan is None:
            return RefusedRequest(409, f"The model {self.name!r} has no file yet: PUT /models/{self.name}/file.")
        if len(learner.collected) + self.waiting_rows >= learner.needed:
            return RefusedRequest(
                503, f"The model {self.name!r} is being initialised from its first rows. Try again.", retry_after=1.0
            )
        why = f" {learner.why}" if learner.why else ""
        return RefusedRequest(
            409,
            f"The model {self.name!r} has not learned yet: it has {len(learner.collected):,} of the "
            f"{learner.needed:,} first rows that it needs.{why}",
        )

    def check_open(self) -> None:
        if self.learner.failure is not None:
            raise RefusedRequest(503, self.learner.failure)

    def _forget(self) -> None:
        """Delete, step by step, what no kept snapshot needs."""
        kept = self.learner.snapshots.numbers()
        until = kept[0] if len(kept) >= self.limits.snapshots and not self.limits.keep_events else 0
        old = self.learner.seq - self.limits.remembered

        def work(transaction: Transaction) -> bool:
            events = until > 0 and forget_events(transaction, until)
            return (old > 0 and forget_ids(transaction, old)) or events

        def again(future: "Future[Any]") -> None:
            if future.exception() is None and future.result():
                self._quietly(work, again)

        self._quietly(work, again)

    def _quietly(self, work: Callable[[Transaction], Any], after: Callable[["Future[Any]"], None]) -> None:
        with contextlib.suppress(LogUnavailable):  # it is being closed; the next snapshot does it
            self.log.submit(work).add_done_callback(after)
