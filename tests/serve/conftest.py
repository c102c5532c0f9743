"""One server for the tests that do not end it."""

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from .server_process import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the model `m`, which has learned its first rows."""
    data = tmp_path_factory.mktemp("served") / "data"
    with ServerProcess(data, "--max-rows", "1000", "--max-body", "200000") as running:
        running.ready()
        yield running
        status, seconds = running.stop()
        assert status == 0 and seconds < 10.0
