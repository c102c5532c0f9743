"""`python -m benchmarks.serve`: a real server on 127.0.0.1 under load: kills, rows a second, latency, restart, memory.

Everything is bounded in count and time. `--quick` does a tenth of it; names of parts do only those.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kernelstream.serve import Limits
from kernelstream.serve.block_bytes import block_to_bytes
from kernelstream.serve.row_checks import RowChecker
from kernelstream.serve.snapshots import Snapshots
from tests.serve.server_process import ServerProcess
from tests.serve.test_http import BAD_BODIES, PATHS
from tests.serve.test_kills import killed_server

FEATURES, BUDGET = 20, 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    print(f"{'figure':62}{'measured':>22}{'bar':>14}")
    for name in given.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](Path(folder), 0.1 if given.quick else 1.0)


def show(figure: str, measured: str, bar: str = "", good: bool | None = None) -> None:
    mark = "" if good is None else "  yes" if good else "  NO"
    print(f"{figure:62}{measured:>22}{bar:>14}{mark}", flush=True)


def kills(folder: Path, scale: float) -> None:
    """kill −9 at random moments under load."""
    count = max(int(100 * scale), 5)
    found = killed_server(folder, count, seed=1)
    wrong = found["lost"] + found["twice"]
    what = f"{found['acknowledged']:,} rows acknowledged"
    show(f"{count} kills, {what}: lost or learned twice", f"{wrong}", "0", wrong == 0)
    show("model bit-equal to one that was not killed", str(found["equal"]), "True", bool(found["equal"]))


def rates(folder: Path, scale: float) -> None:
    """Rows a second, and predictions meanwhile."""
    seconds = max(20 * scale, 4.0)
    with ServerProcess(folder / "data", "--max-waiting", "20000") as server:
        _prepared(server)
        used = _cpu(server)
        rows, _, took = _load(server.port, 4, seconds, _batches(100))
        learned = _drained(server)
        rate = rows / (took + learned)
        show("rows/s learned, batches of 100, fsync", f"{rate:,.0f}", "≥ 10,000", rate >= 10_000)
        show("    CPU seconds of the server for 10,000 rows", f"{(_cpu(server) - used) / rows * 1e4:.2f}")
        used = _cpu(server)
        rows, _, took = _load(server.port, 8, seconds, _batches(1))
        rate = rows / (took + _drained(server))
        show("rows/s, single rows from 8 clients, fsync", f"{rate:,.0f}", "≥ 1,200", rate >= 1200)
        show("    CPU milliseconds of the server for a row", f"{(_cpu(server) - used) / rows * 1e3:.2f}")
        _latency(server, seconds)


def _latency(server: ServerProcess, seconds: float) -> None:
    quiet = _predictions(server, 300)
    show("predict one row, nothing learned: median, 99 %", f"{quiet[0]:.1f}, {quiet[1]:.1f} ms")
    context = multiprocessing.get_context("spawn")
    load = context.Process(target=_load, args=(server.port, 2, seconds, _batches(100)))
    load.start()
    time.sleep(1.0)
    found = _predictions(server, int(seconds * 60))
    load.join()
    good = found[0] <= 3.0 and found[1] <= 15.0
    show("predict one row while learning: median, 99 %", f"{found[0]:.1f}, {found[1]:.1f} ms", "≤ 3, ≤ 15 ms", good)


def _predictions(server: ServerProcess, count: int) -> tuple[float, float]:
    """Median and 99 % of milliseconds, one request after the other with pauses."""
    body, took = json.dumps({"rows": _rows(1, 5, labels=False)}).encode(), []
    for _ in range(count):
        start = time.perf_counter()
        assert server.call("POST", "/models/m/predict", body).status == 200
        took.append((time.perf_counter() - start) * 1e3)
        time.sleep(0.01)
    return float(np.median(took)), float(np.quantile(took, 0.99))


def memory(folder: Path, scale: float) -> None:
    """Resident memory over many requests."""
    total = int(1_000_000 * scale * 0.1)  # a tenth of the bar's number of requests, in minutes
    with ServerProcess(folder / "data", "--snapshot-rows", "20000") as server:
        _prepared(server)
        sizes = []
        for part in range(5):
            _load(server.port, 4, 600.0, _batches(1), most=total // 20)
            _drained(server)
            sizes.append(_resident(server))
            show(f"    resident memory after {(part + 1) * total // 5:,} requests", f"{sizes[-1]:.0f} MB")
        growth = sizes[-1] / sizes[1] - 1.0
        show(f"growth of memory over the last {total * 3 // 5:,} requests", f"{growth:+.1%}", "≤ 5 %", growth <= 0.05)


def bad(folder: Path, scale: float) -> None:
    """Bad requests: mutations of good ones and noise."""
    count, draw = int(10_000 * scale), random.Random(0)
    good = json.dumps({"rows": _rows(2, 1), "ids": ["a", "b"]}).encode()
    kinds = ["application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream", "text/plain"]
    wrong, statuses = 0, dict[int, int]()
    with ServerProcess(folder / "data") as server:
        _prepared(server)
        before = server.stats()["rows"]
        for _ in range(count):
            body = bytearray(draw.choice([*BAD_BODIES, good]))
            for _ in range(draw.randrange(4)):
                if body:
                    body[draw.randrange(len(body))] = draw.randrange(256)
            path = draw.choice(PATHS) + draw.choice(["", "", "", "?bad_rows=x", "?id_column=x0", "?%00=%ff"])
            answer = server.call(draw.choice(["POST"] * 9 + ["PUT"]), path, bytes(body), kind=draw.choice(kinds))
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            accepted = "learn" in path and answer.status == 200  # the mutation has made other numbers of it
            wrong += answer.status >= 500 or b"Traceback" in answer.data
            before += answer.json["accepted"] if accepted else 0
        same = server.wait_for()["rows"] == before
    print(f"    statuses: {dict(sorted(statuses.items()))}")
    show(f"{count:,} bad requests: answers 500 or with a traceback", str(wrong), "0", wrong == 0)
    show("    the model has learned nothing of them but rows that were accepted", str(same), "True", same)


def restart(folder: Path, scale: float) -> None:
    """From kill to answers, with many events behind and one snapshot per 100,000: as many after it as there can be."""
    events, every = int(1_000_000 * scale), int(100_000 * scale)
    server = ServerProcess(folder / "data", "--snapshot-rows", str(every), "--keep-events")
    with server:
        _prepared(server)
        server.stop()
        _fill(server.data / "models" / "m", events, every)
        server.start()
        server.kill()
        start = time.monotonic()
        server.start()
        body = json.dumps({"rows": _rows(1, 5, labels=False)}).encode()
        while server.call("POST", "/models/m/predict", body).status != 200:
            time.sleep(0.01)
        took = time.monotonic() - start
        behind = server.stats()
        show(f"kill to a prediction, {behind['events']:,} events in the log", f"{took:.1f} s", "≤ 5 s", took <= 5.0)
        accepted = server.learn(_rows(1, 6))
        show("    a row to learn is accepted meanwhile", str(accepted.status == 200), "True", accepted.status == 200)
        server.wait_for(seconds=600)
        caught = time.monotonic() - start
        left = behind["events"] - behind["snapshot_event"]
        show(f"    until all {left:,} single rows after the snapshot are learned", f"{caught:.1f} s")


def _fill(folder: Path, events: int, every: int) -> None:
    """A log and snapshots as they would be after so many single rows; what the model has learned of them is not."""
    found = Snapshots(folder / "snapshots", 2).newest()
    assert found is not None
    block = RowChecker(found[0].intake, Limits()).to_learn(_rows(2000, 9)).block
    payloads = [block_to_bytes(block.take(slice(i, i + 1))) for i in range(len(block))]
    database = sqlite3.connect(folder / "log.sqlite")
    first = found[1] + 1
    database.executemany(
        "INSERT INTO events VALUES (?, 'block', ?, 0)",
        ((seq, payloads[seq % len(payloads)]) for seq in range(first, first + events)),
    )
    last = first + events - 1
    database.execute("UPDATE counter SET last = ?", (last,))
    database.commit()
    database.close()
    for seq in (last - 2 * every + 1, last - every + 1):
        Snapshots(folder / "snapshots", 2).write(found[0], seq)


def _prepared(server: ServerProcess) -> None:
    server.create(budget=BUDGET, first_rows=256)
    assert server.learn(_rows(256, 0)).status == 200
    server.wait_for(seconds=300)
    for count in (1, 100):  # compiled or loaded by now
        assert server.learn(_rows(count, 1), query="?wait=true").status == 200
        assert server.predict(_rows(count, 1)).status == 200


def _rows(count: int, seed: int, labels: bool = True) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, FEATURES)).round(4)
    names = [f"x{i}" for i in range(FEATURES)]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    if labels:
        for row, a, b in zip(rows, X[:, 0], X[:, 1], strict=True):
            row["y"] = "p" if a * b > 0 else "n"
    return rows


def _batches(size: int) -> list[bytes]:
    return [json.dumps({"rows": _rows(size, seed)}).encode() for seed in range(20)]


def _load(port: int, clients: int, seconds: float, bodies: list[bytes], most: int = 10**9) -> tuple[int, int, float]:
    """Rows acknowledged, answers 429, and seconds, by several processes that send as fast as they are answered."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(clients) as pool:
        start = time.monotonic()
        found = pool.starmap(_client, [(port, seconds, bodies, most)] * clients)
        took = time.monotonic() - start
    size = len(json.loads(bodies[0])["rows"])
    return size * sum(done for done, _ in found), sum(refused for _, refused in found), took


def _client(port: int, seconds: float, bodies: list[bytes], most: int) -> tuple[int, int]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    until, done, refused = time.monotonic() + seconds, 0, 0
    while time.monotonic() < until and done < most:
        connection.request("POST", "/models/m/learn", bodies[done % len(bodies)], {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status == 200:
            done += 1
        else:
            assert answer.status == 429
            refused += 1
            time.sleep(0.05)
    connection.close()
    return done, refused


def _drained(server: ServerProcess) -> float:
    start = time.monotonic()
    while server.call("GET", "/models").json["models"][0]["waiting_rows"]:
        time.sleep(0.02)
    return time.monotonic() - start


def _cpu(server: ServerProcess) -> float:
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(server: ServerProcess) -> float:
    assert server.process is not None
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


PARTS: dict[str, Callable[[Path, float], None]] = {
    "kills": kills, "rates": rates, "bad": bad, "memory": memory, "restart": restart,
}  # fmt: skip

if __name__ == "__main__":
    main()
