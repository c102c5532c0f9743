"""The command line: how much slower than its parts, and how flat its memory stays.

`kernelstream train` on covtype as bzip2 does everything at once: decompress, parse, scale, predict and learn. It must
take at most (time to learn the array + time to read the file) / 0.6, and less than 400 MB. A generated stream of 2 GB
then goes through a pipe; the memory of the process at its end is compared with that after a tenth of it.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.figure import Bar, Result, cells
from benchmarks.report import arguments, console, failed, show, verdict, write
from kernelstream.pipeline import Settings, Training
from kernelstream.pipeline.first_rows import untrained_pipeline
from kernelstream.readers import FileStream, RowReader

BUDGET = 500
COLUMNS = ("figure", "ours", "reference", "ratio", "bar", "verdict")
MEBIBYTE = 1 << 20


def train(*options: str) -> list[str]:
    return [sys.executable, "-m", "kernelstream", "train", *options, "--json", "--quiet"]


def resident(process: int) -> float:
    """Mebibytes of memory that a process has had at most, from Linux."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return float("nan")


def watch(command: list[str], stdin: int | None = None) -> tuple[subprocess.Popen, list[float]]:
    """Start a process, and note its memory as long as it lives."""
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE)
    marks: list[float] = []

    def look() -> None:
        while process.poll() is None:
            try:
                marks.append(resident(process.pid))
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(0.05)

    threading.Thread(target=look, daemon=True).start()
    return process, marks


def finished(process: subprocess.Popen) -> dict[str, Any]:
    out, _ = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"kernelstream train ended with {process.returncode}.")
    found: dict[str, Any] = json.loads(out)
    return found


def whole_command(path: str, folder: str) -> tuple[float, float]:
    """Seconds of wall-clock time, start-up included, and mebibytes."""
    start = time.perf_counter()
    process, marks = watch(train(path, "--budget", str(BUDGET), "--in-order", "-o", f"{folder}/m.ks", "--force"))
    finished(process)
    return time.perf_counter() - start, max(marks)


def reading(path: str) -> float:
    """Seconds to read all rows, as the command reads them."""
    start = time.perf_counter()
    rows = RowReader(FileStream([path]))
    while rows.take(1024) is not None:
        pass
    return time.perf_counter() - start


def learning(path: str) -> float:
    """Seconds to learn the array, in the command's batches, without predicting first."""
    settings = Settings(parameters={"budget": BUDGET})
    training = Training.start([path], settings)
    rows = RowReader(training.stream)
    trained = untrained_pipeline(settings, training.stream, rows)
    parts = []
    while (block := rows.take(1024)) is not None:
        parts.append(trained.intake.usable(block, rows.refuse, learn=True)[1:])
    X, y = (np.concatenate(part) for part in zip(*parts, strict=True))
    trained.estimator.model_.scores_many(X[:2])
    with threadpool_limits(1, "blas"):
        trained.estimator.partial_fit(X[:1024], y[:1024])  # compiles
        start = time.perf_counter()
        for i in range(0, len(y), 1024):
            trained.estimator.partial_fit(X[i : i + 1024], y[i : i + 1024])
    return time.perf_counter() - start


def covtype(path: str, folder: str) -> list[Result]:
    whole_command(path, folder)  # compiles, and fills the file cache
    learned, read = learning(path), reading(path)
    taken, memory = whole_command(path, folder)
    parts = learned + read
    return [
        Result("covtype: array learned, file read", learned, read, "s"),
        Result("covtype: parts against the command", parts, taken, "s", parts / taken, Bar(low=0.6)),
        Result("covtype: memory", memory, unit="MiB", bar=Bar(high=400e6 / MEBIBYTE)),
    ]


def endless(file: "Tenth", size: int) -> None:
    """So many bytes of CSV, the same rows again and again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 10))
    colours = rng.choice(["red", "green", "blue"], 5000)
    rows = (f"{','.join(map(repr, x))},{c},{int(x[0] * x[1] > 0)}\n" for x, c in zip(X.tolist(), colours, strict=True))
    block = "".join(rows).encode()
    file.write(b"a,b,c,d,e,f,g,h,i,j,colour,y\n")
    for _ in range(-(-size // len(block))):
        file.write(block)
    file.close()


def piped(size: int, folder: str) -> tuple[float, float, float]:
    """Megabytes that went through a pipe per second, and the memory after a tenth of them and at the end."""
    process, marks = watch(train("-", "--budget", "20", "-o", f"{folder}/s.ks", "--force"), subprocess.PIPE)
    assert process.stdin is not None
    start = time.perf_counter()
    tenth = Tenth(process.stdin, size // 10, lambda: marks[-1])
    endless(tenth, size)
    process.stdin = None  # it is closed
    finished(process)
    return size / 1e6 / (time.perf_counter() - start), tenth.memory, max(marks)


class Tenth:
    """A file that asks for the memory once so much has been written to it."""

    def __init__(self, file: IO[bytes], size: int, ask: Callable[[], float]):
        self.file, self.left, self.ask, self.memory = file, size, ask, float("nan")

    def write(self, data: bytes) -> None:
        self.file.write(data)
        if self.left > 0:
            self.left -= len(data)
            if self.left <= 0:
                self.memory = self.ask()

    def close(self) -> None:
        self.file.close()


def stream(size: int, folder: str) -> list[Result]:
    rate, early, late = piped(size, folder)
    name = f"stream of {size / 1e9:.1f} GB through a pipe"
    return [
        Result(f"{name}: memory, after a tenth", late, early, "MiB", late / early, Bar(high=1.05)),
        Result(f"{name}: speed", rate, unit="MB/s"),
    ]


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--quick", action="store_true", help="a stream of 0.2 GB")
    options = parser.parse_args()
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        data = os.environ.get("KERNELSTREAM_DATA")
        if data is None:
            console.print("covtype is left out: KERNELSTREAM_DATA is not set to the folder of the LIBSVM files.")
        else:
            results += covtype(f"{data}/covtype.bz2", folder)
        results += stream(2 * 10**8 if options.quick else 2 * 10**9, folder)
    show("the command line", COLUMNS, [(*cells(result), verdict(result.passed)) for result in results])
    found = [result.as_dict() for result in results]
    write(options.json, found)
    return failed(found)


if __name__ == "__main__":
    raise SystemExit(main())
