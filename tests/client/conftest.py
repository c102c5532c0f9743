"""One server for the tests that do not end it."""

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

from kernelstream.client import Client

from ..serve.server_process import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the model `m`, which has learned its first rows."""
    with ServerProcess(tmp_path_factory.mktemp("client") / "data") as running:
        running.ready()
        yield running


@pytest.fixture
def client(server: ServerProcess) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{server.port}") as found:
        yield found
