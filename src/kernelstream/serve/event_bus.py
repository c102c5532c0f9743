"""What happens in a service, for those who watch it: pages, metrics, connectors."""

import logging
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

log = logging.getLogger(__name__)


class ServiceEvent(NamedTuple):
    """Something that happened to a model: created, ready, learned, snapshot, replaced, failed, archived or deleted."""

    kind: str
    model: str
    about: dict[str, Any]


class EventBus:
    """Calls those who listen, in the thread where it happens: they must be quick.

    Examples
    --------
    >>> bus, heard = EventBus(), []
    >>> stop = bus.listen(heard.append)
    >>> bus.tell("learned", "clicks", rows=100)
    >>> stop()
    >>> bus.tell("learned", "clicks", rows=1)
    >>> heard
    [ServiceEvent(kind='learned', model='clicks', about={'rows': 100})]
    """

    def __init__(self) -> None:
        self._listeners: tuple[Callable[[ServiceEvent], None], ...] = ()
        self._lock = threading.Lock()

    def listen(self, listener: Callable[[ServiceEvent], None]) -> Callable[[], None]:
        """Call `listener` with every event from now on, until the function that is returned is called."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._lock:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return stop

    def tell(self, kind: str, model: str, **about: Any) -> None:
        """An event, to all who listen."""
        for listener in self._listeners:
            try:
                listener(ServiceEvent(kind, model, about))
            except Exception:
                log.exception("a listener failed at %s of %s", kind, model)
