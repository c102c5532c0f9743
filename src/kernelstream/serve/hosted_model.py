"""One model of a service, and what requests ask of it."""

import json
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..readers import RowBlock
from .event_bus import EventBus
from .event_learner import FILE, ROWS
from .event_log import Transaction
from .file_bytes import pipeline_from_bytes, pipeline_to_bytes
from .label_requests import LabelRequests
from .limits import Limits
from .log_loss import mean_log_loss
from .logged_model import LoggedModel
from .new_rows import new_rows
from .refused_request import RefusedRequest
from .refused_rows import cannot_be, listed, refuse_bad
from .row_checks import RowChecker
from .turn_lock import Busy

_METHODS = ("predict", "predict_proba")
SHOWN = 20  # drift events among the figures: the latest


class ServedPredictions(NamedTuple):
    """Predictions, and what they were made from."""

    values: np.ndarray
    classes: list[Any] | None  #: of the model at that moment, None for regression
    block: RowBlock
    reader: RowChecker


class HostedModel(LoggedModel):
    """Rows in, predictions out. Methods that write return a future, which is done when it is on the disk."""

    def __init__(self, name: str, folder: Path, limits: Limits, bus: EventBus):
        super().__init__(name, folder, limits, bus)
        self.labels = LabelRequests(self)
        self.refused_rows = 0
        self._compiled = set[tuple[RowChecker, str, int]]()  # ways of predicting that have been used
        self.source_problem: str | None = None  #: why a source that it consumed is no longer read

    def learn(
        self, rows: Any, *, ids: Sequence[str] | None = None, key: str | None = None, skip: bool = False,
        offsets: dict[str, str] | None = None,
    ) -> "Future[dict[str, Any]]":  # fmt: skip
        """Append rows to the log, to be learned in order. `ids` are those of rows and `key` is that of the call: what
        is known already is not learned again. `skip` leaves out bad rows. `offsets` are written in the same
        transaction: how far sources have been read. If the future raises `ColumnsChanged`, call it again."""
        self.check_open()
        if ids is not None and len(ids) != len(rows):
            raise RefusedRequest(422, f"There are {len(rows):,} rows, but {len(ids):,} ids.")
        checker = self.learner.checker
        content: Any
        if checker is None:
            plan = self.collecting()
            content, kept, bad = plan.check(rows, self.limits)
        else:
            content, found, bad = checker.to_learn(rows)
            kept = found.tolist()
        if bad:
            self.refused_rows += len(bad)
            refuse_bad(bad, skip, "learned")
        names = None if ids is None else [f"row:{ids[i]}" for i in kept]

        def work(transaction: Transaction) -> dict[str, Any]:
            self.check_columns(transaction, checker)
            for source, position in (offsets or {}).items():
                transaction.set_position(source, position)
            found, new = new_rows(transaction, content, names, key)
            if checker is not None and new:
                checker.note_labels(found)
            answer = {"accepted": len(new), "duplicates": len(kept) - len(new), "refused": listed(bad)}
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

        return self.submit(work, len(kept))

    def predict(self, method: str, rows: Any, patience: float = -1) -> ServedPredictions:
        """Predictions of a consistent state, whatever is learned meanwhile. `Busy` if that state is not there within
        `patience` seconds, or if something may have to be compiled first; -1 waits."""
        if method not in _METHODS:
            raise RefusedRequest(404, f"There is no method {method!r}. Available: {', '.join(_METHODS)}.")
        start = time.perf_counter()
        while True:
            reader = self.current_reader()
            block, _, bad = reader.to_predict(rows)
            if bad:
                refuse_bad(bad, False, "predicted")
            with self.learner.turns.reading(patience):
                pipeline = self.learner.pipeline
                if self.learner.reader is not reader or pipeline is None:
                    continue  # it was replaced
                call = getattr(pipeline.estimator, method, None)
                if call is None:
                    raise RefusedRequest(409, f"A regression model has no {method}. Use /predict.")
                classes = getattr(pipeline.estimator, "classes_", None)
                way = (reader, method, 0 if classes is None else len(classes))
                if patience >= 0.0 and way not in self._compiled:
                    raise Busy
                X = pipeline.intake.features(block, cannot_be)[1]
                try:
                    found = call(X)
                except ValueError as error:
                    raise RefusedRequest(422, str(error)) from None
                if way not in self._compiled:
                    self._compiled = {known for known in self._compiled if known[0] is reader} | {way}
            self.tally.predicted(len(found), time.perf_counter() - start)
            return ServedPredictions(found, None if classes is None else classes.tolist(), block, reader)

    def replace(self, data: bytes) -> "Future[int]":
        """The model of a file in place of this one, for everything that is written from now on."""
        try:
            pipeline = pipeline_from_bytes(data)
        except ValueError as error:
            raise RefusedRequest(422, str(error)) from None
        checker = RowChecker.of(pipeline, self.limits)

        def work(transaction: Transaction) -> int:
            self.pending.expire_all(transaction)
            return transaction.append(FILE, data, (pipeline, checker))

        return self.submit(work, 0)

    def backup(self) -> bytes:
        """The model as a file: everything that it had learned at one moment."""
        self.current_reader()

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
            "problem": learner.failure or self.log.failure or self.source_problem,
            "metrics": self.tally.on,
        }
        found |= self.tally.as_dict()
        if pipeline is None:
            needed = {"collected_rows": len(learner.collected), "needed_rows": learner.needed}
            return found | needed | {"not_initialised": learner.why}
        now = pipeline.curve.now
        score, window, drift = pipeline.curve.score, pipeline.curve.window, pipeline.estimator.drift_
        return found | {
            "rows": now.examples,
            "support_vectors": now.support,
            "bytes": now.nbytes,
            "metric": pipeline.curve.metric,
            "score": score if np.isfinite(score) else None,
            "recent_score": window if np.isfinite(window) else None,
            "recent_rows": pipeline.curve.window_rows,
            "log_loss": mean_log_loss(pipeline.estimator),
            "drift_events": len(drift),
            "drift": [event._asdict() for event in drift[-SHOWN:]],
        }
