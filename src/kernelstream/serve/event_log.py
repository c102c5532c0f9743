"""The event log of a model: SQLite, one thread that commits, and what is acknowledged is on the disk.

Whoever writes hands in a piece of work and gets a future. The committing thread takes all work that waits, does it in
one transaction, commits, and resolves the futures: many small writes share one wait for the disk.
"""

import contextlib
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..readers import RowBlock
from ..readers.blocks import concatenate
from .block_bytes import block_of, block_to_bytes
from .event_tables import PAGE, create_tables, open_database

log = logging.getLogger(__name__)
BLOCK = "block"  # the kind of events with rows
JOINED = 1024  # rows of an event that several requests share
AT_ONCE = 256  # pieces of work in a transaction
_KEYS = 500  # asked for in a statement


class LogUnavailable(Exception):
    """The log cannot be written now; nothing of the work was done."""


class LoggedEvent(NamedTuple):
    """An event of the log."""

    seq: int
    kind: str
    payload: bytes
    content: Any = None  #: what the payload stands for, if it is in memory


class Transaction:
    """What a piece of work may do. All of it is committed together, or nothing.

    Parameters
    ----------
    database : sqlite3.Connection
        The log.
    seq : int
        The number of the last event.
    """

    def __init__(self, database: sqlite3.Connection, seq: int):
        self.database, self.seq, self.events = database, seq, list[LoggedEvent]()
        self._joined = list[RowBlock]()

    def append(self, kind: str, payload: bytes, content: Any = None) -> int:
        """An event at the end of the log; its number."""
        self.end_block()
        self.seq += 1
        self._insert(kind, payload, content)
        return self.seq

    def append_rows(self, block: RowBlock) -> int:
        """Rows at the end of the log; the number of their event, which they share with rows of the same transaction:
        many rows are learned faster than each by itself."""
        if sum(map(len, self._joined)) + len(block) > JOINED:
            self.end_block()
        self.seq += not self._joined
        self._joined.append(block)
        return self.seq

    def end_block(self) -> None:
        """The event of rows that were appended."""
        if self._joined:
            block = concatenate(self._joined)
            assert isinstance(block.numeric, np.ndarray)
            block = block_of(block.numeric, block.categorical, block.target, block.weight)
            self._joined = []
            self._insert(BLOCK, block_to_bytes(block), block)

    def mark(self) -> tuple[int, int, int]:
        """Where the transaction is."""
        return self.seq, len(self.events), len(self._joined)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Without what was done after a mark; SQLite's part is rolled back by the caller."""
        self.seq = mark[0]
        del self.events[mark[1] :]
        del self._joined[mark[2] :]

    def _insert(self, kind: str, payload: bytes, content: Any) -> None:
        self.database.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (self.seq, kind, payload, time.time()))
        self.events.append(LoggedEvent(self.seq, kind, payload, content))

    def known(self, ids: Collection[str]) -> set[str]:
        """Those of the ids that were remembered before."""
        found, listed = set[str](), list(ids)
        for at in range(0, len(listed), _KEYS):
            some = listed[at : at + _KEYS]
            marks = ",".join("?" * len(some))
            found.update(row[0] for row in self.database.execute(f"SELECT id FROM ids WHERE id IN ({marks})", some))
        return found

    def remember(self, ids: Collection[str]) -> None:
        """Ids of what was just appended, so that it is not appended again."""
        self.database.executemany("INSERT OR IGNORE INTO ids VALUES (?, ?)", [(name, self.seq) for name in ids])

    def position(self, source: str) -> str | None:
        """How far a source has been read."""
        row = self.database.execute("SELECT position FROM offsets WHERE source = ?", (source,)).fetchone()
        return None if row is None else str(row[0])

    def set_position(self, source: str, position: str) -> None:
        """Record how far a source has been read, together with the events that came from it."""
        self.database.execute("INSERT OR REPLACE INTO offsets VALUES (?, ?)", (source, position))


Work = Callable[[Transaction], Any]


