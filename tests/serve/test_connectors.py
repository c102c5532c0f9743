"""Sources of rows: learned once, in order, and continued where they were left."""

import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kernelstream.readers import Options
from kernelstream.serve import Service
from kernelstream.serve.connectors import Consumed, SourceBatch, consume, open_source
from kernelstream.serve.connectors.consume import stored_positions
from kernelstream.serve.connectors.tail import part_of

from .server_process import ROOT, ServerProcess, make_rows


def learned_rows(service: Service, source: Any, *, skip_bad: bool = False, stop: Any = None) -> Consumed:
    done = Consumed()
    consume(service.model("m"), source, stop or threading.Event(), done, skip_bad=skip_bad)
    return done


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_csv(rows: list[dict[str, Any]]) -> str:
    return "".join(",".join(str(value) for value in row.values()) + "\n" for row in rows)


def settled(service: Service) -> int:
    model = service.model("m")
    model.learner.learned(model.log.last).result(60)
    return int(service.stats("m")["rows"])


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_file_that_grows_is_learned_once(folder: Path, tmp_path: Path, form: str) -> None:
    rows = make_rows(60, seed=1)
    path, text = tmp_path / f"log.{form}", lines if form == "jsonl" else as_csv
    path.write_text(("" if form == "jsonl" else "a,b,c,y\n") + text(rows[:25]) + text(rows[25:26])[:-9])
    for _ in range(2):  # the second time there is nothing new
        service = Service(folder)
        found = learned_rows(service, open_source(f"tail:{path}", until_end=True))
        assert settled(service) == 128 + 25 and stored_positions(service.model("m")).keys() == {part_of(path)}
        service.close()
    assert found.rows == 0
    with path.open("a") as file:
        file.write(text(rows[25:26])[-9:] + text(rows[26:]))
    service = Service(folder)
    assert learned_rows(service, open_source(f"tail:{path}", until_end=True)).rows == 35
    assert settled(service) == 128 + 60
    service.close()


def test_a_folder_gets_new_files_while_it_is_read(folder: Path, tmp_path: Path) -> None:
    logs, stop, service = tmp_path / "logs", threading.Event(), Service(folder)
    logs.mkdir()
    (logs / "1.jsonl").write_text(lines(make_rows(10, seed=1)))
    (logs / "_SUCCESS").write_text("")
    done = Consumed()
    thread = threading.Thread(
        target=consume, args=(service.model("m"), open_source(f"tail:{logs}"), stop, done), kwargs={"skip_bad": False}
    )
    thread.start()
    try:
        for number, expected in ((2, 30), (3, 50)):
            (logs / f"{number}.jsonl").write_text(lines(make_rows(20, seed=number)))
            until = time.monotonic() + 30
            while done.rows < expected and time.monotonic() < until:
                time.sleep(0.02)
            assert done.rows == expected
    finally:
        stop.set()
        thread.join()
        service.close()


def test_bad_rows_are_named_by_their_place_and_learn_nothing(folder: Path, tmp_path: Path) -> None:
    path, rows = tmp_path / "log.jsonl", make_rows(5, seed=1)
    rows[3]["a"] = "blue"
    path.write_text(lines(rows[:2]) + "{oops\n" + lines(rows[2:]))
    service = Service(folder)
    with pytest.raises(ValueError, match=r"log\.jsonl, line 3: invalid JSON.*--skip-bad"):
        learned_rows(service, open_source(f"tail:{path}", until_end=True))
    assert settled(service) == 128 and stored_positions(service.model("m")) == {}
    found = learned_rows(service, open_source(f"tail:{path}", until_end=True), skip_bad=True)
    assert (found.rows, found.skipped) == (4, 2)
    assert "line 5, column 'a': 'blue' is not a number" in found.first[1]
    path.write_text("")
    with pytest.raises(ValueError, match=r"has 0 bytes, but [0-9]+ were read before"):
        learned_rows(service, open_source(f"tail:{path}", until_end=True))
    service.close()


def test_positions_without_rows_are_stored(folder: Path) -> None:
    class Tombstones:
        def seek(self, positions: Any) -> None:
            self.at = int(positions.get("part", 0))

        def batches(self) -> Any:
            yield SourceBatch()
            yield SourceBatch(positions={"part": str(self.at + 5)})

        def close(self) -> None: ...

    for expected in ("5", "10"):
        service = Service(folder)
        learned_rows(service, Tombstones())
        assert stored_positions(service.model("m")) == {"part": expected}
        service.close()


