"""What the parts of `python -m benchmarks.serve` share: the model, its rows, and figures beside their bars."""

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.serve_load import post
from tests.serve.server_process import ServerProcess

FEATURES, BUDGET = 20, 500


def show(figure: str, measured: str, bar: str = "", good: bool | None = None) -> None:
    """A line of the table."""
    mark = "" if good is None else "  yes" if good else "  NO"
    print(f"{figure:62}{measured:>22}{bar:>14}{mark}", flush=True)


def prepared(server: ServerProcess) -> None:
    """A model of 20 features and 500 support vectors that has learned."""
    server.create(budget=BUDGET, first_rows=256)
    assert server.learn(make_rows(256, 0)).status == 200
    server.wait_for(seconds=300)
    for count in (1, 100):  # compiled or loaded by now
        assert server.learn(make_rows(count, 1), query="?wait=true").status == 200
        assert server.predict(make_rows(count, 1)).status == 200


def make_rows(count: int, seed: int, labels: bool = True) -> list[dict[str, Any]]:
    """Rows of 20 normal numbers; the label is the sign of a product."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, FEATURES)).round(4)
    names = [f"x{i}" for i in range(FEATURES)]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    if labels:
        for row, a, b in zip(rows, X[:, 0], X[:, 1], strict=True):
            row["y"] = "p" if a * b > 0 else "n"
    return rows


def learn_requests(size: int) -> list[bytes]:
    """Requests to learn so many rows each."""
    return [post("/models/m/learn", json.dumps({"rows": make_rows(size, seed)}).encode()) for seed in range(20)]


def drained(server: ServerProcess) -> float:
    """Seconds until nothing waits to be learned."""
    start = time.monotonic()
    while server.call("GET", "/models").json["models"][0]["waiting_rows"]:
        time.sleep(0.02)
    return time.monotonic() - start


def cpu_seconds(server: ServerProcess) -> float:
    """Used by the process so far."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(server: ServerProcess) -> float:
    """Resident memory of the process."""
    assert server.process is not None
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
