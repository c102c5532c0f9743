"""A source that is consumed in a thread, so that signals are heard and requests answered meanwhile."""

import logging
import threading

from ..hosted_model import HostedModel
from .consume import Consumed, consume
from .source import PredictionSink, Source

log = logging.getLogger(__name__)
_END = 2.0  # seconds for the batch that is being committed; a pipe may never end by itself


class ConsumerThread:
    """Consumes from its start until the source ends and everything is learned, something is wrong (`error`, which is
    logged if nobody waits for it), or it is stopped.

    Parameters
    ----------
    model : HostedModel
        A model of a `Service`.
    source : Source
        Where rows come from.
    done : Consumed
        What was done, which is updated.
    skip_bad : bool
        Whether bad rows are counted and passed over.
    log_error : bool, default False
        Whether an error is logged.
    sink : PredictionSink or None, default None
        Where predictions are written; rows are then predicted before they are learned.
    """

    def __init__(
        self, model: HostedModel, source: Source, done: Consumed, *, skip_bad: bool, log_error: bool = False,
        sink: PredictionSink | None = None,
    ):  # fmt: skip
        self.sink = sink
        self.model, self.source, self.done, self.skip_bad = model, source, done, skip_bad
        self.log_error = log_error
        self.stopping = threading.Event()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"consume {model.name}", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Until it has ended, or is to stop."""
        while self._thread.is_alive() and not self.stopping.is_set():
            self._thread.join(0.1)

    def stop(self) -> None:
        """End it. What was not committed is read again after the next start."""
        self.stopping.set()
        self._thread.join(_END)

    def _run(self) -> None:
        try:
            try:
                consume(self.model, self.source, self.stopping, self.done, skip_bad=self.skip_bad, sink=self.sink)
            finally:
                self.source.close()
            learned = self.model.learner.learned(self.model.log.last)
            while not learned.done() and not self.stopping.wait(0.05):
                pass
        except BaseException as error:
            self.error = error
            self.model.source_problem = f"The source is no longer read: {error}"
            if self.log_error:
                log.error("the source is no longer read: %s", error)
