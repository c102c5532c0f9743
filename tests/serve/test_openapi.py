"""The OpenAPI page is true: schemathesis sends what it allows and what it does not, and looks at the answers."""

import subprocess
import sys
from pathlib import Path

import pytest

from .server_process import ServerProcess

pytest.importorskip("schemathesis")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
EXAMPLES = 15  # of each endpoint and phase


def run(server: ServerProcess, folder: Path, *options: str, config: str = "") -> str:
    """What schemathesis prints; it fails if an answer is not as the page says."""
    path = folder / "schemathesis.toml"
    path.write_text(config)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(path), "run"]
    command += [f"http://127.0.0.1:{server.port}/openapi.json", "--checks", CHECKS, "--max-examples", str(EXAMPLES)]
    command += ["--phases", "examples,coverage,fuzzing", "--seed", "1", "--no-color", "--generation-database", "none"]
    found = subprocess.run([*command, *options], capture_output=True, text=True, cwd=folder, timeout=300)
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    return found.stdout


def test_answers_are_as_the_page_says(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.ready()
        before, stats = server.call("GET", "/models/m/file").data, server.stats()
        run(server, tmp_path)  # names of models are drawn, so hardly any request meets one
        aimed = ("--exclude-path-regex", "/(archive|file|metrics)$", "--exclude-method", "DELETE")
        run(server, tmp_path, *aimed, config='parameters = { "path.name" = "m" }\n')
        after = server.wait_for()
        assert after["errors"].get("500") is None and after["errors"]["422"] > stats["errors"].get("422", 0)
        assert after["events"] == stats["events"]
        assert server.call("GET", "/models/m/file").data == before
        assert "Traceback" not in server.log.read_text()
