"""Predictions that wait for their label, and labels that wait for their prediction, in the tables of the log.

What happens to a label is decided when it is written, by the clock of that moment; a replay only learns the outcome.
"""

import json
import time
from typing import Any, NamedTuple

from .event_log import Transaction

PREDICTED, LABELLED, LEARNED, EXPIRED = "predicted", "labelled", "learned", "expired"  # states of an id
_PURGED = 50  # ids whose time is over, looked after in a transaction


class Label(NamedTuple):
    """The label of a prediction with an id."""

    value: Any
    weight: float | None = None  #: 1 if none is given


class PendingLabels:
    """What one model knows about ids."""

    def __init__(self, deadline: float, most: int, count: int):
        self.deadline, self.most = deadline, most
        self.count = count  #: predictions and labels that wait

    def keep(self, transaction: Transaction, name: str, features: bytes) -> tuple[str, Label | None]:
        """Keep the features of a prediction. The outcome, and the label that came before it, if any: kept, duplicate,
        expired, full, or learned, when the caller learns it."""
        state, payload, deadline = self._find(transaction, name)
        if state == LABELLED and deadline >= time.time():
            self._set(transaction, name, LEARNED, b"", deadline)
            self.count -= 1
            return "learned", Label(*json.loads(payload))
        if state in (PREDICTED, LEARNED):
            return "duplicate", None
        if state == EXPIRED:
            return "expired", None
        if self.count >= self.most:
            return "full", None
        self._set(transaction, name, PREDICTED, features, time.time() + self.deadline)
        self.count += state is None
        return "kept", None

    def label(self, transaction: Transaction, name: str, label: Label) -> tuple[str, bytes | None]:
        """What becomes of a label, and the features to learn it with, if it is learned: learned, duplicate, expired,
        waiting for its prediction, or full."""
        state, payload, deadline = self._find(transaction, name)
        if state == PREDICTED and deadline >= time.time():
            self._set(transaction, name, LEARNED, b"", deadline)
            self.count -= 1
            return "learned", payload
        if state == PREDICTED:
            self._set(transaction, name, EXPIRED, b"", deadline)
            self.count -= 1
            return "expired", None
        if state == EXPIRED:
            return "expired", None
        if state == LEARNED or (state == LABELLED and deadline >= time.time()):
            return "duplicate", None
        if self.count >= self.most:
            return "full", None
        self._set(transaction, name, LABELLED, json.dumps(label).encode(), time.time() + self.deadline)
        self.count += state is None
        return "waiting", None

    def expire_all(self, transaction: Transaction) -> None:
        """The model is replaced: features of the old one are of no use, and its labels may be of other classes."""
        transaction.database.execute(
            "UPDATE pending SET state = ?, payload = x'' WHERE state IN (?, ?)", (EXPIRED, PREDICTED, LABELLED)
        )

    def purge(self, transaction: Transaction) -> None:
        """Forget some of those whose time is over: features at the deadline, ids after as long again."""
        database, now = transaction.database, time.time()
        late = "SELECT id FROM pending WHERE deadline < ? AND state IN ('predicted', 'labelled') LIMIT ?"
        query = f"UPDATE pending SET state = 'expired', payload = x'' WHERE id IN ({late})"
        self.count -= database.execute(query, (now, _PURGED)).rowcount
        old = "SELECT id FROM pending WHERE deadline < ? AND state IN ('learned', 'expired') LIMIT ?"
        database.execute(f"DELETE FROM pending WHERE id IN ({old})", (now - self.deadline, _PURGED))

    def _find(self, transaction: Transaction, name: str) -> tuple[str | None, bytes, float]:
        query = "SELECT state, payload, deadline FROM pending WHERE id = ?"
        row = transaction.database.execute(query, (name,)).fetchone()
        return (None, b"", 0.0) if row is None else row

    def _set(self, transaction: Transaction, name: str, state: str, payload: bytes, deadline: float) -> None:
        transaction.database.execute(
            "INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)", (name, state, payload, deadline)
        )


def count_pending(transaction: Transaction) -> int:
    """How many wait."""
    query = "SELECT count(*) FROM pending WHERE state IN ('predicted', 'labelled')"
    found: int = transaction.database.execute(query).fetchone()[0]
    return found
