"""A training run with checkpoints, which ends cleanly on a signal."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from ..readers import ChangedInput
from .deployed_size import describe_deployed
from .training import Training, TrainingProgress

# SIGHUP: the terminal was closed, or the connection to it was lost; Windows has no such signal
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


_HANG_UP = getattr(signal, "SIGHUP", None)
_SELDOM = 20  # times as long between checkpoints as one takes, at least


class RunResult(NamedTuple):
    """How a run ended."""

    saved: bool
    signal: int | None = None  #: that ended it
    error: Exception | None = None  #: that ended it, after rows had been learned


class _SignalHandler:
    """Remembers the signal received, if any."""

    def __init__(self, training: Training):
        self.training, self.received, self.at_once = training, 0, False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        # finish the batch first; but not while waiting for rows, which may never come, and not on a second signal
        again, self.received, self.training.stopped = self.received > 0, number, True
        if again and number == _HANG_UP:
            return  # kernel and shell both send one when a terminal is closed: nobody is in a hurry
        self.at_once = again
        if self.at_once or self.training.waiting:
            raise KeyboardInterrupt


@contextmanager
def _handled_signals(training: Training) -> Iterator[_SignalHandler]:
    """Handle signals that end a process; outside the main thread, where Python allows no handlers, do nothing."""
    handler = _SignalHandler(training)
    if threading.current_thread() is not threading.main_thread():
        yield handler
        return
    # what is ignored stays ignored: nohup asks for that
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield handler
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


def run(
    training: Training,
    path: str | os.PathLike[str] | None,
    checkpoint_every: int,
    watch: Callable[[TrainingProgress], None],
    checkpoint_seconds: float = 0.0,
) -> RunResult:
    """Train to the end and save the model, if there is a path; also every `checkpoint_every` examples and every
    `checkpoint_seconds`, where these are not 0. Checkpoints do not change the result, and take at most a twentieth of
    the time.

    If a signal or bad data ends the run, what was learned until then is saved; a second signal ends it without saving.

    Parameters
    ----------
    training : Training
        The run.
    path : str, path or None
        Where to save the model.
    checkpoint_every : int
        Examples between two checkpoints; 0 for none.
    watch : function
        Gets a `TrainingProgress` after every batch.
    checkpoint_seconds : float, default 0.0
        Seconds between two checkpoints; 0 for none.
    """
    from threadpoolctl import threadpool_limits

    error: Exception | None = None
    # on one thread: matrix products differ in their last digits with the number of threads
    with threadpool_limits(1, "blas"), _handled_signals(training) as handler:
        try:
            due, saved, pause = checkpoint_every, time.monotonic(), checkpoint_seconds
            known = None if training.pipeline is None else training.pipeline.curve.now.examples
            for progress in training.steps():
                watch(progress)
                if handler.received:
                    break
                if progress.examples in (0, known):
                    saved, known = time.monotonic(), progress.examples  # nothing was learned since
                    continue
                late = checkpoint_seconds and time.monotonic() - saved >= pause
                if late or (checkpoint_every and progress.examples >= due):
                    begun = time.monotonic()
                    _save(training, path)
                    saved, known = time.monotonic(), progress.examples
                    pause = max(checkpoint_seconds, _SELDOM * (saved - begun))
                    due = (progress.examples // checkpoint_every + 1) * checkpoint_every if checkpoint_every else 0
        except KeyboardInterrupt:
            if handler.at_once:
                raise  # in the middle of a batch: only the last checkpoint can be trusted
        except ChangedInput:
            raise  # nothing was learned, and the model file stays as it is
        except (ValueError, OSError) as caught:
            error = caught
        learned = training.pipeline is not None and training.pipeline.curve.now.examples > 0
        if error is not None and not learned:
            raise error
        if learned:
            _save(training, path)
    return RunResult(learned, handler.received or None, error)


def _save(training: Training, path: str | os.PathLike[str] | None) -> None:
    assert training.pipeline is not None
    describe_deployed(training.pipeline)
    if path is not None:
        training.pipeline.save(path)
