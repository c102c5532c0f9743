"""Who may do what."""

import subprocess
import sys
from pathlib import Path

import pytest

from kernelstream.serve.tokens import Tokens

from .server_process import ServerProcess, make_rows


def test_tokens_have_scopes_and_are_stored_as_hashes(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "data")
    secrets = {scope: tokens.add(scope) for scope in ("read", "write", "admin")}
    stored = (tmp_path / "data" / "tokens.json").read_text()
    assert not any(secret in stored for secret in secrets.values())
    with ServerProcess(tmp_path / "data", "--require-tokens", "--log-json") as server:
        assert server.call("GET", "/models").status == 401
        allowed = {"read": (200, 403, 403), "write": (200, 404, 403), "admin": (200, 404, 201)}
        for scope, expected in allowed.items():
            server.token = secrets[scope]
            found = (
                server.call("GET", "/models").status,
                server.learn(make_rows(1), "none").status,
                server.call("POST", "/models", {"name": "m", "target": "y"}).status,
            )
            assert found == expected
        server.token = secrets["admin"][:-1] + "x"
        assert server.call("GET", "/models").status == 401
        server.token = None
        assert server.call("GET", "/health").status == 200
        written = server.log.read_text()
        assert not any(secret in written for secret in secrets.values())


def test_without_its_packages_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['fastapi'] = None; from kernelstream.__main__ import main; main()"
    command = [sys.executable, "-c", code, "serve", "--data", str(tmp_path)]
    env = ServerProcess(tmp_path).env
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 3
    assert 'pip install "kernelstream[serve]"' in done.stderr and "Traceback" not in done.stderr


def test_another_address_needs_tokens(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Tokens are required on 0\\.0\\.0\\.0, and there are none"):
        ServerProcess(tmp_path / "data", host="0.0.0.0").start()
