"""`kernelstream learn --url` and `predict --url` against a real server."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from kernelstream.client import Client

from ..serve.server_process import ServerProcess, make_rows


def command(*arguments: Any, server: ServerProcess, name: str = "m", input: bytes | None = None) -> Any:
    url = f"http://127.0.0.1:{server.port}/models/{name}"
    line = [sys.executable, "-m", "kernelstream", arguments[0], "--url", url, *map(str, arguments[1:])]
    return subprocess.run(line, capture_output=True, input=input, env=server.env, timeout=120)


def write(rows: list[dict[str, Any]], path: Path) -> Path:
    frame = pd.DataFrame(rows)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=True)
    return path


def test_the_same_model_from_every_format(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    rows, found = make_rows(400, seed=11), []
    for suffix in ("jsonl", "csv", "parquet"):
        client.create(suffix, "y", budget=20, first_rows=128)
        path = write(rows, tmp_path / f"rows.{suffix}")
        run = command("learn", path, "--batch", 128, "--wait", server=server, name=suffix)
        assert run.returncode == 0, run.stderr
        assert run.stderr.decode().startswith("400 rows accepted by http://127.0.0.1:")
        assert client.inspect(suffix)["rows"] == 400
        found.append(client.predict_proba(suffix, rows))
    assert found[0] == found[1] == found[2]


def test_predictions_are_those_of_the_client(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    rows = [row | {"id": f"{i:03}"} for i, row in enumerate(make_rows(30, seed=12))]
    path, expected = write(rows, tmp_path / "new.csv"), client.predict_proba("m", rows)
    run = command("predict", path, "--keep", "id", "--proba", server=server)
    assert run.returncode == 0, run.stderr
    lines = list(csv.DictReader(io.StringIO(run.stdout.decode())))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert [float(line["probability_p"]) for line in lines] == [one["p"] for one in expected]
    assert all(line["prediction"] == max(one, key=one.get) for line, one in zip(lines, expected, strict=True))
    bad = path.read_text().splitlines()
    bad[4] = bad[4].replace(",", ",,", 1)
    bad[9] = ",".join(["blue", *bad[9].split(",")[1:]])
    run = command("predict", "-", "--to", "jsonl", "--skip-bad", server=server, input="\n".join(bad).encode())
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert [line["line"] for line in lines] == [i for i in range(2, 32) if i not in (5, 10)]
    assert "Skipped 2 bad lines" in run.stderr.decode()
    assert "standard input, line 10, column 'a': 'blue' is not a number" in run.stderr.decode()


def test_a_bad_row_is_named_by_its_line(server: ServerProcess, client: Client, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [row | {"id": i + 5000} for i, row in enumerate(make_rows(30, seed=13))]
    rows[25]["y"] = None
    path = write(rows, tmp_path / "rows.jsonl")
    run = command("learn", path, "--batch", 10, "--id-column", "id", server=server)
    assert run.returncode == 1
    assert "20 rows accepted by" in run.stderr.decode()
    assert f"{path}, line 26, column 'y': " in run.stderr.decode() and "--skip-bad" in run.stderr.decode()
    run = command("learn", path, "--id-column", "id", "--skip-bad", "--json", server=server)
    assert json.loads(run.stdout) == {"accepted": 9, "duplicates": 20, "skipped": 1}


@pytest.mark.parametrize(("arguments", "status", "sentence"), [
    (["learn", "x.svm"], 1, "the rows need column names"),
    (["learn", "gone.csv"], 1, "File 'gone.csv' not found."),
    (["predict", "x.svm", "--scores"], 2, "A server gives predictions and probabilities"),
])  # fmt: skip
def test_commands_that_cannot_be(server: ServerProcess, tmp_path: Path, arguments: list[str], status: int,
                                 sentence: str) -> None:  # fmt: skip
    (tmp_path / "x.svm").write_text("1 1:0.5 2:1\n0 1:2\n")
    paths = [str(tmp_path / a) if a == "x.svm" else a for a in arguments]
    run = command(*paths, server=server)
    assert run.returncode == status and sentence in run.stderr.decode()


def test_urls_without_a_model(server: ServerProcess, tmp_path: Path) -> None:
    run = command("learn", write(make_rows(1), tmp_path / "a.csv"), server=server, name="")
    assert run.returncode == 2 and "it must end in /models/ and the name of a model" in run.stderr.decode()
