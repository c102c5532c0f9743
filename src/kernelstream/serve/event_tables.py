"""The tables of an event log, and what is deleted from them."""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .event_log import Transaction

PAGE = 200  # events read at a time
BATCH = 200  # rows deleted in a transaction

_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, payload BLOB NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS counter (last INTEGER NOT NULL);
INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
CREATE TABLE IF NOT EXISTS ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ids_seq ON ids (seq);
CREATE TABLE IF NOT EXISTS offsets (source TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, payload BLOB NOT NULL, deadline REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pending_deadline ON pending (deadline);
"""


def open_database(path: Path) -> sqlite3.Connection:
    """A connection that waits for the disk at every commit and begins transactions only when told."""
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30.0)
    database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # has an effect on a new file only
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA journal_size_limit = 33554432")
    return database


def create_tables(database: sqlite3.Connection) -> None:
    """The tables that are not there yet."""
    database.executescript(_TABLES)


def forget_events(transaction: "Transaction", until: int) -> bool:
    """Delete some of the events up to a number; whether there are more."""
    database = transaction.database
    query = "DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE seq <= ? ORDER BY seq LIMIT ?)"
    deleted = database.execute(query, (until, BATCH)).rowcount
    database.execute("PRAGMA incremental_vacuum(1000)").fetchall()
    return deleted == BATCH


def forget_ids(transaction: "Transaction", until: int) -> bool:
    """Delete some of the ids of events up to a number; whether there are more."""
    query = "DELETE FROM ids WHERE id IN (SELECT id FROM ids WHERE seq <= ? LIMIT ?)"
    return transaction.database.execute(query, (until, BATCH)).rowcount == BATCH
