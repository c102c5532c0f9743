"""The thread that learns the events of one model, in the order of its log, and saves snapshots."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from .event_learner import FILE, ROWS, EventLearner
from .event_log import BLOCK, EventLog, LoggedEvent
from .first_rows import ModelPlan
from .limits import Limits
from .refused_request import RefusedRequest
from .row_checks import RowChecker
from .snapshots import Snapshots

if TYPE_CHECKING:
    from .event_bus import EventBus

log = logging.getLogger(__name__)


class LearningThread(EventLearner):
    """A model that learns in a thread, and the events that wait."""

    def __init__(self, name: str, plan: ModelPlan | None, snapshots: Snapshots, limits: Limits, bus: "EventBus"):
        super().__init__(name, plan, limits, bus)
        self.after_save: Callable[[], None] = lambda: None
        self.snapshots, self.saved = snapshots, 0  #: and the last event of the newest
        self.replayed = 0  #: number of first rows that were in the log at the start
        self.waiting_rows = self.waiting_bytes = 0
        self.busy = False  #: an event is being learned
        self._queue, self._jobs = deque[LoggedEvent](), deque[tuple[Callable[[], Any], Future[Any]]]()
        self._hopes = list[tuple[int, Future[None]]]()
        self._wake, self._stop_at = threading.Condition(), float("inf")
        self._saved_at, self._rows_since = time.monotonic(), 0
        self._thread: threading.Thread | None = None
        self._ended = False

    def start(self, events: EventLog) -> None:
        """Load the newest snapshot, and learn what came after it in the background."""
        found = self.snapshots.newest()
        if found is not None:
            self.pipeline, self.seq = found
            self.reader, self.saved = RowChecker.of(self.pipeline, self.limits), self.seq
        oldest = events.first()
        if self.seq < events.last and (oldest is None or oldest > self.seq + 1):
            self.failure = (
                f"No usable snapshot is left, and the log no longer has the events after {self.seq:,}. Replace the "
                "model by a backup (PUT /models/NAME/file)."
            )
        until = events.last
        if self.failure is None and events.kinds_after(self.seq) <= {BLOCK}:
            self.checker = self.reader  # nothing ahead changes the columns
        if self.seq == until:
            self.caught_up.set()
        self._thread = threading.Thread(target=self._run, args=(events, until), name=f"learn {self.name}", daemon=True)
        self._thread.start()

    def take(self, committed: list[LoggedEvent]) -> None:
        """Events that have been committed."""
        with self._wake:
            self._queue.extend(committed)
            self.waiting_rows += sum(_count(event) for event in committed)
            self.waiting_bytes += sum(len(event.payload) for event in committed)
            self._wake.notify()

    def between_events(self, job: Callable[[], Any]) -> "Future[Any]":
        """Call `job` in the learning thread, when no event is half learned."""
        future: Future[Any] = Future()
        with self._wake:
            if self._ended:
                future.set_exception(_closed(self.name))
                return future
            self._jobs.append((job, future))
            self._wake.notify()
        return future

    def learned(self, seq: int) -> "Future[None]":
        """A future that is done when an event has been learned."""
        future: Future[None] = Future()
        with self._wake:
            if self.seq >= seq:
                future.set_result(None)
            elif self._ended:
                future.set_exception(_closed(self.name))
            else:
                self._hopes.append((seq, future))
        return future

    def stop(self, seconds: float) -> None:
        """Learn for at most so long what waits, then save a snapshot and end the thread."""
        with self._wake:
            self._stop_at = time.monotonic() + seconds
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()

    def save(self) -> None:
        """A snapshot, if anything was learned since the last."""
        if self.pipeline is None or self.saved == self.seq or self.failure is not None:
            return
        try:
            self.snapshots.write(self.pipeline, self.seq)
        except OSError as error:
            log.error("a snapshot of %s cannot be written: %s", self.name, error)
        else:
            self.saved = self.seq
            self.after_save()
            self.bus.tell("snapshot", self.name, seq=self.seq)
        self._saved_at, self._rows_since = time.monotonic(), 0

    def _run(self, events: EventLog, until: int) -> None:
        try:
            self._replay(events, until)
        except Exception as error:
            self._fail(error)
        self.caught_up.set()
        while True:
            try:
                if not self._step():
                    break
            except Exception as error:
                self._fail(error)
        self.save()
        with self._wake:
            self._ended = True
        self._do_jobs()
        for _, future in self._hopes:
            future.set_exception(_closed(self.name))

    def _replay(self, events: EventLog, until: int) -> None:
        """Learn what the log has after the snapshot."""
        if self.failure is None:
            for event in events.after(self.seq, until):
                if time.monotonic() > self._stop_at:
                    return
                self._apply(event)
                self._do_jobs()
            self.replayed = len(self.collected)
            self.set_checker(self.reader)

    def _fail(self, error: Exception) -> None:
        log.exception("learning of %s has ended", self.name)
        self.failure = f"Learning has ended by an error ({type(error).__name__}); the server's log has more."
        self.bus.tell("failed", self.name, why=self.failure)

    def _step(self) -> bool:
        """Do the next job or learn the next event; False at the end."""
        with self._wake:
            due = max(self._saved_at + self.limits.snapshot_seconds - time.monotonic(), 0.01)
            self._wake.wait_for(lambda: self._queue or self._jobs or self._stopping, due)
            if self._stopping and (not self._queue or time.monotonic() > self._stop_at):
                return False
            event = self._queue.popleft() if self._queue else None
            self.waiting_rows -= 0 if event is None else _count(event)
            self.waiting_bytes -= 0 if event is None else len(event.payload)
            self.busy = event is not None
        self._do_jobs()
        if event is not None:
            if self.failure is None or event.kind == FILE:  # which makes it good again
                self._apply(event)
        elif time.monotonic() - self._saved_at >= self.limits.snapshot_seconds:
            self.save()
            self._saved_at = time.monotonic()
        return True

    @property
    def _stopping(self) -> bool:
        return self._stop_at != float("inf")

    def _do_jobs(self) -> None:
        while self._jobs:
            job, future = self._jobs.popleft()
            try:
                future.set_result(job())
            except Exception as error:
                future.set_exception(error)

    def _apply(self, event: LoggedEvent) -> None:
        initialised = self.pipeline is not None
        rows = self.learn_event(event)
        with self._wake:
            self.seq = event.seq
            done = [future for seq, future in self._hopes if seq <= event.seq]
            self._hopes = [(seq, future) for seq, future in self._hopes if seq > event.seq]
        for future in done:
            future.set_result(None)
        self._rows_since += rows
        late = time.monotonic() - self._saved_at >= self.limits.snapshot_seconds
        new = event.kind == FILE or (self.pipeline is not None and not initialised)
        if new or self._rows_since >= self.limits.snapshot_rows or late:
            self.save()
        self.bus.tell("learned", self.name, rows=rows, seq=event.seq)


def _closed(name: str) -> RefusedRequest:
    return RefusedRequest(503, f"The model {name!r} was closed. What it has not learned is in its log.")


def _count(event: LoggedEvent) -> int:
    return len(event.content) if event.kind in (BLOCK, ROWS) and event.content is not None else 0
