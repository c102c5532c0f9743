"""A run to its end, with checkpoints, that a signal ends in good order."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from .training import News, Training

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Outcome(NamedTuple):
    """How a run ended."""

    saved: bool
    signal: int | None = None  #: that ended it
    error: Exception | None = None  #: that ended it, after rows had been learned


class _Stop:
    """The signal that came, if one did."""

    def __init__(self, training: Training):
        self.training, self.received, self.at_once = training, 0, False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        # a batch is finished first; but rows may never come, and who asks twice means at once
        self.at_once, self.received = self.received > 0, number
        if self.at_once or self.training.waiting:
            raise KeyboardInterrupt


@contextmanager
def _listening(training: Training) -> Iterator[_Stop]:
    """Take note of SIGINT and SIGTERM instead of dying of them; in a thread, where that cannot be, go on without."""
    stop = _Stop(training)
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(
    training: Training, path: str | os.PathLike[str], checkpoint_every: int, watch: Callable[[News], None]
) -> Outcome:
    """Learn everything and save it; every so many examples meanwhile, if that is not 0.

    If a signal or bad data ends it, what was learned until then is saved all the same; a second signal ends it without.
    """
    from threadpoolctl import threadpool_limits

    error: Exception | None = None
    # on one thread, because products of several differ in their last digits from one number of threads to another
    with threadpool_limits(1, "blas"), _listening(training) as stop:
        try:
            due = checkpoint_every
            for news in training.steps():
                watch(news)
                if stop.received:
                    break
                if checkpoint_every and news.examples >= due:
                    _save(training, path)
                    due = (news.examples // checkpoint_every + 1) * checkpoint_every
        except KeyboardInterrupt:
            if stop.at_once:
                raise  # in the middle of a batch: the last checkpoint is what can be trusted
        except (ValueError, OSError) as caught:
            error = caught
    learned = training.trained is not None and training.trained.curve.now.examples > 0
    if error is not None and not learned:
        raise error
    if learned:
        _save(training, path)
    return Outcome(learned, stop.received or None, error)


def _save(training: Training, path: str | os.PathLike[str]) -> None:
    assert training.trained is not None
    training.trained.save(path)
