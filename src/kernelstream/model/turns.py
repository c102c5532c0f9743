"""Turns: one thread at a time changes a model, any number of threads read it, and none sees it half changed.

A reader takes no lock. It reads, and reads again if the version says that somebody changed the model meanwhile. After a
few attempts, or while a long call learns, it waits for the lock; a writer that holds it for long is asked to give way
between two rows.
"""

import os
import threading
import weakref
from collections.abc import Callable
from typing import TypeVar

import numpy as np

T = TypeVar("T")

ATTEMPTS = 3
PATIENCE = 0.005  # seconds that a reader waits before it interrupts a writer: those who wait meanwhile read together
ROUND = 0.1  # seconds that a writer waits at most for the readers before it


class Turns:
    """A lock for writers, used as `with turns:`, and a version for readers.

    >>> turns = Turns()
    >>> with turns:
    ...     turns.version
    1
    >>> turns.version, turns.read(lambda: "unchanged while it was read")
    (2, 'unchanged while it was read')
    """

    __slots__ = (
        "__weakref__", "_depth", "_readers", "_reading", "_resting", "_served", "_waiting", "lock", "stop", "version",
    )  # fmt: skip

    def __init__(self) -> None:
        self.version = 0  # odd while a writer is at work
        self.stop = np.zeros(1, np.int64)  # not 0 asks the compiled loop to return before the next row
        self._renew()
        _ALL.add(self)

    def _renew(self) -> None:
        self.lock = threading.RLock()  # a second writer waits for it
        self._depth = 0
        self._readers = threading.Condition()
        self._waiting = self._reading = self._served = 0
        self._resting = False  # the writer waits for readers

    # The version is made odd or even, whatever it was: after an interrupt, odd still means that somebody writes.

    def begin(self) -> None:
        """The model changes from now on; the caller holds the lock."""
        self.version |= 1

    def end(self) -> None:
        """What is there now is whole."""
        self.version = (self.version | 1) + 1

    def __enter__(self) -> None:
        self.lock.acquire()
        self._depth += 1
        self.begin()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.end()
        self.lock.release()

    def read(self, job: Callable[[], T]) -> T:
        """The result of `job`, which reads the model, from a state that nobody changed meanwhile."""
        for _ in range(ATTEMPTS):
            version = self.version
            if version % 2:
                break
            try:
                result = job()
            except Exception:
                if self.version == version:
                    raise
            else:
                if self.version == version:
                    return result
        with self._readers:
            self._waiting += 1
        try:
            while not self.lock.acquire(timeout=PATIENCE):  # the writer itself has it already
                self.stop[0] = 1
                found = self._read_while_it_rests(job)
                if found is not None:
                    return found[0]
            try:
                return job()
            finally:
                self.lock.release()
        finally:
            with self._readers:
                self._waiting -= 1
                self._served += 1
                self._readers.notify_all()

    def _read_while_it_rests(self, job: Callable[[], T]) -> tuple[T] | None:
        entered = False
        try:
            with self._readers:
                self._readers.wait_for(lambda: self._resting, PATIENCE)
                self._reading += self._resting
                entered = self._resting
            return (job(),) if entered else None
        finally:
            if entered:
                with self._readers:
                    self._reading -= 1
                    self._readers.notify_all()

    def give_way(self) -> None:
        """Called by the writer, between two rows: let those who wait now read first."""
        self.stop[0] = 0
        self.end()
        try:
            with self._readers:
                last, self._resting = self._served + self._waiting, True
                self._readers.notify_all()
                self._readers.wait_for(lambda: self._served >= last, ROUND)
        finally:
            self._let_them_finish()

    def _let_them_finish(self) -> None:
        """Wait for readers that have begun, even if this is interrupted, and go on writing."""
        try:
            with self._readers:
                self._resting = False
                self._readers.wait_for(lambda: self._reading == 0)
        except KeyboardInterrupt:
            self._let_them_finish()
            raise
        self.begin()


_ALL: weakref.WeakSet[Turns] = weakref.WeakSet()


def _after_fork() -> None:
    """The child has the locks as other threads of its parent held them, but not those threads. What one of them was
    changing may be half changed in the child."""
    for turns in list(_ALL):
        turns._renew()
        turns.end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
