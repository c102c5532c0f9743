"""Load on a server: requests over connections that stay open, from one thread that costs little beside the server.

Requests are bytes made beforehand, and of answers only status and length are read: a client library would use more of
the cores than the server that is measured.
"""

import multiprocessing
import selectors
import socket
import time
from contextlib import suppress
from typing import Any, NamedTuple

PAUSE = 0.05  # seconds after an answer 429


class Done(NamedTuple):
    """What a load has done."""

    answered: int  #: requests answered 200
    refused: int  #: answered 429
    seconds: float
    cpu: float  #: seconds of the load generator itself


class Client:
    """One connection; its next request is sent when the last is answered."""

    def __init__(self, port: int, requests: list[bytes], first: int = 0):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests, self.next, self.got, self.resume = requests, first, b"", 0.0

    def send(self) -> None:
        """The next request."""
        self.socket.sendall(self.requests[self.next % len(self.requests)])
        self.next += 1

    def receive(self) -> int | None:
        """The status of the answer, if it is complete."""
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionError("the server has closed the connection")
        self.got += more
        head, end, body = self.got.partition(b"\r\n\r\n")
        if not end:
            return None
        at = head.lower().index(b"content-length:") + 15
        if len(body) < int(head[at:].split(b"\r\n", 1)[0]):
            return None
        self.got = b""
        return int(head[9:12])

    def close(self) -> None:
        self.socket.close()


def post(path: str, body: bytes) -> bytes:
    """A request."""
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    return f"{head}\r\n\r\n".encode() + body


def load(port: int, clients: int, seconds: float, requests: list[bytes], most: int = 10**9) -> Done:
    """Send requests from so many connections as fast as they are answered, for some seconds, `most` at most."""
    watch, start, used = selectors.DefaultSelector(), time.monotonic(), time.process_time()
    waiting, sent, answered, refused = list[Client](), 0, 0, 0
    some = [Client(port, requests, i * 7) for i in range(clients)]
    for client in some[:most]:
        watch.register(client.socket, selectors.EVENT_READ, client)
        client.send()
        sent += 1
    open_requests = sent
    while open_requests:
        now = time.monotonic()
        for client in [known for known in waiting if known.resume <= now]:
            waiting.remove(client)
            open_requests -= 1
            if now - start < seconds and sent < most:
                client.send()
                sent, open_requests = sent + 1, open_requests + 1
        for key, _ in watch.select(PAUSE):
            client = key.data
            status = client.receive()
            if status is None:
                continue
            assert status in (200, 429), status
            answered, refused = answered + (status == 200), refused + (status == 429)
            if status == 429:
                client.resume = time.monotonic() + PAUSE
                waiting.append(client)
            elif time.monotonic() - start < seconds and sent < most:
                client.send()
                sent += 1
            else:
                open_requests -= 1
    for client in some:
        client.close()
    return Done(answered, refused, time.monotonic() - start, time.process_time() - used)


class LoadProcess:
    """The same in a process of its own, from the beginning of a `with` block to its end."""

    def __init__(self, *arguments: Any):
        context = multiprocessing.get_context("spawn")
        self._results = context.Queue()
        self._process = context.Process(target=_into, args=(self._results, arguments), daemon=True)
        self.done: Done | None = None

    def __enter__(self) -> "LoadProcess":
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            self.done = self._results.get(timeout=600)
        self._process.join(10)


def _into(results: Any, arguments: tuple[Any, ...]) -> None:
    results.put(load(*arguments))
