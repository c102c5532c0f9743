"""`python -m benchmarks.serve`: a real server on 127.0.0.1 under load: kills, rows a second, latency, restart, memory,
a fresh environment.

Everything is bounded in count and time. `--quick` does a tenth of it; names of parts do only those. `memory` sends a
million requests, or `--requests`, which takes ten minutes and more.
"""

import argparse
import json
import os
import sqlite3
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.serve_bad import bad
from benchmarks.serve_common import make_rows, prepared, show
from benchmarks.serve_fresh import fresh
from benchmarks.serve_rates import memory, rates
from kernelstream.serve import Limits, Service
from kernelstream.serve.block_bytes import block_to_bytes
from kernelstream.serve.row_checks import RowChecker
from kernelstream.serve.snapshots import Snapshots
from tests.serve.in_process import PLAN, learned
from tests.serve.server_process import ROOT, ServerProcess
from tests.serve.server_process import make_rows as simple_rows
from tests.serve.test_kills import killed_server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--requests", type=int, default=1_000_000, help="of the part memory")
    parser.add_argument("--install", default=str(ROOT), help="of the part fresh: a source tree (this one) or a wheel")
    given = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    print(f"{'figure':62}{'measured':>22}{'bar':>14}")
    parts = PARTS | {"memory": partial(memory, requests=given.requests), "fresh": partial(fresh, what=given.install)}
    for name in given.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            parts[name](Path(folder), 0.1 if given.quick else 1.0)


def kills(folder: Path, scale: float) -> None:
    """kill −9 at random moments under load."""
    count = max(int(100 * scale), 5)
    found = killed_server(folder, count, seed=1)
    wrong = found["lost"] + found["twice"]
    what = f"{found['acknowledged']:,} rows acknowledged"
    show(f"{count} kills, {what}: lost or learned twice", f"{wrong}", "0", wrong == 0)
    show("model bit-equal to one that was not killed", str(found["equal"]), "True", bool(found["equal"]))


def kafka(folder: Path, scale: float) -> None:
    """A consumer of a topic that is killed."""
    from tests.serve.test_kafka import Topic, killed_consumer

    service = Service(folder / "data")
    learned(service.create("m", PLAN), simple_rows(128))
    service.close()
    count, topic = max(int(20 * scale), 3), Topic()
    try:
        moved = killed_consumer(folder / "data", topic, count, seed=1)
        good = f"once ({moved} moved on)"
    except AssertionError as error:
        moved, good = 0, traceback.extract_tb(error.__traceback__)[-1].line or "?"
    show(f"{count} kills of a consumer, {topic.sent:,} messages: each learned", good, "once", moved > 0)


def restart(folder: Path, scale: float) -> None:
    """From kill to answers, with many events behind and one snapshot per 100,000: as many after it as there can be."""
    events, every = int(1_000_000 * scale), int(100_000 * scale)
    server = ServerProcess(folder / "data", "--snapshot-rows", str(every), "--keep-events")
    with server:
        prepared(server)
        server.stop()
        _fill(server.data / "models" / "m", events, every)
        server.start()
        server.kill()
        start = time.monotonic()
        server.start()
        body = json.dumps({"rows": make_rows(1, 5, labels=False)}).encode()
        while server.call("POST", "/models/m/predict", body).status != 200:
            time.sleep(0.01)
        took = time.monotonic() - start
        behind = server.stats()
        show(f"kill to a prediction, {behind['events']:,} events in the log", f"{took:.1f} s", "≤ 5 s", took <= 5.0)
        accepted = server.learn(make_rows(1, 6))
        show("    a row to learn is accepted meanwhile", str(accepted.status == 200), "True", accepted.status == 200)
        server.wait_for(seconds=600)
        caught = time.monotonic() - start
        left = behind["events"] - behind["snapshot_event"]
        show(f"    until all {left:,} single rows after the snapshot are learned", f"{caught:.1f} s")


def _fill(folder: Path, events: int, every: int) -> None:
    """A log and snapshots as they would be after so many single rows; what the model has learned of them is not."""
    found = Snapshots(folder / "snapshots", 2).newest()
    assert found is not None
    block = RowChecker(found[0].intake, Limits()).to_learn(make_rows(2000, 9)).block
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


PARTS: dict[str, Callable[[Path, float], None]] = {
    "rates": rates, "kills": kills, "kafka": kafka, "bad": bad, "restart": restart, "memory": memory,
    "fresh": fresh,
}  # fmt: skip

if __name__ == "__main__":
    main()