class EventLog:
    """The log in one file.

    Parameters
    ----------
    path : path
        The SQLite file; it is created if there is none.
    on_commit : function
        Gets the events of every commit.

    Examples
    --------
    >>> import tempfile
    >>> log = EventLog(Path(tempfile.mkdtemp()) / "log.sqlite")
    >>> log.submit(lambda transaction: transaction.append("rows", b"[1]")).result(), log.last
    (1, 1)
    >>> [event.payload for event in log.after(0)]
    [b'[1]']
    >>> log.close()
    """

    def __init__(self, path: Path, on_commit: Callable[[list[LoggedEvent]], None] = lambda events: None):
        self.path, self.on_commit = path, on_commit
        self.pause: Callable[[], float] = lambda: 0.0  #: seconds to wait for more work before a commit
        self._database = open_database(path)
        create_tables(self._database)
        row = self._database.execute("SELECT last FROM counter").fetchone()
        self.last: int = row[0]  #: number of the last event
        self.failure: str | None = None  #: why the last commit failed
        self._waiting = deque[tuple[Work, Future[Any]]]()
        self._wake, self._closed = threading.Condition(), False
        self._thread = threading.Thread(target=self._run, name=f"commit {path.parent.name}", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> "Future[Any]":
        """Do the work in a transaction; the future has its result when that is on the disk."""
        future: Future[Any] = Future()
        with self._wake:
            if self._closed:
                raise LogUnavailable("The model is being closed.")
            self._waiting.append((work, future))
            self._wake.notify()
        return future

    def after(self, seq: int, until: int | None = None) -> Iterator[LoggedEvent]:
        """The events after a number, in order, from a connection of their own."""
        with contextlib.closing(open_database(self.path)) as database:
            last = self.last if until is None else until
            while seq < last:
                query = "SELECT seq, kind, payload FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
                page = database.execute(query, (seq, last, PAGE)).fetchall()
                for row in page:
                    yield LoggedEvent(*row)
                if not page:
                    return
                seq = page[-1][0]

    def first(self) -> int | None:
        """The number of the oldest event that is kept."""
        with contextlib.closing(open_database(self.path)) as database:
            found: int | None = database.execute("SELECT min(seq) FROM events").fetchone()[0]
            return found

    def kinds_after(self, seq: int) -> set[str]:
        """The kinds of the events after a number."""
        with contextlib.closing(open_database(self.path)) as database:
            return {row[0] for row in database.execute("SELECT DISTINCT kind FROM events WHERE seq > ?", (seq,))}

    def close(self) -> None:
        """Commit what waits, and close the file."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join()
        self._database.close()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
            pause = 0.0 if self._closed else self.pause()
            if pause:
                time.sleep(pause)
            with self._wake:
                some = [self._waiting.popleft() for _ in range(min(len(self._waiting), AT_ONCE))]
            self._commit([(work, future) for work, future in some if future.set_running_or_notify_cancel()])

    def _commit(self, some: list[tuple[Work, "Future[Any]"]]) -> None:
        transaction = Transaction(self._database, self.last)
        done = list[tuple[Future[Any], Any, Exception | None]]()
        try:
            self._database.execute("BEGIN IMMEDIATE")
            for work, future in some:
                done.append((future, *self._one(work, transaction)))
            transaction.end_block()
            if transaction.seq != self.last:
                self._database.execute("UPDATE counter SET last = ?", (transaction.seq,))
            self._database.execute("COMMIT")
        except Exception as error:  # whatever it is, nothing was committed, and whoever waits is told
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            self.failure = f"The event log cannot be written ({error})."
            log.error("the log %s cannot be written: %s", self.path, error)
            for _, future in some:
                future.set_exception(LogUnavailable(self.failure))
            return
        self.failure, self.last = None, transaction.seq
        if transaction.events:
            self.on_commit(transaction.events)
        for future, result, wrong in done:
            if wrong is None:
                future.set_result(result)
            else:
                future.set_exception(wrong)

    def _one(self, work: Work, transaction: Transaction) -> tuple[Any, Exception | None]:
        """The result of one piece of work, or its error, after which nothing of it remains."""
        mark = transaction.mark()
        self._database.execute("SAVEPOINT work")
        try:
            result = work(transaction)
        except sqlite3.Error:
            raise
        except Exception as error:
            self._database.execute("ROLLBACK TO work")
            transaction.back_to(mark)
            return None, error
        finally:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("RELEASE work")
        return result, None
