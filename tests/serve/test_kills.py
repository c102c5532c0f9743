"""kill −9 under load: nothing acknowledged is lost or learned twice, and the model is the one without a crash."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from kernelstream.serve import Limits, Service

from .server_process import ServerProcess, make_rows

KILLS = 5


def test_a_server_that_is_killed_equals_one_that_is_not(tmp_path: Path) -> None:
    report = killed_server(tmp_path, KILLS, seed=0)
    assert report["lost"] == 0 and report["twice"] == 0
    assert report["equal"]
    assert report["kills"] == KILLS and report["acknowledged"] > 100


def killed_server(folder: Path, kills: int, seed: int, clients: int = 3) -> dict[str, Any]:
    """Send events with ids while the server is killed again and again; every event is sent until it is acknowledged."""
    draw = random.Random(seed)
    server = ServerProcess(folder / "data", "--snapshot-rows", "300", "--keep-events")
    with server:
        server.ready()
        acknowledged: list[str] = []
        done = threading.Event()
        threads = [
            threading.Thread(target=_client, args=(server.port, number, seed, acknowledged, done))
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                time.sleep(draw.uniform(0.05, 0.6))
                server.kill()
                server.start()
        finally:
            time.sleep(0.3)
            done.set()
            for thread in threads:
                thread.join()
        server.wait_for()
        status, _ = server.stop()
        assert status == 0
    return _compared(folder, acknowledged) | {"kills": kills}


def _client(port: int, number: int, seed: int, acknowledged: list[str], done: threading.Event) -> None:
    """Sends rows one event after the other, again with the same ids if there was no answer."""
    import http.client

    draw, at = random.Random(seed * 1000 + number), 0
    for _ in range(20_000):
        if done.is_set():
            return
        rows = make_rows(draw.choice([1, 1, 3, 20, 100]), seed=draw.randrange(10**6), colours=30)
        ids = [f"{number}-{at + i}" for i in range(len(rows))]
        body = json.dumps({"rows": rows, "ids": ids})
        for _ in range(2000):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            try:
                connection.request("POST", "/models/m/learn", body, {"content-type": "application/json"})
                answer = connection.getresponse()
                found = answer.read()
                if answer.status == 200:
                    acknowledged.extend(ids)
                    at += len(rows)
                    break
                assert answer.status in (429, 503), found
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            if done.is_set():
                return
            time.sleep(0.02)


def _compared(folder: Path, acknowledged: list[str]) -> dict[str, Any]:
    """Whether the log has every acknowledged id once, and whether the snapshot equals a model that learned it all."""
    import sqlite3

    from kernelstream.serve.block_bytes import block_from_bytes
    from kernelstream.serve.event_log import BLOCK

    model = folder / "data" / "models" / "m"
    newest = max((model / "snapshots").glob("*.ks"))
    database = sqlite3.connect(model / "log.sqlite")
    known = {row[0].removeprefix("row:") for row in database.execute("SELECT id FROM ids")}
    events = database.execute("SELECT kind, payload FROM events ORDER BY seq").fetchall()
    database.close()
    logged = sum(len(block_from_bytes(payload)) for kind, payload in events if kind == BLOCK)
    again = folder / "again"
    (again / "models").mkdir(parents=True)
    (again / "models" / "m").mkdir()
    for name in ("model.json", "log.sqlite"):
        (again / "models" / "m" / name).write_bytes((model / name).read_bytes())
    service = Service(again, Limits(keep_events=True, stop_seconds=600.0))
    assert service.model("m").learner.caught_up.wait(600.0)
    learned = service.stats("m")["rows"]
    service.close()
    fresh = max((again / "models" / "m" / "snapshots").glob("*.ks"))
    return {
        "acknowledged": len(acknowledged),
        "lost": len(set(acknowledged) - known),
        "twice": logged - len(known),
        "rows": learned,
        "equal": newest.name == fresh.name and newest.read_bytes() == fresh.read_bytes(),
    }


def test_chunks_of_a_block_are_those_of_the_log(tmp_path: Path) -> None:
    """The same events, once all at once and once with stops between them."""
    files = []
    for stops in (False, True):
        folder = tmp_path / str(stops)
        service = Service(folder)
        service.create("m", {"target": "y", "budget": 20, "first_rows": 128})
        service.model("m").learn(make_rows(128)).result()
        service.model("m").learner.learned(1).result(300)
        for seed, count in enumerate([1, 70, 200, 3], start=1):
            if stops:
                service.close()
                service = Service(folder)
            service.model("m").learn(make_rows(count, seed, colours=50)).result()
        service.close()
        files.append(max((folder / "models" / "m" / "snapshots").glob("*.ks")).read_bytes())
    assert files[0] == files[1]
    assert np.frombuffer(files[0], np.uint8).size > 1000
