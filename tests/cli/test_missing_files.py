"""A missing file is named at once: nobody waits a second for scikit-learn and numba to hear of a misspelt name."""

import json
import subprocess
import sys

import pytest

COMMANDS = {
    "predict no.ks rows.csv": "no.ks: No such file or directory.",
    "predict here.ks no.csv": "File 'no.csv' not found.",
    "evaluate no.ks rows.csv": "no.ks: No such file or directory.",
    "inspect no.ks": "no.ks: No such file or directory.",
    "export no.ks --c model.h": "no.ks: No such file or directory.",
    "train no.csv": "File 'no.csv' not found.",
    "train --resume no.ks": "no.ks: No such file or directory.",
    "compare no.csv": "File 'no.csv' not found.",
}
PROGRAM = """
import json, sys
from typer.testing import CliRunner
from kernelstream.cli.app import app
found = {}
for command in json.loads(sys.argv[1]):
    result = CliRunner().invoke(app, command.split())
    found[command] = result.exit_code, result.stderr, sorted({"numpy", "numba", "sklearn"} & set(sys.modules))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("missing")
    (folder / "here.ks").write_text("")
    command = [sys.executable, "-c", PROGRAM, json.dumps([*COMMANDS])]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_named_before_anything_slow_is_imported(found, command):
    status, message, imported = found[command]
    assert (status, imported) == (1, [])
    assert message.strip() == f"kernelstream: {COMMANDS[command]}"
