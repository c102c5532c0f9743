"""Answers that get lost, and servers that are busy or killed: every row is learned once."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kernelstream.client import Client, ServerUnavailable

from ..serve.server_process import ServerProcess, make_rows

DROP = "drop"  # close the connection without an answer


@contextmanager
def between(answers: list[Any], forward: Callable[[str, str, dict[str, str], bytes], bytes] | None = None) -> Iterator:
    """A server that gives these answers one after the other: (status, headers), or `DROP` when the request is done."""
    seen = list[tuple[float, str, dict[str, str], bytes]]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen.append((time.monotonic(), self.path, headers, body))
            done = b"{}" if forward is None else forward("POST", self.path, headers, body)
            answer = answers.pop(0) if answers else (200, {})
            if answer == DROP:
                self.close_connection = True
                return
            data = done if answer[0] == 200 else json.dumps({"error": "Too many."}).encode()
            self.send_response(answer[0])
            for name, value in (answer[1] | {"content-length": str(len(data))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_rows_whose_answer_is_lost_are_learned_once(server: ServerProcess) -> None:
    def forward(method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
        key = {"idempotency_key": headers["idempotency-key"]} if "idempotency-key" in headers else {}
        return server.call(method, path, body, **key).data

    before = server.wait_for()["rows"]
    with between([DROP, DROP, (200, {}), DROP], forward) as (url, seen), Client(url) as client:
        assert client.learn("m", make_rows(30, seed=5)) == {"accepted": 30, "duplicates": 0, "refused": []}
        found = client.learn("m", make_rows(5, seed=6), ids=["once-1", "once-2", "once-3", "once-4", "once-5"])
        assert found["accepted"] + found["duplicates"] == 5
    assert len(seen) == 5 and len({entry[2]["idempotency-key"] for entry in seen[:3]}) == 1
    assert server.wait_for()["rows"] == before + 35


def test_a_busy_server_is_asked_again_after_the_time_that_it_says() -> None:
    with between([(429, {"retry-after": "1"}), (503, {})]) as (url, seen), Client(url) as client:
        client._connection.send("POST", "/x", b"{}")
    times = [entry[0] for entry in seen]
    assert len(times) == 3 and times[1] - times[0] >= 1.0 and times[2] - times[1] < 1.0


def test_patience_ends() -> None:
    with between([(429, {"retry-after": "1"})] * 50) as (url, seen):
        sentence = r"Too many\. \(attempts: 1\)"
        with Client(url, retry_for=0.5) as client, pytest.raises(ServerUnavailable, match=sentence):
            client._connection.send("POST", "/x", b"{}")
        assert len(seen) == 1


def test_what_may_have_been_done_is_not_done_again() -> None:
    with between([DROP]) as (url, seen), Client(url) as client:
        with pytest.raises(ServerUnavailable, match="Whether the request was done is unknown"):
            client.create("new", "y")
        assert len(seen) == 1


def test_a_server_that_is_killed_while_the_client_learns(tmp_path: Path) -> None:
    rows, size = make_rows(4000, seed=7), 40
    with ServerProcess(tmp_path / "data") as server:
        server.ready()
        before = server.stats()["rows"]
        results = list[dict[str, Any]]()

        def send() -> None:
            with Client(f"http://127.0.0.1:{server.port}", batch=size) as client:
                results.append(client.learn("m", rows))

        thread = threading.Thread(target=send)
        thread.start()
        kills = 0
        while kills < 3 and thread.is_alive():
            time.sleep(0.15)
            server.kill()
            server.start()
            kills += 1
        thread.join(120)
        assert results == [{"accepted": 4000, "duplicates": 0, "refused": []}]
        assert server.wait_for()["rows"] == before + 4000 and kills >= 1
