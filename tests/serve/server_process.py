"""A real server process on a free port of 127.0.0.1, always stopped."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Answer:
    """Status, headers and the JSON or bytes of an answer."""

    def __init__(self, status: int, headers: dict[str, str], data: bytes):
        self.status, self.headers, self.data = status, headers, data

    @property
    def json(self) -> Any:
        return json.loads(self.data)


class ServerProcess:
    """`kernelstream serve` on a folder; a context manager that ends it."""

    def __init__(self, data: Path, *options: str, host: str = "127.0.0.1", env: dict[str, str] | None = None):
        self.data, self.options, self.host, self.port = data, options, host, free_port()
        self.env = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": f"{ROOT / 'src'}"} | (env or {})
        self.process: subprocess.Popen[bytes] | None = None
        self.token: str | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0

    def __enter__(self) -> "ServerProcess":
        return self.start()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._disconnect()
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def start(self, wait: float = 60.0) -> "ServerProcess":
        command = [sys.executable, "-m", "kernelstream", "serve", "--data", str(self.data), "--port", str(self.port)]
        command += ["--host", self.host, *self.options]
        self._disconnect()
        self.log = self.data.parent / f"server-{self.port}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=self.env, stderr=log, stdout=log)
        until = time.monotonic() + wait
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
            try:
                if self.call("GET", "/health").status == 200:
                    return self
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"the server does not answer: {self.log.read_text()[-2000:]}")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def kill(self) -> None:
        """As kill -9 does."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> tuple[int, float]:
        """SIGTERM; the exit status, and the seconds it took."""
        assert self.process is not None
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(30)
        return status, time.monotonic() - start

    def call(
        self, method: str, path: str, body: Any = None, *, kind: str = "application/json", **headers: str
    ) -> Answer:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {} if data is None else {"content-type": kind}
        sent |= {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        if time.monotonic() - self._used > 10.0:  # the server closes connections that nobody uses
            self._disconnect()
        connection = self._connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self._connection, self._used = None, time.monotonic()
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        found = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        if answer.will_close:
            connection.close()
        else:
            self._connection = connection
        return found

    def create(self, name: str = "m", **more: Any) -> None:
        plan = {"target": "y", "budget": 20, "first_rows": 128} | more
        answer = self.call("POST", "/models", {"name": name, **plan})
        assert answer.status == 201, answer.data

    def learn(self, rows: Any, name: str = "m", query: str = "", **more: Any) -> Answer:
        return self.call("POST", f"/models/{name}/learn{query}", {"rows": rows, **more})

    def predict(self, rows: Any, name: str = "m", **more: Any) -> Answer:
        return self.call("POST", f"/models/{name}/predict", {"rows": rows, **more})

    def stats(self, name: str = "m") -> Any:
        return self.call("GET", f"/models/{name}").json

    def wait_for(self, phase: str = "ready", name: str = "m", seconds: float = 120.0) -> Any:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.stats(name)
            if found.get("phase") == phase and found["learned_events"] == found["events"]:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{name} is not {phase} after {seconds} s: {found}")

    def ready(self, name: str = "m", **more: Any) -> None:
        """A model that has learned its first rows."""
        self.create(name, **more)
        assert self.learn(make_rows(128), name).status == 200
        self.wait_for(name=name)


def make_rows(count: int, seed: int = 0, colours: int = 3) -> list[dict[str, Any]]:
    """Rows with two numbers and a categorical column; the label is the sign of a product."""
    rng = np.random.default_rng(seed)
    X, words = rng.normal(size=(count, 2)).round(4), rng.integers(colours, size=count)
    return [
        {"a": a, "b": b, "c": f"colour {word}", "y": "p" if a * b > 0 else "n"}
        for (a, b), word in zip(X.tolist(), words.tolist(), strict=True)
    ]
