"""One model of a service: its log, the thread that learns, and what requests ask of it."""

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np

from ..pipeline import StreamPipeline
from ..readers import RowBlock
from ..readers.blocks import concatenate
from .block_bytes import block_from_bytes, block_of, block_to_bytes
from .event_bus import EventBus
from .event_log import EventLog, LoggedEvent, LogUnavailable, Transaction
from .event_tables import forget_events, forget_ids
from .file_bytes import pipeline_from_bytes, pipeline_to_bytes
from .first_rows import ModelPlan
from .learner import FILE, ROWS, Learner
from .limits import Limits
from .pending_labels import PendingLabels, count_pending
from .refusal import Refusal
from .row_checks import BadRow, RowChecker
from .snapshots import Snapshots

SHOWN = 100  # bad rows named in an answer
PAUSE, FEW = 0.002, 64  # seconds that rows wait for others, if there are fewer than this
_METHODS = ("predict", "predict_proba")


class ColumnsChanged(Exception):
    """The model was initialised or replaced after the rows had been checked: check them again."""


class HostedModel:
    """Rows in, predictions out. Methods that write return a future, which is done when it is on the disk."""

    def __init__(self, name: str, folder: Path, limits: Limits, bus: EventBus):
        self.name, self.folder, self.limits, self.bus = name, folder, limits, bus
        asked = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.created: float = asked["created"]
        self.plan = None if asked["plan"] is None else ModelPlan(asked["plan"])
        self.learner = Learner(name, self.plan, Snapshots(folder / "snapshots", limits.snapshots), limits, bus)
        self.log = EventLog(folder / "log.sqlite", self._committed)
        self.pending = PendingLabels(limits.label_deadline, limits.pending, self.log.submit(count_pending).result())
        self._raw, self._in_commit, self._counting = 0, 0, threading.Lock()
        self.refused_rows = 0
        self.learner.after_save = self._forget
        self.log.pause = self._pause
        self.learner.start(self.log)

    # learning

    def learn(
        self, rows: Any, *, ids: Sequence[str] | None = None, key: str | None = None, skip: bool = False,
        offsets: dict[str, str] | None = None,
    ) -> "Future[dict[str, Any]]":  # fmt: skip
        """Append rows to the log, to be learned in order. `ids` are those of rows and `key` is that of the call: what
        is known already is not learned again. `skip` leaves out bad rows. `offsets` are written in the same
        transaction: how far sources have been read. If the future raises `ColumnsChanged`, call it again."""
        self._check_open()
        if ids is not None and len(ids) != len(rows):
            raise Refusal(422, f"There are {len(rows):,} rows, but {len(ids):,} ids.")
        checker = self.learner.checker
        content: Any
        if checker is None:
            plan = self._collecting()
            content, kept, bad = plan.check(rows, self.limits)
        else:
            content, found, bad = checker.to_learn(rows)
            kept = found.tolist()
        if bad:
            self.refused_rows += len(bad)
            _refuse_bad(bad, skip, "learned")
        names = None if ids is None else [f"row:{ids[i]}" for i in kept]

        def work(transaction: Transaction) -> dict[str, Any]:
            self._check_columns(transaction, checker)
            for source, position in (offsets or {}).items():
                transaction.set_position(source, position)
            found, new = _new(transaction, content, names, key)
            answer = {"accepted": len(new), "duplicates": len(kept) - len(new), "refused": _listed(bad)}
            if not new:
                return answer | {"seq": transaction.seq}
            if checker is None:
                seq = transaction.append(ROWS, json.dumps(found, separators=(",", ":"), default=str).encode(), found)
            else:
                seq = transaction.append_rows(found)
            transaction.remember(
                [*([] if names is None else [names[i] for i in new]), *([f"key:{key}"] if key else [])]
            )
            return answer | {"seq": seq}

        return self._submit(work, len(kept))

    # predicting

    def predict(self, method: str, rows: Any) -> tuple[np.ndarray, RowBlock, RowChecker, StreamPipeline]:
        """Predictions of a consistent state, whatever is learned meanwhile; and what they were made from."""
        if method not in _METHODS:
            raise Refusal(404, f"There is no method {method!r}. Available: {', '.join(_METHODS)}.")
        while True:
            reader = self._reader()
            block, _, bad = reader.to_predict(rows)
            if bad:
                _refuse_bad(bad, False, "predicted")
            with self.learner.turns.reading():
                pipeline = self.learner.pipeline
                if self.learner.reader is not reader or pipeline is None:
                    continue  # it was replaced
                call = getattr(pipeline.estimator, method, None)
                if call is None:
                    raise Refusal(409, f"A regression model has no {method}. Use /predict.")
                X = pipeline.intake.features(block, _cannot_be)[1]
                try:
                    return call(X), block, reader, pipeline
                except ValueError as error:
                    raise Refusal(422, str(error)) from None

    def keep(self, block: RowBlock, reader: RowChecker, ids: Sequence[str]) -> "Future[list[str]]":
        """Keep the features of predictions until their labels come; the outcome of each id."""
        if len(ids) != len(block):
            raise Refusal(422, f"There are {len(block):,} rows, but {len(ids):,} ids.")
        features = [block_to_bytes(_row(block, i)) for i in range(len(block))]

        def work(transaction: Transaction) -> list[str]:
            self._check_columns(transaction, reader)
            found, labels = list[str](), list[tuple[bytes, Any]]()
            for name, data in zip(ids, features, strict=True):
                outcome, label = self.pending.keep(transaction, name, data)
                found.append(outcome)
                if outcome == "learned":
                    labels.append((data, label))
            if labels:
                self._append_labelled(transaction, reader, labels)
            self.pending.purge(transaction)
            self.pending.count += found.count("kept") - found.count("learned")
            return found

        return self._submit(work, 0)

    def label(self, labels: Sequence[tuple[str, Any]]) -> "Future[list[str]]":
        """Labels of predictions with ids; the outcome of each."""
        self._check_open()
        checker = self.learner.checker
        if checker is None:
            raise self._not_yet()
        bad = checker.targets([label for _, label in labels]).bad
        if bad:
            _refuse_bad(bad, False, "learned")

        def work(transaction: Transaction) -> list[str]:
            self._check_columns(transaction, checker)
            found, learned = list[str](), list[tuple[bytes, Any]]()
            for name, label in labels:
                outcome, features = self.pending.label(transaction, name, label)
                found.append(outcome)
                if features is not None:
                    learned.append((features, label))
            if learned:
                self._append_labelled(transaction, checker, learned)
            self.pending.purge(transaction)
            self.pending.count += found.count("waiting") - found.count("learned")
            return found

        return self._submit(work, len(labels))

    def _append_labelled(self, transaction: Transaction, checker: RowChecker, some: list[tuple[bytes, Any]]) -> None:
        target = checker.targets([label for _, label in some]).block.target
        features = concatenate([block_from_bytes(data) for data, _ in some])
        assert isinstance(features.numeric, np.ndarray)
        transaction.append_rows(block_of(features.numeric, features.categorical, target))

    # the model as a whole

    def replace(self, data: bytes) -> "Future[int]":
        """The model of a file in place of this one, for everything that is written from now on."""
        try:
            pipeline = pipeline_from_bytes(data)
        except ValueError as error:
            raise Refusal(422, str(error)) from None
        checker = RowChecker(pipeline.intake, self.limits)

        def work(transaction: Transaction) -> int:
            self.pending.expire_all(transaction)
            return transaction.append(FILE, data, (pipeline, checker))

        return self._submit(work, 0)

    def backup(self) -> bytes:
        """The model as a file: everything that it had learned at one moment."""
        self._reader()

        def job() -> bytes:
            assert self.learner.pipeline is not None
            return pipeline_to_bytes(self.learner.pipeline)

        found: bytes = self.learner.between_events(job).result()
        return found

    def stats(self) -> dict[str, Any]:
        """Figures of the moment, for pages and metrics."""
        learner, pipeline = self.learner, self.learner.pipeline
        found: dict[str, Any] = {
            "name": self.name,
            "phase": self.phase,
            "events": self.log.last,
            "learned_events": learner.seq,
            "snapshot_event": learner.saved,
            "waiting_rows": self.waiting_rows,
            "pending_labels": self.pending.count,
            "refused_rows": self.refused_rows,
            "unlearned_events": learner.unlearned,
            "problem": learner.failure or self.log.failure,
        }
        if pipeline is None:
            needed = {"collected_rows": len(learner.collected), "needed_rows": learner.needed}
            return found | needed | {"not_initialised": learner.why}
        now = pipeline.curve.now
        score, window = pipeline.curve.score, pipeline.curve.window
        return found | {
            "rows": now.examples,
            "support_vectors": now.support,
            "bytes": now.nbytes,
            "metric": pipeline.curve.metric,
            "score": score if np.isfinite(score) else None,
            "recent_score": window if np.isfinite(window) else None,
            "recent_rows": pipeline.curve.window_rows,
        }

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

    # within

    def _submit(self, work: Callable[[Transaction], Any], rows: int) -> "Future[Any]":
        waiting = self.waiting_rows
        if rows and waiting and waiting + rows > self.limits.waiting:
            raise Refusal(429, f"{waiting:,} rows of the model {self.name!r} are waiting to be learned; the maximum is "
                          f"{self.limits.waiting:,}. Send these rows again later.", retry_after=1.0)  # fmt: skip
        with self._counting:
            self._in_commit += rows
        try:
            future = self.log.submit(work)
        except LogUnavailable as error:
            with self._counting:
                self._in_commit -= rows
            raise Refusal(503, f"{error} Nothing was learned.", retry_after=5.0) from None

        def done(_: "Future[Any]") -> None:
            with self._counting:
                self._in_commit -= rows

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
                pipeline, self.learner.checker = event.content
                event = event._replace(content=pipeline)
                self.pending.count = 0
            elif event.kind == ROWS:
                self._raw += len(event.content)
            plain.append(event)
        self.learner.take(plain)

    def _check_columns(self, transaction: Transaction, checker: RowChecker | None) -> None:
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

    def _collecting(self) -> ModelPlan:
        """The plan of a model that collects first rows; a refusal if it takes none at the moment."""
        if not self.learner.caught_up.is_set() or self.plan is None:
            raise Refusal(503, f"The model {self.name!r} is learning again what was in its log when the server "
                          "started. Try again.", retry_after=1.0)  # fmt: skip
        count = self._collected
        if count >= self.learner.needed:
            raise self._initialising()
        if count >= self.limits.collected:
            raise Refusal(422, f"The model {self.name!r} cannot be initialised by its first {count:,} rows: "
                          f"{self.learner.why} Delete it, and create it anew with other settings.")  # fmt: skip
        return self.plan

    def _initialising(self) -> Refusal:
        return Refusal(429, f"The model {self.name!r} is being initialised from its first rows. Send these rows again "
                       "later.", retry_after=1.0)  # fmt: skip

    def _reader(self) -> RowChecker:
        if self.learner.reader is None:
            raise self._not_yet()
        return self.learner.reader

    def _not_yet(self) -> Refusal:
        learner = self.learner
        if learner.failure is not None:
            return Refusal(503, learner.failure)
        if not learner.caught_up.is_set():
            return Refusal(503, f"The model {self.name!r} is being restored from its log. Try again.", retry_after=1.0)
        why = f" {learner.why}" if learner.why else ""
        return Refusal(409, f"The model {self.name!r} has not learned yet: it has {len(learner.collected):,} of the "
                       f"{learner.needed:,} first rows that it needs.{why}")  # fmt: skip

    def _check_open(self) -> None:
        if self.learner.failure is not None:
            raise Refusal(503, self.learner.failure)

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


