"""Rows a second, predictions meanwhile, and memory: parts of `python -m benchmarks.serve`."""

import json
import time
from pathlib import Path

import numpy as np

from benchmarks.serve_common import cpu_seconds, drained, learn_requests, make_rows, prepared, resident_mb, show
from benchmarks.serve_load import Client, LoadProcess, load, post
from tests.serve.server_process import ServerProcess

PAUSE = 0.01  # seconds between two predictions
SAMPLED = 50_000  # requests between two looks at the memory


def rates(folder: Path, scale: float) -> None:
    """Rows a second, and predictions meanwhile."""
    seconds = max(20 * scale, 4.0)
    with ServerProcess(folder / "data", "--max-waiting", "20000") as server:
        prepared(server)
        _rate(server, "rows/s learned, batches of 100, fsync", 100, 4, seconds, 10_000)
        _rate(server, "rows/s, single rows from 8 clients, fsync", 1, 8, seconds, 1_200)
        quiet = _predictions(server, 300)
        show("predict one row, nothing learned: median, 99 %", f"{quiet[0]:.1f}, {quiet[1]:.1f} ms")
        with LoadProcess(server.port, 2, seconds, learn_requests(100)):
            time.sleep(1.0)
            found = _predictions(server, int((seconds - 1.0) * 60))
        good = found[0] <= 3.0 and found[1] <= 15.0
        show("predict one row while learning: median, 99 %", f"{found[0]:.1f}, {found[1]:.1f} ms", "≤ 3, ≤ 15 ms", good)


def _rate(server: ServerProcess, figure: str, size: int, clients: int, seconds: float, bar: int) -> None:
    used = cpu_seconds(server)
    done = load(server.port, clients, seconds, learn_requests(size))
    rows = size * done.answered
    rate = rows / (done.seconds + drained(server))
    show(figure, f"{rate:,.0f}", f"≥ {bar:,}", rate >= bar)
    show("    CPU milliseconds of the server for a row", f"{(cpu_seconds(server) - used) / rows * 1e3:.3f}")
    show("    share of a core that the load generator used", f"{done.cpu / done.seconds:.0%}")


def _predictions(server: ServerProcess, count: int) -> tuple[float, float]:
    """Median and 99 % of milliseconds, one request after the other with pauses."""
    body, took = json.dumps({"rows": make_rows(1, 5, labels=False)}).encode(), []
    client = Client(server.port, [post("/models/m/predict", body)])
    for _ in range(count):
        start = time.perf_counter()
        client.send()
        while (status := client.receive()) is None:
            pass
        assert status == 200
        took.append((time.perf_counter() - start) * 1e3)
        time.sleep(PAUSE)
    client.close()
    return float(np.median(took)), float(np.quantile(took, 0.99))


def memory(folder: Path, scale: float, requests: int = 1_000_000) -> None:
    """Resident memory over many requests: half of them learn a row, half predict one."""
    total = int(requests * scale)
    parts = max(total // SAMPLED, 10)
    ask = post("/models/m/predict", json.dumps({"rows": make_rows(1, 5, labels=False)}).encode())
    both = [request for learn in learn_requests(1) for request in (learn, ask)]
    with ServerProcess(folder / "data", "--snapshot-rows", "20000") as server:
        prepared(server)
        sizes = []
        for part in range(1, parts + 1):
            load(server.port, 8, 3600.0, both, most=total // parts)
            drained(server)
            sizes.append(resident_mb(server))
            show(f"    resident memory after {part * total // parts:,} requests", f"{sizes[-1]:.0f} MB")
        growth = sizes[-1] / sizes[parts // 5 - 1] - 1.0
        what = f"growth of memory over the last {total * 4 // 5:,} requests"
        show(what, f"{growth:+.1%}", "≤ 5 %", growth <= 0.05)
