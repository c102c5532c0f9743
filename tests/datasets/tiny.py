"""A data set of twelve rows, and a server on this machine that has it."""

import bz2
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import numpy as np

from kernelstream.datasets.real.content_check import ExactContent, digest
from kernelstream.datasets.real.data_set import DataFile, DataSetInfo, Origin
from kernelstream.datasets.real.file_formats import libsvm

X = np.random.default_rng(0).integers(-9, 9, (12, 3)) / 2
Y = np.array([1, 2] * 6)
TEXT = "".join(
    f"{label} " + " ".join(f"{j}:{value}" for j, value in enumerate(row, 1) if value) + "\n"
    for label, row in zip(Y, X, strict=True)
).encode()
PACKED = bz2.compress(TEXT)


def tiny(*urls: str, sha256: str | None = None) -> DataSetInfo:
    """The set, and the addresses that it is to be had from."""
    origins = tuple(Origin(url, f"tiny-{i}", libsvm(3), sha256) for i, url in enumerate(urls))
    return DataSetInfo("tiny", 3, "binary", "made up", DataFile("tiny.bz2", 12, ExactContent(digest(X, Y)), origins))


class Answer(NamedTuple):
    body: bytes
    status: int = 200
    promised: int | None = None  # the length that the server announces, if it lies


class Server(NamedTuple):
    url: str
    answers: dict[str, Answer]
    asked: list[str]


@contextmanager
def serving() -> Iterator[Server]:
    """A server that gives the answers that are put into its dict, and writes down what it was asked for."""
    answers: dict[str, Answer] = {}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body, status, promised = answers.get(self.path, Answer(b"", 404))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) if promised is None else promised))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *message: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Server(f"http://127.0.0.1:{server.server_port}", answers, asked)
        finally:
            server.shutdown()
            thread.join()