@pytest.mark.parametrize("text", ["kafka://", "kafka://host/", "kafka://host/a/b", "http://x", "file.csv"])
def test_sources_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="kafka://BROKER/TOPIC"):
        open_source(text, Options())


def command(folder: Path, *arguments: Any) -> list[str]:
    start = [sys.executable, "-m", "kernelstream", "consume", "--model", "m", "--data", str(folder)]
    return [*start, *map(str, arguments)]


def last_event(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "models" / "m" / "log.sqlite")) as database:
        return int(database.execute("SELECT last FROM counter").fetchone()[0])


def test_the_command_learns_a_pipe_and_stops_on_sigterm(tmp_path: Path, server_env: dict[str, str]) -> None:
    folder = tmp_path / "data"
    run = subprocess.run(
        [*command(folder, "-"), "--target", "y", "--first-rows", "64"], input=lines(make_rows(200)).encode(),
        capture_output=True, env=server_env, timeout=120,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "200 rows of - accepted by the model m." in run.stderr.decode()
    before, pipe = last_event(folder), subprocess.PIPE
    with subprocess.Popen(command(folder, "-"), stdin=pipe, stderr=pipe, env=server_env) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(lines(make_rows(10, seed=1)).encode())
        process.stdin.flush()
        until = time.monotonic() + 60
        while last_event(folder) == before and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert b"10 rows of - accepted" in process.stderr.read()
    service = Service(folder)
    assert settled(service) == 210
    service.close()
    other = command(tmp_path / "other", "-")
    run = subprocess.run(other, input=b"", capture_output=True, env=server_env, timeout=60)
    assert run.returncode == 2 and b"There is no model 'm'" in run.stderr and b"--target" in run.stderr


def test_a_model_predicts_while_it_learns_a_file(folder: Path, tmp_path: Path, server_env: dict[str, str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(lines(make_rows(40, seed=1)))
    server = ServerProcess(folder, env=server_env)
    line = [*command(folder, f"tail:{path}"), "--port", str(server.port)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, env=server_env) as process:
        try:
            until = time.monotonic() + 60
            for expected in (168, 188):
                while time.monotonic() < until and _rows(server) != expected:
                    time.sleep(0.05)
                assert _rows(server) == expected
                with path.open("a") as file:
                    file.write(lines(make_rows(20, seed=expected)))
            assert server.predict(make_rows(1)).json["predictions"][0] in ("p", "n")
            server.__exit__(None)  # its connection
            process.send_signal(signal.SIGTERM)
            assert process.wait(15) == 0
        finally:
            process.kill()
    service = Service(folder)
    positions = stored_positions(service.model("m"))
    learned_rows(service, open_source(f"tail:{path}", until_end=True))
    assert settled(service) == 208 and set(positions) == {part_of(path)}
    service.close()


def test_a_source_that_is_no_longer_read_is_a_problem_of_its_model(
    folder: Path, tmp_path: Path, server_env: dict[str, str]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(lines(make_rows(40, seed=1)))
    server = ServerProcess(folder, env=server_env)
    line = [*command(folder, f"tail:{path}"), "--port", str(server.port)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, env=server_env) as process:
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until and _rows(server) != 168:
                time.sleep(0.05)
            assert server.call("GET", "/ready").status == 200
            with path.open("a") as file:
                file.write("not a row\n")
            while time.monotonic() < until and server.call("GET", "/ready").status == 200:
                time.sleep(0.05)
            found = server.call("GET", "/ready")
            assert found.status == 503 and found.json["ready"] is False
            assert found.json["problems"]["m"].startswith("The source is no longer read: ")
            assert "line 41" in found.json["problems"]["m"]
            assert server.predict(make_rows(1)).status == 200  # which goes on
            server.__exit__(None)
            process.send_signal(signal.SIGTERM)
            assert process.wait(15) == 1
        finally:
            process.kill()


def _rows(server: ServerProcess) -> int | None:
    try:
        found: int | None = server.stats().get("rows")
        return found
    except OSError:
        return None


@pytest.fixture
def server_env() -> dict[str, str]:
    import os

    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}
