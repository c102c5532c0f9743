"""Learn a source exactly once: rows and positions are committed in one transaction."""

import logging
import threading
from dataclasses import dataclass, field
from typing import Any

from ..event_log import LogUnavailable, Transaction
from ..hosted_model import HostedModel
from ..logged_model import ColumnsChanged
from ..refused_request import RefusedRequest
from .source import PredictionSink, Source, SourceBatch

log = logging.getLogger(__name__)
PAUSE = 1.0  # seconds, while the model or the disk takes no rows
_REPORTED = 5


@dataclass
class Consumed:
    """What was done so far."""

    rows: int = 0
    predicted: int = 0
    skipped: int = 0
    first: list[str] = field(default_factory=list)  #: what was wrong with the first that were skipped

    def skip(self, count: int, reasons: list[str]) -> None:
        self.skipped += count
        self.first += reasons[: max(_REPORTED - len(self.first), 0)]


def consume(
    model: HostedModel, source: Source, stop: threading.Event, done: Consumed, *, skip_bad: bool,
    sink: PredictionSink | None = None,
) -> None:  # fmt: skip
    """Learn what comes from a source until it ends or `stop` is set. A bad row is a ValueError that names its place,
    and nothing of its batch is learned; with `skip_bad` it is counted and passed over.

    With `sink`, rows are predicted before they are learned, and those without a target are only predicted. Predictions
    are written before the positions, so after a crash some are written again, but none is missing.

    Parameters
    ----------
    model : HostedModel
        A model of a `Service`.
    source : Source
        Where rows come from.
    stop : threading.Event
        Set it to stop after the batch in hand.
    done : Consumed
        What was done, which is updated.
    skip_bad : bool
        Whether bad rows are counted and passed over.
    sink : PredictionSink or None, default None
        Where predictions are written; rows are then predicted before they are learned.
    """
    source.seek(stored_positions(model))
    for batch in source.batches():
        if stop.is_set():
            return
        if not batch.positions and not batch.rows and not batch.bad:
            continue
        if batch.bad and not skip_bad:
            raise ValueError(f"{batch.bad[0]} {_WAY}")
        if sink is not None:
            if not _predict(model, batch, sink, stop, done, skip_bad):
                return
            batch = batch.at(_with_targets(model, batch))
        answer = _commit(model, batch, stop, skip_bad)
        if answer is None:
            return
        done.rows += answer["accepted"]
        refused = len(batch.rows) - answer["accepted"]  # an answer names only the first of them
        done.skip(len(batch.bad) + refused, [*batch.bad, *(_reason(batch, bad) for bad in answer["refused"])])


def stored_positions(model: HostedModel) -> dict[str, str]:
    """How far each source was learned."""

    def work(transaction: Transaction) -> dict[str, str]:
        return dict(transaction.database.execute("SELECT source, position FROM offsets").fetchall())

    found: dict[str, str] = model.submit(work, 0).result()
    return found


_WAY = "Nothing of its batch was learned. To pass over such rows: --skip-bad"


def _predict(
    model: HostedModel, batch: SourceBatch, sink: PredictionSink, stop: threading.Event, done: Consumed, skip: bool
) -> bool:
    """Write predictions; False if we are stopped before. A model that is not initialised has none."""
    learned = set(_with_targets(model, batch))
    while batch.rows and model.learner.reader is not None:
        try:
            values = model.predict("predict", batch.rows).values.tolist()
        except RefusedRequest as error:
            bad = error.more.get("rows")
            if not bad or not skip:
                raise ValueError(f"{_reason(batch, bad[0]) if bad else error} {_WAY}") from None
            numbers = {one["row"] for one in bad}  # an answer names some at a time
            lost = [one for one in bad if one["row"] not in learned]  # the others are counted when they are learned
            done.skip(len(lost), [_reason(batch, one) for one in lost])
            batch = batch.at([i for i in range(len(batch.rows)) if i not in numbers])
            learned = set(_with_targets(model, batch))
            continue
        if not sink.write(batch.origins, values, stop):
            return False
        done.predicted += len(values)
        break
    return True


def _with_targets(model: HostedModel, batch: SourceBatch) -> list[int]:
    """The numbers of the rows that have a target."""
    reader = model.learner.reader
    target = reader.intake.schema.target if reader is not None else model.plan.target if model.plan else None
    return [i for i, row in enumerate(batch.rows) if target is None or row.get(target) is not None]


def _commit(model: HostedModel, batch: SourceBatch, stop: threading.Event, skip: bool) -> dict[str, Any] | None:
    """What became of the rows, when they are on the disk; None if we are stopped before."""
    while not stop.is_set():
        try:
            if batch.rows:
                found: dict[str, Any] = model.learn(batch.rows, skip=skip, offsets=dict(batch.positions)).result()
                return found
            model.submit(lambda transaction: _store(transaction, batch), 0).result()
            return {"accepted": 0, "refused": []}
        except ColumnsChanged:
            continue
        except RefusedRequest as error:
            bad = error.more.get("rows")
            if bad:
                raise ValueError(f"{_reason(batch, bad[0])} {_WAY}") from None
            if error.retry_after is None:
                raise ValueError(f"{batch.places[0] if batch.places else 'The source'}: {error}") from None
            stop.wait(min(error.retry_after, PAUSE))
        except LogUnavailable as error:
            log.warning("the rows wait: %s", error)
            stop.wait(PAUSE)
    return None


def _store(transaction: Transaction, batch: SourceBatch) -> None:
    for part, position in batch.positions.items():
        transaction.set_position(part, position)


def _reason(batch: SourceBatch, bad: dict[str, Any]) -> str:
    where = "" if bad["column"] is None else f", column {bad['column']!r}"
    return f"{batch.places[bad['row']]}{where}: {bad['reason']}"
