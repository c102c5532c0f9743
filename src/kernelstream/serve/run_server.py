"""The process: a service behind HTTP until a signal ends it."""

import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from .http_app import make_app
from .http_guard import LOOPBACK, Guard
from .limits import Limits
from .service import Service
from .tokens import Tokens

try:
    import uvicorn
except ImportError as error:
    raise ImportError(f'A server needs uvicorn ({error}): pip install "kernelstream[serve]"') from None

log = logging.getLogger(__name__)
GRACE = 3  # seconds for requests that have begun
SWITCH = 0.0003  # seconds that a thread keeps the interpreter: predictions wait for less


@dataclass(frozen=True)
class Address:
    """Where a server listens."""

    host: str = "127.0.0.1"
    port: int = 8080
    tls_cert: Path | None = None
    tls_key: Path | None = None
    require_tokens: bool = False

    @property
    def loopback(self) -> bool:
        return self.host in LOOPBACK


class _Server(uvicorn.Server):
    """Ends cleanly on signals: uvicorn's own handler would raise them once more at the end."""

    stopping: threading.Event

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.stopping.set()  # streams to pages end, for which uvicorn would wait
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        heard = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run_server(
    data: Path, address: Address, limits: Limits = Limits(),
    beside: Callable[[Service], AbstractContextManager[object]] = nullcontext,
) -> None:  # fmt: skip
    """Serve until SIGTERM or SIGINT; then finish requests, save snapshots and return. What `beside` makes of the
    service is entered before the first request and left after the last."""
    tokens = Tokens(data)
    required = address.require_tokens or not address.loopback
    if required and not len(tokens):
        raise ValueError(
            f"Tokens are required on {address.host}, and there are none. Make one: kernelstream serve token add --data "
            f"{data} --scope admin"
        )
    from threadpoolctl import threadpool_limits

    service = Service(data, limits)
    sys.setswitchinterval(SWITCH)
    try:
        hosts = frozenset(LOOPBACK) if address.loopback else None
        app = Guard(make_app(service), tokens, limits, require_tokens=required, hosts=hosts)
        config = uvicorn.Config(
            app, host=address.host, port=address.port, log_config=None, access_log=False, server_header=False,
            timeout_graceful_shutdown=GRACE, timeout_keep_alive=30, lifespan="off",
            ssl_certfile=address.tls_cert, ssl_keyfile=address.tls_key, backlog=512,
        )  # fmt: skip
        # on one thread: matrix products differ in their last digits with the number of threads
        with threadpool_limits(1, "blas"), beside(service):
            server = _Server(config)
            server.stopping = service.stopping
            server.run()
    finally:
        log.info("stopping: saving snapshots")
        service.close()
        log.info("stopped")