def _new(transaction: Transaction, content: Any, names: list[str] | None, key: str | None) -> tuple[Any, list[int]]:
    """What of the rows is not known already, and their numbers among all of them."""
    count = 0 if content is None else len(content)
    if key is not None and transaction.known([f"key:{key}"]):
        return None, []
    if names is None:
        return content, list(range(count))
    taken, new = transaction.known(names), list[int]()
    for i, name in enumerate(names):
        if name not in taken:
            taken.add(name)
            new.append(i)
    if not new or len(new) == count:
        return content, new
    return [content[i] for i in new] if isinstance(content, list) else content.take(_mask(new, count)), new


def _mask(numbers: list[int], count: int) -> np.ndarray:
    found = np.zeros(count, bool)
    found[numbers] = True
    return found


def _row(block: RowBlock, i: int) -> RowBlock:
    """One row, with its own categories only."""
    from ..readers.blocks import categorical_column

    row = block.take(slice(i, i + 1))
    texts = [[column.categories[code] if code >= 0 else None for code in column.codes] for column in row.categorical]
    assert isinstance(row.numeric, np.ndarray)
    return block_of(row.numeric, tuple(map(categorical_column, texts)), None)


def _listed(bad: list[BadRow]) -> list[dict[str, Any]]:
    return [row._asdict() for row in bad[:SHOWN]]


def _refuse_bad(bad: list[BadRow], skip: bool, done: str) -> None:
    """A refusal that names the bad rows, unless they are to be left out."""
    if skip:
        return
    more = f" {len(bad) - 1:,} more rows are bad." if len(bad) > 1 else ""
    way = "Nothing of the request was learned; ?bad_rows=skip learns the other rows." if done == "learned" else ""
    raise Refusal(422, f"{bad[0]}{more} {way}".strip(), rows=_listed(bad))


def _cannot_be(block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]]) -> RowBlock:
    raise Refusal(422, f"row {int(block.lines[wrong[0]]) - 1:,}, {reasons[0][0]}: {reasons[0][1]}")
