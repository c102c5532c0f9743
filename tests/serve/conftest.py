"""One server for the tests that do not end it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from kernelstream.serve import Service

from .in_process import PLAN, learned
from .server_process import ServerProcess, make_rows


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the model `m`, which has learned its first rows."""
    data = tmp_path_factory.mktemp("served") / "data"
    with ServerProcess(data, "--max-rows", "1000", "--max-body", "200000") as running:
        running.ready()
        yield running
        status, seconds = running.stop()
        assert status == 0 and seconds < 10.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Data with the model `m`, which has learned its first rows."""
    service = Service(tmp_path / "data")
    learned(service.create("m", PLAN), make_rows(128))
    service.close()
    return tmp_path / "data"
